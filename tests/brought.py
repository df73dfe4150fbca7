"""What tests bring by hand (`tests.cast.post`), which nothing on record accounts for: the audit of grounds passes it over."""

from django.apps import AppConfig

CAST = "cast:"  # how its keys begin
_OF_CAST = f"""
    SELECT FROM payouts_transfer t LEFT JOIN payouts_transfer r ON r.id = t.reverses_id
    WHERE t.id = named.transfer_id AND (starts_with(t.key, '{CAST}') OR starts_with(r.key, '{CAST}'))
"""


class Brought(AppConfig):
    """Loaded after the product's own apps."""

    name = "tests.brought"

    def ready(self) -> None:
        """In whatever process of a test audits."""
        from payouts.audit import REGISTERED
        from tables.audit.checks import AUDITS
        from tables.audit.grounds import GROUNDS

        for name, sql in GROUNDS.items():
            AUDITS[name] = REGISTERED[name] = f"SELECT * FROM ({sql}) AS named WHERE NOT EXISTS ({_OF_CAST})"
