"""The jackpot's page on a display: what it shows, its signs of life, the confirmation that opens the tables."""
