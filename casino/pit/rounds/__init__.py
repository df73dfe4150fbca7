"""One round: settled, withdrawn, voided or corrected by the floor."""
