"""A jackpot as the pit sees it: what its hit waits for, what is asked and signed, its control
room."""
