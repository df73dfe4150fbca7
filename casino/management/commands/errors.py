"""`manage.py errors`: write docs/errors.md from the refusals in the code; `--check` writes nothing
and fails if it is stale.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.text.refusal_list import page


class Command(BaseCommand):
    """Write the list of refusals, or say that it is stale."""

    help = "Write docs/errors.md from the refusals in the code."
    requires_system_checks = []  # it works without a database

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="write nothing; fail if the page is stale"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path, wanted = settings.BASE_DIR / "docs" / "errors.md", page()
        if path.exists() and path.read_text("utf-8") == wanted:
            return
        if options["check"]:
            raise CommandError("docs/errors.md is stale: run `manage.py errors`.")
        path.write_text(wanted, "utf-8")
