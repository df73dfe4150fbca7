"""The floor and each of its tables, as pages."""
