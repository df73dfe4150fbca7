"""The rake a second time: hand by hand, in plain Python."""

from collections import defaultdict
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from payouts.models import PostedTable
from tables.models import Hand, HandResult, Table
from tests.casino.audit.reports.second import Books


def rake(books: Books) -> list[list[Any]]:
    """Hand by hand: the lines of a table by the hour, under them the table as a whole."""
    zone = ZoneInfo(books.house.time_zone)
    schedules = {schedule.pk: schedule for schedule in PostedTable.objects.filter(kind="rake")}
    rows = []
    for table in sorted(Table.objects.all(), key=lambda table: (table.position, table.name)):
        hands: dict[tuple[Any, ...], list[tuple[Hand, HandResult]]] = defaultdict(list)
        for hand, result in books.ended():
            if hand.table_id == table.pk:
                session = books.sessions[hand.session_id]
                schedule = schedules.get(UUID(session.versions["rake"])) if "rake" in session.versions else None
                posted = (schedule.name, schedule.version) if schedule else ("", None)
                hour = hand.ended_at.astimezone(zone).hour
                line = (session.gaming_day, hour, table.name, hand.variant, books.people[hand.croupier_id], *posted)
                hands[line].append((hand, result))
        for line in sorted(hands, key=lambda line: line[:6]):
            less = sorted(hand.number for hand, result in hands[line] if result.rake_minor < (result.posted_minor or 0))
            rows.append(["hour", *line, *_raked(hands[line]), ", ".join(map(str, less))])
        if hands:
            together = [pair for pairs in hands.values() for pair in pairs]
            rows.append(["table", None, None, table.name, "", "", "", None, *_raked(together), ""])
    return rows


def _raked(hands: list[tuple[Hand, HandResult]]) -> list[Any]:
    known = [result for _, result in hands if result.pot_minor is not None]
    checked = sum(result.rake_minor for result in known) if known else None
    posted = sum(result.posted_minor or 0 for result in known) if known else None
    difference = checked - posted if checked is not None and posted is not None else None
    rake = sum(result.rake_minor for _, result in hands)
    return [len(hands), len(known), len(known) * 1000 // len(hands), rake, checked, posted, difference]
