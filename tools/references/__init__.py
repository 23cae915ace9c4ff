"""The pages of docs/ that are written by the program about itself."""
