"""What is set up, who deals and who sits there: tables, sessions, guests, calls."""
