"""Buy-ins and tips at a table: entered, written for a poker seat, taken back."""
