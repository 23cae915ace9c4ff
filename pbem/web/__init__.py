"""Answer browsers: the seat page and the public pages.

`service_app` of `app` builds the application of `pbem serve`, and `serve` of `server` runs it.
"""
