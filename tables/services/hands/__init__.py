"""Hands of poker: how they end, and how they are put right."""
