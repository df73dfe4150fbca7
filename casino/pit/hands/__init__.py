"""One hand of poker: corrected or voided by the floor."""
