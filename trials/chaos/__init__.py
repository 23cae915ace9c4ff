"""Kill the service repeatedly while people play by mail. The log must not be affected."""
