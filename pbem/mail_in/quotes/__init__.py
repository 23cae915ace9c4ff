"""The player's own words, found among quotes, signatures and footers."""
