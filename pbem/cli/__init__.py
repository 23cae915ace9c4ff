"""Command line: parses arguments, opens the service, calls one service function, prints.

`app` knows all commands by name and imports a command's module only when it is called, so that
`--help` is fast.
"""
