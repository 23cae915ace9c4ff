"""Phalanx: 2 to 6 players, one pack or one each; players win zones and keep a hand of seven."""
