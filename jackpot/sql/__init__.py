"""Versioned SQL of the jackpot; see `payouts/sql/__init__.py`."""
