"""Counts of the evening a second time, as `second`: what sessions were worth, and the differences."""

from collections import defaultdict
from typing import Any, NamedTuple
from uuid import UUID

from jackpot.models import Contribution, WaitingPrize
from payouts.models import Count, CountBack, CountEntry, CountSignature, Entry
from tables.models import BuyIn, Difference, EntryReversal, Explanation, Override, Table, Tip
from tests.casino.audit.reports.second import Books

BY_COUNTS = ("drop_count", "count_set_back", "inventory_first", "tronc_paid")


class Worth(NamedTuple):
    """A session by its counts, in minor units; None is what nobody has counted."""

    opener: int | None
    closer: int | None
    fills: int | None
    credits: int | None
    sold: int
    dropped: int | None
    gap: int
    set_back: int

    @property
    def won(self) -> int | None:
        known = (self.dropped, self.closer, self.credits, self.opener, self.fills)
        if None in known:
            return None
        dropped, closer, credited, opener, filled = (amount or 0 for amount in known)
        return dropped + closer + credited - opener - filled


class Counts:
    """The counts of the evening, by what names them."""

    def __init__(self, books: Books) -> None:
        self.books = books
        self.counts = {count.pk: count for count in Count.objects.all()}
        self.signed = {row.count_id: row for row in CountSignature.objects.filter(stands=True)}
        self.entries = {entry.pk: entry for entry in CountEntry.objects.all()}
        self.backs = list(CountBack.objects.all())
        self.taken_back = {row.buy_in_id or row.tip_id for row in EntryReversal.objects.all()}

    def value(self, count_id: UUID | None) -> int | None:
        if count_id is None:
            return None
        return int(self.entries[self.signed[count_id].entry_id].value_minor)

    def back(self, count_id: UUID) -> int:
        return sum(back.amount_minor for back in self.backs if back.count_id == count_id)

    def left(self, count_id: UUID) -> int:
        return int(self.signed[count_id].difference_minor) - self.back(count_id)

    def entered(self, model: type[BuyIn] | type[Tip], session_id: UUID) -> int:
        """What was sold or given in a session, without what was taken back."""
        rows = model.objects.filter(session=session_id)
        return sum(row.amount_minor for row in rows if row.pk not in self.taken_back)

    def worth(self, session_id: UUID) -> Worth:
        session = self.books.sessions[session_id]
        boxes = [pk for pk in self.signed if self.counts[pk].place_kind == "drop"]
        boxes = [pk for pk in boxes if self.counts[pk].place_id == session.table_id]
        closer = self.counts.get(session.closer_id)
        done_at = closer.begun_at if closer else session.closed_at
        is_boxed = done_at is not None and any(self.counts[pk].begun_at >= done_at for pk in boxes)
        trays = [pk for pk, count in self.counts.items() if count.session_id == session_id]
        trays = [pk for pk in trays if pk in self.signed and self.counts[pk].place_kind == "tray"]
        sold = self.entered(BuyIn, session_id)
        both = session.opener_id and session.closer_id
        return Worth(
            opener=self.value(session.opener_id),
            closer=self.value(session.closer_id),
            fills=0 if both else None,  # none came while it was played
            credits=0 if both else None,
            sold=sold,
            dropped=sold + sum(map(self.left, boxes)) if is_boxed else None,
            gap=sum(map(self.left, [*trays, *boxes])),
            set_back=sum(map(self.back, [*trays, *boxes])),
        )


def settlements(books: Books) -> list[list[Any]]:
    """Each session that is closed; recorded from lines, hands and what was paid for time."""
    counts = Counts(books)
    rows = []
    for session in books.sessions.values():
        if session.closed_at is None:
            continue
        worth = counts.worth(session.pk)
        recorded = _recorded(books, session.pk)
        telling, played = _covered(books, session.pk)
        signed = counts.signed.get(session.closer_id)
        who = f"{books.people[signed.counter_id]}, {books.people[signed.witness_id]}" if signed else ""
        known = worth.won is not None and telling == played
        game = "poker" if "Poker" in books.tables[session.table_id] else "uth"
        head = [session.gaming_day, books.tables[session.table_id], game, session.opened_at, session.closed_at]
        chips = [worth.opener, worth.fills, worth.credits, worth.sold, worth.dropped]
        came = [counts.entered(Tip, session.pk), worth.closer, worth.won, recorded]
        gap = worth.won - recorded if known and worth.won is not None else None
        rows.append([*head, *chips, *came, gap, worth.set_back, f"{telling}/{played}", who, session.pk])
    return sorted(rows, key=lambda cells: cells[:2])


def _recorded(books: Books, session_id: UUID) -> int:
    waited = {(prize.source_id, prize.revision, prize.place) for prize in WaitingPrize.objects.all()}
    won = 0
    for played, _result, entered in books.settled():
        if played.session_id != session_id:
            continue
        for line in entered:
            won += line.stake_minor - line.returned_minor - line.won_minor
            won -= 0 if (played.pk, line.revision, line.place) in waited else line.prize_minor
    overrides = Override.objects.filter(round__session=session_id)
    won += sum(result.rake_minor for hand, result in books.ended() if hand.session_id == session_id)
    won += sum(minor for at, minor in books.paid_time() if at.pk == session_id)
    return won - sum(override.amount_minor for override in overrides)


