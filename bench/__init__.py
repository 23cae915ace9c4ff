"""What costs what, beside public peers measured in the same run: `python -m bench`."""
