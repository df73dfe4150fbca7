"""What each process of a house holds of the machine, and whether it grows: resident memory, sockets, files, links."""

import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.faults.house import House, Program

GROWS_MOST = 1.05  # of resident memory, once warm
MORE_MOST = 2  # sockets, links, files, above what there was once warm: between two looks one comes, another goes
FEW = 4  # looks on either side whose middle is compared


@dataclass(frozen=True)
class Usage:
    """Of one process: kilobytes, and open files by kind; and which process it is."""

    resident_kb: int
    sockets: int
    files: int
    pid: int = 0


@dataclass
class Look:
    """One look at all processes by their part, after so many rounds; `house`: what is counted for all of them together."""

    rounds: int
    parts: dict[str, Usage] = field(default_factory=dict)
    house: dict[str, int] = field(default_factory=dict)


def usage_of(pid: int, *, own: bool = False) -> Usage | None:
    """What a process holds; None if it is gone. `own`: only memory that is its alone, for a server whose buffers are shared."""
    with suppress(OSError):
        fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        held = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
        sockets = sum(one.startswith("socket:") for one in held)
        return Usage(int(fields["RssAnon" if own else "VmRSS"].split()[0]), sockets, len(held) - sockets, pid)
    return None


def parts_of(program: Program) -> dict[str, int]:
    """Its processes by their part: the first one, and its children in their order."""
    children = {f"{program.name} child {number}": pid for number, pid in enumerate(program.children(), 1)}
    return {program.name: program.pid, **({} if program.name == "postgres" else children)}


def look(house: House, rounds: int) -> Look:
    """Look at everything."""
    found = Look(rounds)
    for program in house.programs.values():
        for part, pid in parts_of(program).items():
            if used := usage_of(pid, own=program.name == "postgres"):
                found.parts[part] = used
    backends = [one for pid in house.programs["postgres"].children() if (one := usage_of(pid, own=True))]
    found.house["memory of a backend, KB"] = int(median(one.resident_kb for one in backends)) if backends else 0
    links = house.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'saalchef_app'")[0][0]
    found.house["links to the database"] = int(links)
    found.house["temporary files"] = sum(1 for path in house.temporary.rglob("*") if path.is_file())
    found.house["temporary files of the database"] = int(
        house.sql("SELECT coalesce(sum(temp_files), 0) FROM pg_stat_database")[0][0]
    )
    return found


def grown(looks: Sequence[Look], warm: int) -> list[str]:
    """What grew from round `warm` on, by the middle of the first looks after it and of the last ones.

    Raises ValueError where there are too few looks to tell.
    """
    after = [one for one in looks if one.rounds >= warm]
    if len(after) < 2 * FEW:
        raise ValueError(f"{len(after)} looks from round {warm} on are too few to tell of growth")
    before, now = _middle(after[:FEW]), _middle(after[-FEW:])
    return [told for what in sorted(before.keys() & now.keys()) if (told := _grew(what, before[what], now[what]))]


def died(looks: Sequence[Look], restarts: Mapping[str, int]) -> list[str]:
    """What did not live from the first look to the last: its memory says nothing of growth, as it began anew.

    `restarts`: how often the supervisor started each program again; a child that its own parent replaced is another process.
    """
    found = [f"{program} died, and was started again {often} times" for program, often in restarts.items() if often]
    seen = Counter(part for one in looks for part in one.parts)
    every = [part for part, often in seen.items() if often >= FEW]  # what is there for a moment does one thing and ends
    found += [f"{part} is missing from the last looks" for part in every if _missing(part, looks[-FEW:])]
    pids = {part: {one.parts[part].pid for one in looks if part in one.parts} for part in every}
    return sorted(
        found + [f"{part} was {len(ids)} processes, one after another" for part, ids in pids.items() if len(ids) > 1]
    )


def _missing(part: str, looks: Sequence[Look]) -> bool:
    return any(part not in one.parts for one in looks)


def _grew(what: str, before: float, now: float) -> str:
    memory = what.endswith("KB")
    most = before * GROWS_MOST if memory else before + MORE_MOST
    return f"{what}: {before:g} once warm, {now:g} at the end" if now > most else ""


def _middle(looks: Sequence[Look]) -> Mapping[str, float]:
    values: dict[str, list[int]] = defaultdict(list)
    for one in looks:
        for part, used in one.parts.items():
            values[f"{part}, resident KB"].append(used.resident_kb)
            values[f"{part}, sockets"].append(used.sockets)
            values[f"{part}, files"].append(used.files)
        for what, count in one.house.items():
            values[what].append(count)
    return {what: median(found) for what, found in values.items()}


def figures(looks: Sequence[Look], warm: int) -> dict[str, tuple[float, float]]:
    """Everything that was measured: once warm, and at the end."""
    after = [one for one in looks if one.rounds >= warm]
    before, now = _middle(after[:FEW]), _middle(after[-FEW:])
    return {what: (before[what], now[what]) for what in sorted(before.keys() & now.keys())}
