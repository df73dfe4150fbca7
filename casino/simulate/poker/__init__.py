"""Poker beside an evening: tables, what happens at them, and what the house recorded of it."""
