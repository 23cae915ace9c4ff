"""A raw mail taken apart: header, parts, character sets, who sent it, what kind it is."""
