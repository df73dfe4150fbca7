"""Seats of poker tables: who sits there, with which chips (POK-2)."""
