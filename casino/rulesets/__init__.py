"""Pages on which a house drafts, compares and signs its posted tables, and the starter set."""
