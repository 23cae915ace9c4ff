"""Mutation testing of the rules: see docs/mutation.md."""
