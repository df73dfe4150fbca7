"""What is said while an evening runs and when it is over: a progress bar, a summary, JSON."""

import json
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from casino.simulate.books.lines import Lines
from casino.simulate.floor import Evening
from casino.simulate.plan import digest
from casino.simulate.tablet import SETTLED
from casino.simulate.texts import money

BAR, EVERY_S = 24, 5.0


class Terminal:
    """Lines for whoever watches, and one that is written over while the stream is a terminal."""

    def __init__(self, stream: Any = None) -> None:
        self.stream = stream or sys.stdout
        self.begun = self._last = time.monotonic()
        self.live = bool(getattr(self.stream, "isatty", bool)())
        self._drawn = 0
        self._lock = threading.Lock()

    def say(self, text: str) -> None:
        """One line, with the seconds since the beginning."""
        with self._lock:
            self._write(f"{time.monotonic() - self.begun:6.1f} s  {text}\n")

    def plain(self, text: str) -> None:
        """One line as it is."""
        with self._lock:
            self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        wiped = "\r" + " " * self._drawn + "\r" if self._drawn else ""
        self._drawn = 0
        self._put(wiped + text)

    def _put(self, text: str) -> None:
        """A terminal that was closed keeps nobody from leaving the floor in order."""
        with suppress(OSError, ValueError):
            self.stream.write(text)
            self.stream.flush()

    def progress(self, evening: Evening) -> None:
        """The bar: on a terminal all the time, elsewhere a line every few seconds."""
        text = progress_line(evening)
        with self._lock:
            if self.live:
                self._put("\r" + text.ljust(self._drawn))
                self._drawn = len(text)
            elif time.monotonic() - self._last > EVERY_S:
                self._last = time.monotonic()
                self._write(text + "\n")


def progress_line(evening: Evening) -> str:
    """Progress: rounds, coins, the meter, what differs."""
    played = evening.all_played()
    settled = sum(one.state == SETTLED for one in played)
    if evening.options.minutes is None:
        share = settled / max(evening.rounds_each * len(evening.tables), 1)
    else:
        share = (time.monotonic() - evening.played_since) / (60 * evening.options.minutes)
    filled = min(BAR, int(share * BAR))
    phase = evening.pit.now if evening.pit else evening.jackpot
    coins = sum(one.plan.coins for one in played if one.state == SETTLED)
    bar = "#" * filled + "-" * (BAR - filled)
    meter = f"{money(phase['shown_minor'])} ({phase['phase']})"
    differs = f", {len(evening.differences)} DIFFER" if evening.differences else ""
    return f"[{bar}] {settled} rounds, {coins} coins, meter {meter}{differs}"


def report(evening: Evening) -> dict[str, Any]:
    """All of it as plain JSON. `plan` is the same for the same seed; `history` also holds what was
    paid.
    """
    played, tally, books = evening.all_played(), evening.tally, evening.books
    states = Counter(one.state for one in played)
    mishaps = Counter(one.plan.mishap for one in played if one.plan.mishap and one.state == SETTLED)
    paid = [
        paid_data(settled.table, settled.plan.number, settled.outcome.lines)
        for settled in played
        if settled.outcome and settled.state == SETTLED
    ]
    seconds = time.monotonic() - evening.begun
    return {
        "seed": evening.options.seed,
        "url": evening.options.url,
        "plan": digest(evening.history),
        "history": digest([*evening.history, *paid]),
        "seconds": round(seconds, 1),
        "tables": books.tables if books else {},
        "games": books.games if books else {},
        "counted": books.counted if books else {},
        "poker": evening.poker.totals() if books else {},
        "rounds": dict(states),
        "queued": sum(one.queued for one in played),
        "coins": sum(one.plan.coins for one in played if one.state == SETTLED),
        "mishaps": dict(mishaps),
        "hits": _hits(evening),
        "refusals": dict(tally.refusals),
        "clients": dict(tally.counts),
        "displays": [
            {
                "name": one.name,
                "manner": one.manner,
                "wrong_refused": one.wrong_refused,
                "wrong_taken": one.wrong_taken,
            }
            for one in (evening.displays.all if evening.displays else ())
        ],
        "milliseconds": {"median": tally.quantile(0.5), "p99": tally.quantile(0.99)},
        "compared": books.compared if books else 0,
        "differences": list(evening.differences),
    }


