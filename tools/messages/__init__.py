"""Extract the program's sentences for players and update the translation catalogs."""
