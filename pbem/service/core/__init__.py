"""What every handler needs: the service itself, games loaded and recorded, whose a mail is, limits.

Others call `games.load`, `games.begin`, `games.record`, `whose.proof_of` and `limits.permit`.
"""
