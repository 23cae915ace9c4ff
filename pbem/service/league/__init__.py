"""Leagues, ladders and ratings.

Entry points: `orders` for players' and admins' orders, `rounds.take_due_steps` for the clock,
`league_messages` for the texts of messages, `verify` for checks and exports, `ladder` for
challenges and their ladder, and `ratings` for lists of players.
"""
