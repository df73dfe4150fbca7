"""Versioned SQL. A file that houses have run is never edited: a change is a new file with the next
number, read by a new migration.

A function keeps its name, `_v1` and all, as long as its callers need not know: `ledger_v2.sql` has
CREATE OR REPLACE FUNCTION `ledger_post_v1` with the same signature. Where the signature changes the
function gets a new name. Of what several files make, the one with the highest number counts. Each
app keeps its own files in a folder `sql`; what they declare must stand in the database word for
word (`payouts/db/expected.py`), and `tests/meta/landed.txt` knows those that houses have run.
"""

from importlib.resources import files


def read_sql(name: str, app: str = "payouts") -> str:
    """The text of `<name>.sql` in the app's folder `sql`."""
    return (files(app) / "sql" / f"{name}.sql").read_text(encoding="utf-8")
