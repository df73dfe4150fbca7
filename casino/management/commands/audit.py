"""`manage.py audit`: run all audits now, name every breach, end with status 1 if there is one."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino.ops.heartbeats import audit_store
from payouts.audit import AuditResult, run_audits, run_notices
from tables.audit.replay import replay
from tables.audit.replay_hands import OPINION_OF, replay_hands


class Command(BaseCommand):
    """Asks the same questions as the worker does each minute, of everything, and settles rounds
    again.
    """

    help = (
        "Check the books: each audit with the rows in breach. Ends with status 1 if there is a"
        " breach."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="one JSON document instead of a table"
        )
        parser.add_argument(
            "--replay",
            action="store_true",
            help="settle all rounds and hands again, not only those of the last gaming day",
        )

        parser.add_argument(
            "--store",
            action="store_true",
            help="keep the outcome, as the worker does, so that what was put right is told so",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["store"] and audit_store(whole=True) is None:
            raise CommandError("Another whole audit is running: wait for its end.")
        whole = options["replay"]
        hands = replay_hands(everything=whole, opinion_of=1 if whole else OPINION_OF)
        results = [*run_audits(), *replay(everything=whole), hands]
        notices = run_notices()
        ok = not any(result.breaches for result in results)
        if options["json"]:
            audits = [{"ok": not result.breaches} | asdict(result) for result in results]
            told = {"ok": ok, "audits": audits, "notices": [asdict(notice) for notice in notices]}
            self.stdout.write(json.dumps(told, indent=2, ensure_ascii=False))
        else:
            self._table(results, notices)
        if not ok:
            sys.exit(1)

    def _table(self, results: list[AuditResult], notices: list[AuditResult]) -> None:
        width = max(len(result.name) for result in (*results, *notices))
        for found, word in ((results, "in breach"), (notices, "to be recorded")):
            for result in found:
                verdict = f"{len(result.breaches)} {word}" if result.breaches else "ok"
                self.stdout.write(
                    f"{result.name:<{width}}  {result.seconds * 1000:7.1f} ms  {verdict}"
                )
                for row in result.breaches:
                    self.stdout.write(
                        "    " + ", ".join(f"{name}={value}" for name, value in row.items())
                    )
        broken = [result.name for result in results if result.breaches]
        self.stdout.write(f"In breach: {', '.join(broken)}." if broken else "No breach.")
