"""Leagues: several rounds of games, whose tables are drawn by the Swiss way (docs/leagues.md).

Others call `decide` for what happens, `league.rebuild` for a league from its log, and
`standing.table` for how it stands. `ladder` is the order that challenges make.
"""
