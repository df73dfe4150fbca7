"""What the server must be set to, so that what was paid is not lost in a crash. Asked at start and
by each audit.
"""

from django.db import connection

# `local` and `remote_write` promise less than `on` when there is a standby, and save nothing when
# there is none.
DURABLE = {
    "fsync": ("on",),
    "full_page_writes": ("on",),
    "synchronous_commit": ("on", "remote_apply"),
}


def undurable_settings() -> list[tuple[str, str]]:
    """Name and value of each setting under which a commit could be lost; empty when none could."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, setting FROM pg_settings WHERE name = ANY (%s) ORDER BY name",
            [list(DURABLE)],
        )
        return [(name, value) for name, value in cursor.fetchall() if value not in DURABLE[name]]
