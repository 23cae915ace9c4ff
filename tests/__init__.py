"""All tests. This is a package, so that each shared module is imported only once, under one name."""
