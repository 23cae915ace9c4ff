"""What answers browsers: the seat page. `serve_pages` of `server` starts it, `SeatPages` of `pages` is its application."""
