"""Programs that write or check files of this repository, most with a target in the Makefile.

They import test helpers from `tests`, which also contains their tests.
"""
