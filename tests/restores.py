"""Books that are known to lie on another server than they do: as if somebody had restored them, or a standby had taken over."""

from tests.databases import superuser


def known_as(change: str, database: str | None = None) -> None:
    """Change what the books know of their server (SQL assignments)."""
    with superuser(database) as link:
        link.execute("ALTER TABLE jackpot_incarnation DISABLE TRIGGER append_only_row")
        link.execute(f"UPDATE jackpot_incarnation SET {change}")
        link.execute("ALTER TABLE jackpot_incarnation ENABLE ALWAYS TRIGGER append_only_row")
