"""Poker on the screens."""
