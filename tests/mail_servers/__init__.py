"""Real mail servers on loopback, and the whole way of mails through them."""
