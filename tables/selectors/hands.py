"""Hands of poker, and what is asked for of them."""

CORRECTION = "poker.correct"  # of the approval matrix
VOID = "poker.void"
