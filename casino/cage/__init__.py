"""The cage's pages: the chips of a house, and its first inventory."""
