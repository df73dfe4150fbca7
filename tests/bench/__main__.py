"""`make bench`: all that is measured, as ratios to a limit taken in the same run. Table on the screen, JSON in var/bench.json.

`make bench ARGS="ledger hands"` measures only these; all of them are to take 900 s at most. `KEEP=1` adds the ratios to
`docs/BENCHMARKS.md`; those of the last kept run stand beside each.
"""

import json
import os
import platform
import subprocess
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path

from tests.bench import kept

ROOT = Path(__file__).parents[2]
WHOLE_S = 900  # of all parts, one after the other
PARTS = (
    "hands",
    "rounds",
    "ledger",
    "floor",
    "blackjack",
    "poker",
    "jackpot",
    "fanout",
    "tablet",
    "pit",
    "reports",
    "flood",
    "audit",
    "start",
)


def main(wanted: list[str]) -> int:
    """Measure the parts named (all when none is); 1 if a ratio is below what is asked, 2 for an unknown name."""
    if unknown := set(wanted) - set(PARTS):
        print(f"Unknown: {', '.join(sorted(unknown))}. There are: {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    results: kept.Results = {}
    failed: list[str] = []
    seconds: dict[str, float] = {}
    dirty = _dirty()  # as it is when measuring begins
    target = ROOT / "var" / "bench.json"
    target.parent.mkdir(exist_ok=True)
    for part in wanted or PARTS:
        print(f"measuring {part} …", file=sys.stderr, flush=True)
        begun = time.monotonic()
        try:
            rows = import_module(f"tests.bench.{part}").measure()
        except Exception:  # noqa: BLE001  (what the other parts measure is not lost for it)
            traceback.print_exc()
            failed.append(part)
            continue
        results[part] = {name: row if isinstance(row, dict) else {"ours": row} for name, row in rows.items()}
        seconds[part] = round(time.monotonic() - begun, 1)
        print(f"  {seconds[part]:.0f} s", file=sys.stderr, flush=True)
        if not wanted and list(seconds) == list(PARTS):
            results["whole"] = _whole(seconds)
        report = {"at": _now(), "commit": _commit(), "dirty": dirty, "machine": _machine(), "results": results}
        report["seconds"] = seconds | {"total": round(sum(seconds.values()), 1)}
        target.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    told = ", ".join(f"{part} {_cell(spent)}" for part, spent in seconds.items())
    return _tell(results, failed, f"Seconds: {told}; in all {_cell(round(sum(seconds.values()), 1))}.", dirty=dirty)


def _whole(seconds: dict[str, float]) -> dict[str, dict[str, float]]:
    """What all parts together took, where every one was measured."""
    total = round(sum(seconds.values()), 1)
    return {
        "all parts, s": {"limit": WHOLE_S, "ours": total, "ratio": round(WHOLE_S / max(total, 0.1), 2), "asked": 1.0}
    }


def _tell(results: kept.Results, failed: list[str], times: str, *, dirty: bool) -> int:
    """Print the table, keep the ratios if so wished; 1 if a part failed or a ratio is below what is asked."""
    short = [name for rows in results.values() for name, row in rows.items() if _missed(row)]
    page = kept.DOC.read_text(encoding="utf-8")
    commit = _commit() + (", changed" if dirty else "")
    print(_table(results, kept.last(page)))
    if os.environ.get("KEEP") == "1":
        kept.DOC.write_text(kept.with_run(page, results, f"{_now()[:10]} {commit}"), encoding="utf-8")
    print(f"\n{times} Commit {commit}. var/bench.json holds all figures.")
    if short:
        print(f"Below what is asked: {', '.join(short)}.")
    if failed:
        print(f"Failed, and not measured: {', '.join(failed)}.")
    return 1 if short or failed else 0


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


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
    return _git("rev-parse", "--short", "HEAD")


def _dirty() -> bool:
    """Whether anything differs from the commit, files that it does not know included."""
    return bool(_git("status", "--porcelain"))


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def _machine() -> dict[str, object]:
    return {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "kernel": platform.release(),
        "load": os.getloadavg()[0],
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
