"""The wheel and the sdist, as strangers install them."""
