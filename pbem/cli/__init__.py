"""The command line: parse, bootstrap, call one service function, print.

`app` knows each command by name and imports its module only when it is called, so `--help` is fast.
"""
