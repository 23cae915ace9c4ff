"""Code shared by all use cases: the service object, games, message senders, rate limits.

Entry points: `games.load`, `games.shown_names`, `sender_identity.auth_level_of`, `limits.permit` and
`live_database.tell`. To change a game, use `pbem.service.change`.
"""
