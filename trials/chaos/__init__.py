"""The service is killed over and over while people play by mail; the log must not notice."""
