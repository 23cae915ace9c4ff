"""Feed damaged messages to the parser and the service: `make fuzz`."""