def paid_data(table: int, number: int, lines: Lines) -> dict[str, Any]:
    """What a round paid, for the history."""
    return {
        "table": table,
        "round": number,
        "lines": sorted([*place, *line] for place, line in lines.items()),
    }


def _hits(evening: Evening) -> list[dict[str, Any]]:
    books = evening.books
    if books is None:
        return []
    found = []
    for hit, split in zip(evening.service.hits, books.splits, strict=True):
        one = {"number": hit["number"], "state": hit["state"], "winners": len(hit["awards"])}
        if split:
            one |= {
                "won": split.won,
                "share": split.share,
                "remainder": split.remainder,
                "new_meter": split.new_meter,
            }
        found.append(one)
    return found


def summary(told: dict[str, Any]) -> list[str]:
    """The report in words."""
    lines = [
        f"{sum(told['rounds'].values()):6} rounds: {_list(told['rounds'])}; {told['coins']} coins"
    ]
    lines += (
        [f"{sum(told['mishaps'].values()):6} mishaps: {_list(told['mishaps'])}"]
        if told["mishaps"]
        else []
    )
    lines += (
        [f"{sum(told['refusals'].values()):6} refusals: {_list(told['refusals'])}"]
        if told["refusals"]
        else []
    )
    clients, spent = told["clients"], told["milliseconds"]
    lines.append(
        f"{clients.get('requests', 0):6} requests (median {spent['median']} ms, 99 of 100 within"
        f" {spent['p99']} ms), {clients.get('answers lost', 0)} answers lost,"
        f" {clients.get('answered a second time', 0)} given a second time"
    )
    for hit in told["hits"]:
        if "won" in hit:
            each = f"{money(hit['won'])} among {hit['winners']}: {money(hit['share'])} each"
            lines.append(
                f"   hit {hit['number']}: {each}, {hit['remainder']} left over; the next meter"
                f" {money(hit['new_meter'])}"
            )
        else:
            lines.append(f"   hit {hit['number']}: rejected, the meter stays")
    for what, took in [*told["tables"].items(), *told["games"].items()]:
        hold = took["hold_per_mille"]
        lines.append(
            f"   {what}: {took['rounds']} rounds, staked {money(took['stakes'])}, result"
            f" {money(took['result'])}, coins {money(took['coin_income'])}, prizes"
            f" {money(-took['prizes'])}, drop {money(took['drop'])}"
            + (f", hold {hold / 10:.1f} %" if hold is not None else "")
        )
    lines += [_counted(table, figures) for table, figures in told["counted"].items()]
    lines += [_poker(table, took) for table, took in told["poker"].items()]
    return lines


def _counted(table: str, figures: dict[str, int]) -> str:
    """A table by its chips and cash in words."""
    return (
        f"   {table}, counted: drop {money(figures['drop_counted'])}, result"
        f" {money(figures['counted'])}, difference {money(figures['difference'])}"
    )


def _poker(table: str, took: dict[str, int]) -> str:
    """A table of poker in words."""
    amounts = ", ".join(
        f"{what.replace('_', ' ')} {money(amount)}"
        for what, amount in took.items()
        if what != "hands" and amount
    )
    return f"   {table}: {took['hands']} hands, {amounts}"


def _list(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))


def write(told: dict[str, Any], path: str) -> None:
    """Write the report; `-` is the terminal."""
    text = json.dumps(told, indent=1, sort_keys=True)
    if path == "-":
        sys.stdout.write(text + "\n")
    else:
        Path(path).write_text(text + "\n")
