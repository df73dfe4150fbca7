"""Buy-ins, tips and counts of trays."""
