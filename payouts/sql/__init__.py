"""Versioned SQL. A function that migrations have installed never changes: a change is a new file with the next number."""

from pathlib import Path


def read_sql(name: str) -> str:
    """The text of `<name>.sql` in this folder."""
    return (Path(__file__).parent / f"{name}.sql").read_text(encoding="utf-8")
