"""Leagues: several rounds of games with tables drawn by a Swiss system (docs/leagues.md).

Entry points: `decide` for decisions, `league.rebuild` for folding a log, and `league.standings` for
the standings. `ladder` computes the order that results from challenges.
"""
