"""Build the wheel and the sdist, and test them without a checkout."""
