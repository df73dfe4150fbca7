"""Stakes that come after the lock, or are taken back."""
