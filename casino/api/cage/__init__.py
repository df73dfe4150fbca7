"""Buy-ins, tips, counts of trays and of drop boxes."""
