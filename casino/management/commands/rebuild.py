"""`manage.py rebuild`: compute balances, sub-meters and amounts anew beside the old ones, and
compare.
"""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino.ops.rebuild import SCHEMA, rebuild
from payouts.errors import Refused


class Command(BaseCommand):
    """Changes nothing of what is served. Needs DATABASE_OWNER_URL."""

    help = (
        f"Compute balances, sub-meters and amounts from entries into the schema `{SCHEMA}`. Ends"
        " with status 1 if one differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="one JSON document instead of a table"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tables = rebuild()
        except Refused as refused:
            raise CommandError(f"{refused.text()} {refused.remedy % refused.data}") from refused
        ok = not any(table.different for table in tables)
        if options["json"]:
            said = {"ok": ok, "schema": SCHEMA, "tables": [asdict(table) for table in tables]}
            self.stdout.write(json.dumps(said, indent=2, ensure_ascii=False))
        else:
            for table in tables:
                self.stdout.write(
                    f"{SCHEMA}.{table.name:<10} {table.rows:>8} rows  {len(table.different)}"
                    " different"
                )
                for row in table.different:
                    self.stdout.write(
                        "    " + ", ".join(f"{name}={value}" for name, value in row.items())
                    )
            self.stdout.write(
                "All comes out as it stands." if ok else "Not everything comes out as it stands."
            )
        if not ok:
            sys.exit(1)
