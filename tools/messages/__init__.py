"""The sentences of the program, and whether the catalogs have all of them."""