def _covered(books: Books, session_id: UUID) -> tuple[int, int]:
    """How many rounds and hands told a result, of how many."""
    levels = [played.entry_level for played, *_ in books.settled() if played.session_id == session_id]
    hands = sum(hand.session_id == session_id for hand, _ in books.ended())
    return sum(level != "jackpot_only" for level in levels) + hands, len(levels) + hands


def differences(books: Books) -> list[list[Any]]:
    counts = Counts(books)
    rows = []

    def moment(count_id: UUID) -> Any:
        count = counts.counts[count_id]
        return count.begun_at if count.place_kind == "drop" else counts.signed[count_id].signed_at

    for gap in Difference.objects.all():
        count = counts.counts[gap.count_id]
        same = [pk for pk, other in counts.counts.items() if pk in counts.signed and other.place_id == count.place_id]
        same = [pk for pk in same if counts.counts[pk].place_kind == count.place_kind]
        before = [moment(pk) for pk in same if moment(pk) < moment(count.pk)]
        explained = sorted(Explanation.objects.filter(difference=gap), key=lambda explanation: explanation.at)
        why = ["", "", ""]
        for newest in explained[-1:]:
            why = [newest.code, books.people[newest.explained_by_id], books.signers(newest.approval_id)]
        where = [gap.gaming_day, books.tables[gap.table_id], count.place_kind, count.purpose]
        span = [max(before, default=None), moment(count.pk)]
        minor = [counts.signed[count.pk].difference_minor, counts.left(count.pk)]
        rows.append([*where, *span, *minor, gap.state, *why, gap.pk])
    return sorted(rows, key=lambda cells: (cells[0], cells[5], *cells[1:3]))


def counted(books: Books, table_id: UUID, *, coins_only: int) -> list[int | None]:
    """Of a table's day: drop, result, difference and hold, where each session is counted."""
    if books.counts is not None:
        return [None] * 4
    counts = Counts(books)
    worths = [counts.worth(session.pk) for session in books.sessions.values() if session.table_id == table_id]
    drops = [worth.dropped for worth in worths if worth.dropped is not None]
    results = [worth.won for worth in worths if worth.won is not None]
    drop = sum(drops) if len(drops) == len(worths) else None
    won = sum(results) if len(results) == len(worths) else None
    gap = sum(worth.gap for worth in worths) if won is not None and not coins_only else None
    return [drop, won, gap, won * 1000 // drop if drop and won is not None else None]


def beside(books: Books) -> dict[tuple[UUID, str], int]:
    """By table and account: what came into its drop, and what was taken from players for the tronc; counts gave nothing."""
    moved: dict[tuple[UUID, str], int] = defaultdict(int)
    for leg in Entry.objects.filter(account__kind__in=("drop", "tronc")).select_related("account"):
        kind, transfer = leg.account.kind, books.transfers[leg.transfer_id]
        if transfer.kind in BY_COUNTS or not books.asked_for(transfer.subject_id):
            continue
        moved[leg.account.owner_id, kind] += leg.amount_minor if kind == "drop" else -leg.amount_minor
    return moved


def results(books: Books) -> list[list[Any]]:
    """From the lines that count, what tables were given and gave away beside rounds; the ledger is not asked for rounds."""
    given = beside(books)
    rows = []
    for table in sorted(Table.objects.all(), key=lambda table: (table.position, table.name)):
        sums: dict[str, int] = defaultdict(int)
        for settled, result, lines in books.settled():
            if settled.table_id == table.pk:
                sums[result.source] += 1
                for line in lines:
                    sums["prizes"] -= line.prize_minor
                    if line.kind != "coin":
                        sums["stakes"] += line.stake_minor
                        sums["result"] += line.stake_minor - line.returned_minor - line.won_minor
        fed = Contribution.objects.filter(table_id=table.pk)
        income = sum(coin.house_minor for coin in fed if books.asked_for(coin.round_id))
        day = next(session.gaming_day for session in books.sessions.values() if session.table_id == table.pk)
        counts = [sums["cards"], sums["taps"], sums["coins"]]
        takings = [sums["stakes"], sums["result"], income, sums["prizes"]]
        rake = sum(result.rake_minor for hand, result in books.ended() if hand.table_id == table.pk)
        time = 0 if books.counts else sum(minor for at, minor in books.paid_time() if at.table_id == table.pk)
        drop, tips = given[table.pk, "drop"], given[table.pk, "tronc"]
        hold = sums["result"] * 1000 // drop if drop and sum(counts) else None
        by_counts = counted(books, table.pk, coins_only=sums["coins"])
        head = [day, None, table.name, table.game, sum(counts), *counts, *takings]
        rows.append([*head, drop, hold, *by_counts, rake, time, tips])
    return rows
