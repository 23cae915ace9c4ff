"""Benchmarks of the service beside public peers measured in the same run: `python -m bench`."""
