"""Phalanx: 2 to 6 players, one pack or one each. Players win zones and keep a hand of seven."""
