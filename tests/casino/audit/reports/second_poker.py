"""The rake, and what was changed of it, a second time: hand by hand, in plain Python."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from payouts.models import Event, PostedTable
from tables.models import Hand, HandPot, HandResult, HandSeat, HandShare, ReviewItem, Table
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


def changes(books: Books) -> list[list[Any]]:
    """Hands that were corrected or voided, that came late, or are to be clarified."""
    rows = [*_changed(books), *_clarified(books)]
    return sorted(rows, key=_in_order)


def _in_order(row: list[Any]) -> tuple[Any, ...]:
    day, at, what, table, _number, hand, *_amounts, why = row
    return day, at, what, table, str(hand), why


def _changed(books: Books) -> Iterator[list[Any]]:
    for hand in Hand.objects.all():
        day = books.sessions[hand.session_id].gaming_day
        place = [books.tables[hand.table_id], hand.number, hand.pk, books.people[hand.croupier_id]]
        results = list(hand.results.order_by("revision"))
        for before, after in pairwise(results):
            rakes = [before.rake_minor, after.rake_minor, after.rake_minor - before.rake_minor]
            sums = [*rakes, *_moved(before, after)]
            yield [day, after.at, "corrected", *place, books.people[after.entered_by_id], *sums, after.reason]
        if hand.state == Hand.State.VOIDED:
            event = Event.objects.get(name="hand.voided", subject_id=str(hand.pk))
            assert event.actor_id
            rake = results[-1].rake_minor
            yield [
                day,
                event.at,
                "voided",
                *place,
                books.people[event.actor_id],
                rake,
                0,
                -rake,
                None,
                None,
                event.reason,
            ]
        if hand.queued:
            first = results[0]
            sender = books.people[first.entered_by_id]
            yield [day, hand.ended_at, "queued", *place, sender, None, first.rake_minor, *[None] * 3, ""]


def _moved(before: HandResult, after: HandResult) -> list[int | None]:
    """What went to the stacks of other seats, and what no stack bore; None where no pots are entered."""
    was = {row.stay_id: row for row in HandSeat.objects.filter(hand=before.hand_id, revision=before.revision)}
    rows = HandSeat.objects.filter(hand=after.hand_id, revision=after.revision)
    if not rows:
        return [None, None]
    moved = sum(max(0, row.booked_minor - was[row.stay_id].booked_minor) for row in rows)
    paid = sum(row.ante_minor + row.live_minor + row.dead_minor for row in rows)
    return [moved, sum(row.won_minor + row.returned_minor - row.booked_minor for row in rows) - paid]


def odd_chips(books: Books) -> list[list[Any]]:
    """Pot by pot what was left over as it was split, of the hands that count."""
    rows = []
    for hand, result in books.ended():
        day, people = books.sessions[hand.session_id].gaming_day, books.people
        place = [day, hand.ended_at, books.tables[hand.table_id], hand.number, hand.pk, people[hand.croupier_id]]
        of_result = {"hand": hand, "revision": result.revision}
        pots = {pot.number: pot for pot in HandPot.objects.filter(**of_result)}
        for share in HandShare.objects.filter(**of_result, odd_minor__gt=0):
            pot = pots[share.number]
            shared = [pot.number, len(pot.seats), pot.amount_minor - pot.rake_minor]
            halves = _odd_of_halves(share)
            rows.append([*place, *shared, share.half, share.seat, share.amount_minor, share.odd_minor, halves])
    return sorted(rows, key=_by_hand)


def _odd_of_halves(share: HandShare) -> int:
    """What of its odd chips was left over between the high half and the low one: the last that the high half gave."""
    of_pot = HandShare.objects.filter(hand=share.hand, revision=share.revision, number=share.number)
    halves: dict[str, int] = defaultdict(int)
    for other in of_pot:
        halves[other.half] += other.amount_minor
    last = of_pot.filter(half="high", odd_minor__gt=0).order_by("-pk").first()
    return halves["high"] - halves["low"] if last == share else 0


def _by_hand(row: list[Any]) -> tuple[Any, ...]:
    day, at, table, _number, hand, _croupier, *share = row
    return day, at, table, str(hand), *share


def _clarified(books: Books) -> Iterator[list[Any]]:
    for item in ReviewItem.objects.filter(kind="hand_end"):
        at, person = item.closed_at or item.received_at, books.people[item.closed_by_id or item.sent_by_id]
        why = ": ".join(part for part in (item.code, item.reason) if part)
        place = [books.tables[item.table_id], None, item.round_id, ""]
        yield [books.day(item.received_at), at, f"clarify_{item.state}", *place, person, *[None] * 5, why]
