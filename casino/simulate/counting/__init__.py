"""Trays of an evening: counted, sold out of, erred at, compared with books of our own."""
