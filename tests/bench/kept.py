"""`docs/BENCHMARKS.md`: the ratios of the runs that were kept, a column each, newest last; `make bench KEEP=1` adds one.

Ratios only: seconds and rates are those of one machine on one day, and a ratio carries its limit from the same run.
"""

from pathlib import Path

DOC = Path(__file__).parents[2] / "docs" / "BENCHMARKS.md"
FIRST = "| what | asked |"
Results = dict[str, dict[str, dict[str, float]]]


def last(text: str) -> dict[str, float]:
    """The ratios of the newest kept run that has one, by name."""
    found: dict[str, float] = {}
    for cells in _rows(text)[2:]:
        ratios = [cell for cell in cells[2:] if cell]
        if ratios:
            found[cells[0]] = float(ratios[-1])
    return found


def with_run(text: str, results: Results, title: str) -> str:
    """The page with one more column, and rows for what was not measured before. What this run left out stays empty."""
    rows = _rows(text) or [["what", "asked"], ["---", "--:"]]
    head, line, *kept = rows
    known = {cells[0]: cells for cells in kept}
    width = len(head)
    for part, measured in results.items():
        for name, row in measured.items():
            if "ratio" not in row:
                continue
            cells = known.setdefault(f"{part}: {name}", [f"{part}: {name}", *[""] * (width - 1)])
            cells[1] = f"{row['asked']:g}" if "asked" in row else ""
            cells.append(f"{row['ratio']:g}")
    body = [cells + [""] * (width + 1 - len(cells)) for cells in known.values()]
    table = [[*head, title], [*line, "--:"], *body]
    before = text.partition(FIRST)[0]
    return before + "".join(f"| {' | '.join(cells)} |\n" for cells in table)


def _rows(text: str) -> list[list[str]]:
    lines = [line for line in (FIRST + text.partition(FIRST)[2]).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines] if FIRST in text else []
