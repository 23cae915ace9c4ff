"""Play-by-email card games: an event-sourced service around the pure rules of `engine`."""
