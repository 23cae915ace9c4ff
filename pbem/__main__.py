"""`python -m pbem` is the command line."""

from pbem.cli.app import main

if __name__ == "__main__":
    main()
