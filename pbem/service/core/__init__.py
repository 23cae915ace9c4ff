"""What every handler needs: the service, games, owners of mails, limits.

Others call `games.load`, `games.shown_names`, `whose.proof_of`, `limits.permit` and `served.tell`. A game
is changed in `pbem.service.change` only.
"""
