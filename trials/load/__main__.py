"""Run `trials.load.run` as a command."""

import sys

from trials.load.run import main

sys.exit(main())
