"""Web pages of the service: seat pages, invitation links and public pages.

`app.service_app` builds the application of `pbem serve`, and `server.serve` runs it.
"""
