"""Ultimate Texas Hold'em on the screens."""
