"""Poker over the API: seats and their chips, hands and what is taken out of their pots."""
