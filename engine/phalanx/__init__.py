"""Phalanx: 2 to 6 players, one pack or one each; win zones, keep a hand of seven."""
