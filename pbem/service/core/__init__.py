"""What every handler needs: the service itself, games as they are, the owner of a mail, limits.

Others call `games.load`, `games.shown_names`, `whose.proof_of`, `limits.permit` and `served.tell`. A game
is changed in `pbem.service.change` only.
"""
