"""Versioned SQL of the floor; see `payouts/sql/__init__.py`."""
