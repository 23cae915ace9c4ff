"""Tests of the demo and its window."""
