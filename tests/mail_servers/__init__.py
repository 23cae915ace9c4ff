"""Tests with real mail servers on loopback, from sending to receiving."""
