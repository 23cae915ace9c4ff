"""Games before their first card: making, inviting, open places, rematches, and "never invite me".

Others call `making.create_game`, `guests.find`.
"""
