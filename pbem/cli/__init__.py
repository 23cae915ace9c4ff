"""The command line: commands parse arguments, open the service, call a service function, print.

`app` knows all commands by name and imports a command's module only when it is called, so that
`--help` is fast.
"""
