"""Black Jack on the screens."""
