"""Test the tests of the rules with mutations (docs/dev/mutation.md)."""
