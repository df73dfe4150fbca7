"""The pit: its board, tables, rounds, jackpots, slips, alerts and shifts."""
