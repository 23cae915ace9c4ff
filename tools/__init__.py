"""Programs that write or examine files of this repository. The Makefile has a target for most of
them.

They import helpers of `tests`, and their own tests are there.
"""
