"""The command line: parse, bootstrap, call one service function, print.

Database modules are imported inside the commands, so that `--help` and completion stay fast.
"""
