"""What a campaign was: in lines, kept in a file, and how to run it again."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from tests.faults.campaign import TABLES, Campaign


def again(run: Campaign) -> str:
    """How to run it again."""
    more = {"TABLES": run.tables if run.tables != TABLES else "", "WITHOUT": run.without}
    more["ATTACKERS"] = "" if run.attackers else "0"
    words = [
        f"make faults MINUTES={run.minutes:g} SEED={run.seed}",
        *(f"{name}={value}" for name, value in more.items() if value),
    ]
    return " ".join(words)


def summary(report: dict[str, Any]) -> list[str]:
    """What a run was, in lines."""
    paid = Counter(f"{hit['state']}, {hit['winners']} winners" for hit in report["hits"])
    answered = report["answered_ms"]
    return [
        f"Seed {report['seed']}, {report['minutes']:g} minutes, {report['tables']} tables of the jackpot.",
        f"{report['rounds_in_all']} rounds ({_list(report['games'])}), {len(report['hits'])} hits ({_list(paid)}).",
        f"Poker: {_list({table: took['hands'] for table, took in report['poker'].items()})} hands.",
        f"Broken: {_list(report['fault_counts'])}; missed: {_list(report['faults_missed'])}.",
        f"On the wire: {_list(report['network'])}.",
        f"Commands: {_list(report['commands'])}; {report['compared']} figures compared.",
        f"Refused to attackers: {sum(report['attacks'].values())} tries of {len(report['attacks'])} kinds.",
        f"Half of the commands were answered within {answered['median']} ms, 99 % within {answered['99 %']} ms.",
        f"The longest hit took {report['hit_s']} s from its scene to its last slip.",
        f"The floor played again {report['reopened_s']} s after everything was killed; told {report['told_s']} s after its end.",
        f"Seconds: {', '.join(f'{part} {spent:g}' for part, spent in report['seconds'].items())}.",
    ]


def _list(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(counts.items())) or "nothing"


def write(report: dict[str, Any], path: Path) -> None:
    """Keep the report."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=1, sort_keys=True, default=str) + "\n")
