"""All tests; a package, so that a module which tests and other modules share is imported once, under one name."""
