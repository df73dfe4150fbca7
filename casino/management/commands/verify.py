"""`manage.py verify`: prove that the books are what they were: seals, rows, audits, every round and
every split again.
"""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino.ops.seals import stored_heads
from casino.ops.verify import Checked, verify_all
from payouts.errors import Refused

BAR = 30


class Command(BaseCommand):
    """Writes nothing. Bring keys and heads of your own, if you do not trust those that lie here."""

    help = (
        "Verify seals, rows, balances, every round and every split. Ends with status 1 if anything"
        " is not as it was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="one JSON document instead of a table"
        )
        parser.add_argument(
            "--keys", type=Path, help="folder of public keys (default: where the key lies)"
        )
        parser.add_argument(
            "--heads", type=Path, help="folder of heads that were kept (default: SEAL_HEADS)"
        )
        parser.add_argument(
            "--all",
            type=Path,
            metavar="FILE",
            help="write every finding to this file, one JSON object a line, as it is found",
        )
        parser.add_argument(
            "--progress",
            action="store_true",
            help="a line `3/17` for each piece that is done, for programs",
        )
        parser.add_argument(
            "--processes",
            type=int,
            choices=range(1, 17),
            metavar="1-16",
            help="how many share the work",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self._lines = bool(options["progress"])
        heads = options["heads"] or (Path(settings.SEAL_HEADS) if settings.SEAL_HEADS else None)
        try:
            checks = verify_all(
                keys=options["keys"] or settings.SEAL_KEY_PATH.parent,
                heads=heads,
                processes=options["processes"],
                progress=self._progress,
                all_to=options["all"],
            )
        except Refused as refused:
            raise CommandError(f"{refused.text()} {refused.remedy % refused.data}") from refused
        except (OSError, ValueError, KeyError) as error:
            if (
                options["all"]
                and isinstance(error, OSError)
                and error.filename == str(options["all"])
            ):
                raise CommandError(f"{options['all']} cannot be written: {error}.") from error
            raise CommandError(f"The heads in {heads} cannot be read: {error}.") from error
        ok = not any(check.count for check in checks)
        compared = sorted(stored_heads(heads)) if heads else []
        if options["json"]:
            anchors = {
                "heads_compared": len(compared),
                "webhook_unread": bool(settings.SEAL_WEBHOOK),
            }
            said = {
                "ok": ok,
                "anchors": anchors,
                "checks": [{"ok": not check.count} | asdict(check) for check in checks],
            }
            self.stdout.write(json.dumps(said, indent=2, ensure_ascii=False))
        else:
            self._table(checks)
            self._anchors(heads, compared)
            broken = [check.name for check in checks if check.count]
            self.stdout.write(
                f"Not as it was: {', '.join(broken)}." if broken else "All is as it was."
            )
        if not ok:
            sys.exit(1)

    def _progress(self, done: int, jobs: int) -> None:
        """A bar where somebody looks at a terminal, lines for a program; it goes where no answer
        goes.
        """
        if self._lines:
            self.stderr.write(f"{done}/{jobs}")
            self.stderr.flush()
            return
        if self.stderr.isatty():
            filled = BAR * done // jobs
            end = "\n" if done == jobs else ""
            self.stderr.write(
                f"\r[{'#' * filled}{'.' * (BAR - filled)}] {done} of {jobs}", ending=end
            )

    def _table(self, checks: list[Checked]) -> None:
        width = max(len(check.name) for check in checks)
        for check in checks:
            verdict = f"{check.count} not as they were" if check.count else "ok"
            self.stdout.write(
                f"{check.name:<{width}}  {'' if check.looked_at is None else check.looked_at:>10} "
                f" {verdict}"
            )
            for row in check.breaches:
                self.stdout.write(
                    "    "
                    + ", ".join(
                        f"{name}={value}" for name, value in row.items() if value is not None
                    )
                )
            if check.count > len(check.breaches):
                self.stdout.write(
                    f"    and {check.count - len(check.breaches)} more: --all FILE names each."
                )

    def _anchors(self, heads: Path | None, compared: list[int]) -> None:
        """With which heads that are kept elsewhere the chain was compared, and with which it cannot
        be.
        """
        if compared:
            told = (
                f"{len(compared)} that are kept in {heads} were compared, up to seal"
                f" {compared[-1]}."
            )
        elif heads:
            told = f"none is kept in {heads}; nothing was compared."
        else:
            told = "no folder is named by SEAL_HEADS or --heads; nothing was compared."
        self.stdout.write(f"Heads kept elsewhere: {told}")
        if settings.SEAL_WEBHOOK:
            self.stdout.write(
                "Heads that were posted to the webhook cannot be read from here: compare them where"
                " they were received, or bring them by --heads."
            )
