"""The rules of Phalanx as its players read them: plain text, at most 72 columns."""

RULES_TEXT = """\
PHALANX
"""
