"""Non-interference: the output for a reader does not depend on cards that the reader cannot
know.
"""
