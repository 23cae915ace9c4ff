"""Players, addresses, invitations, and traces of them."""
