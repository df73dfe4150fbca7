"""Counts of trays by the piece: begun, entered, witnessed, given up (CNT)."""
