"""`make bench`: all that is measured, as ratios to a limit taken in the same run. Table on the screen, JSON in var/bench.json.

`make bench ARGS="ledger hands"` measures only these. `KEEP=1` adds the ratios to `docs/BENCHMARKS.md`; those of the last kept run
stand beside each.
"""

import importlib
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

from tests.bench import kept

ROOT = Path(__file__).parents[2]
PARTS = ("hands", "rounds", "ledger", "floor", "jackpot", "fanout", "tablet", "start")


def main(wanted: list[str]) -> int:
    """Measure the parts named (all when none is); 1 if a ratio is below what is asked, 2 for an unknown name."""
    if unknown := set(wanted) - set(PARTS):
        print(f"Unknown: {', '.join(sorted(unknown))}. There are: {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    results = {}
    for part in wanted or PARTS:
        print(f"measuring {part} …", file=sys.stderr, flush=True)
        rows = importlib.import_module(f"tests.bench.{part}").measure()
        results[part] = {name: row if isinstance(row, dict) else {"ours": row} for name, row in rows.items()}
    report = {
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "commit": _commit(),
        "machine": _machine(),
        "results": results,
    }
    target = ROOT / "var" / "bench.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    short = [name for rows in results.values() for name, row in rows.items() if _missed(row)]
    page = kept.DOC.read_text(encoding="utf-8")
    print(_table(results, kept.last(page)))
    if os.environ.get("KEEP") == "1":
        kept.DOC.write_text(kept.with_run(page, results, f"{report['at'][:10]} {report['commit']}"), encoding="utf-8")
    print(
        f"\n{target.relative_to(ROOT)} holds all figures."
        + (f" Below what is asked: {', '.join(short)}." if short else "")
    )
    return 1 if short else 0


def _missed(row: dict[str, float]) -> bool:
    return "ratio" in row and "asked" in row and row["ratio"] < row["asked"]


def _table(results: kept.Results, before: dict[str, float]) -> str:
    lines = [f"{'':44} {'limit':>13} {'ours':>13} {'ratio':>8} {'asked':>7} {'kept':>7}"]
    for part, rows in results.items():
        lines.append(f"{part}")
        for name, row in rows.items():
            cells = [_cell(row.get(column)) for column in ("limit", "ours", "ratio", "asked")]
            rest = "  ".join(
                f"{key} {_cell(value)}" for key, value in row.items() if key not in ("limit", "ours", "ratio", "asked")
            )
            cells.append(_cell(before.get(f"{part}: {name}")))
            told = f"  {name:42} {cells[0]:>13} {cells[1]:>13} {cells[2]:>8} {cells[3]:>7} {cells[4]:>7}  {rest}"
            lines.append(told.rstrip())
    return "\n".join(lines)


def _cell(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"


def _commit() -> str:
    done = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


def _machine() -> dict[str, object]:
    return {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "kernel": platform.release(),
        "load": os.getloadavg()[0],
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
