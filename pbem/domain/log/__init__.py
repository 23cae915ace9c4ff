"""Events, and the chain that they form."""
