"""Mutation testing of the rules: see docs/dev/mutation.md."""
