"""A round from its lock to its result, and what is put right of it."""
