"""Versioned SQL. A function that migrations have installed never changes: a change is a new file with the next number.

Each app keeps its own in a folder `sql`. What the files declare must stand in the database word for word (`payouts/declared.py`).
"""

from importlib.resources import files


def read_sql(name: str, app: str = "payouts") -> str:
    """The text of `<name>.sql` in the app's folder `sql`."""
    return (files(app) / "sql" / f"{name}.sql").read_text(encoding="utf-8")
