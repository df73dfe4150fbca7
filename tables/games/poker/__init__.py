"""Poker: guests play hands against one another, and the house takes a fee (POK-1 to POK-11)."""
