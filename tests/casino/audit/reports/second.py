"""The rows of the reports a second time: in plain Python, from the records of the evening one by one, in the order of the report.

Nothing here asks the database for a sum, a count, a join or an order; what the ledger's accounts hold is worked out from lines,
contributions, splits and slips, wherever these know it.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from casino.people.models import Person
from jackpot.models import (
    Award,
    Claim,
    Gate,
    GateDisplay,
    Hit,
    Jackpot,
    ListedRound,
    Share,
    Slip,
    Split,
    TakenBack,
    WaitingPrize,
)
from payouts.models import Approval, ApprovalSignature, Entry, Transfer
from tables.models import (
    Guest,
    Hand,
    HandResult,
    ReviewItem,
    Round,
    RoundLine,
    RoundResult,
    RoundStake,
    StayChips,
    Table,
    TableSession,
)
from tests.casino.audit.reports.evening import Evening

LAST = "\U0010ffff"  # what is not known stands after what is


def said(value: Any) -> Any:
    """A value as reports write it: moments in UTC to the microsecond, days and ids as text."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    if isinstance(value, date | UUID):
        return str(value)
    return int(value) if isinstance(value, bool) else value


class Books:
    """All records of the evening, found by what names them."""

    def __init__(self, evening: Evening) -> None:
        self.house, self.only = evening.house, evening.day
        self.people = {None: ""} | {one.pk: one.full_name for one in Person.objects.all()}
        self.tables = {None: ""} | {one.pk: one.name for one in Table.objects.all()}
        self.rounds = {one.pk: one for one in Round.objects.all()}
        self.hands = {hand.pk: hand for hand in Hand.objects.all()}
        self.played: dict[UUID | None, Round | Hand] = {**self.rounds, **self.hands}
        self.sessions = {one.pk: one for one in TableSession.objects.all()}
        self.transfers = {one.pk: one for one in Transfer.objects.all()}
        self.awards = {one.pk: one for one in Award.objects.all()}
        self.slips = {one.award_id: one for one in Slip.objects.all()}
        self.counts: Callable[[Round | Hand], bool] | None = None  # which rounds and hands alone are asked for
        self.lines: dict[tuple[UUID, int], list[RoundLine]] = defaultdict(list)
        for line in RoundLine.objects.all():
            self.lines[line.round_id, line.revision].append(line)
        self.signed: dict[UUID, list[ApprovalSignature]] = defaultdict(list)
        for mark in sorted(ApprovalSignature.objects.all(), key=lambda mark: mark.signed_at):
            self.signed[mark.approval_id].append(mark)

    def day(self, moment: datetime) -> date:
        """The gaming day: until the hour of its change a morning is of the day before."""
        here = moment.astimezone(ZoneInfo(self.house.time_zone))
        return here.date() - timedelta(days=here.time() < self.house.gaming_day_change)

    def number(self, round_id: UUID | None) -> int | None:
        return self.rounds[round_id].number if round_id in self.rounds else None

    def signers(self, approval_id: UUID | None) -> str:
        return ", ".join(self.people[mark.signer_id] for mark in self.signed[approval_id])

    def asked_for(self, played_id: UUID | None) -> bool:
        played = self.played.get(played_id)
        return self.counts is None or (played is not None and self.counts(played))

    def table_of(self, played_id: UUID | None) -> UUID | None:
        played = self.played.get(played_id)
        return played.table_id if played else None

    def ended(self) -> Iterator[tuple[Hand, HandResult]]:
        """Hands that count, each with the result that counts."""
        results = {(result.hand_id, result.revision): result for result in HandResult.objects.all()}
        for hand in self.hands.values():
            if hand.state == "ended" and self.asked_for(hand.pk):
                yield hand, results[hand.pk, hand.revision]

    def paid_time(self) -> Iterator[tuple[TableSession, int]]:
        """What guests paid for their time, each with the session."""
        sessions = {guest.pk: self.sessions[guest.session_id] for guest in Guest.objects.all()}
        for paid in StayChips.objects.filter(kind="time"):
            yield sessions[paid.stay_id], paid.amount_minor

    def entered(self) -> Iterator[tuple[Round, RoundResult, list[RoundLine]]]:
        """Every result that was entered, with its lines, whether it counts or not."""
        for result in RoundResult.objects.all():
            yield self.rounds[result.round_id], result, self.lines[result.round_id, result.revision]

    def settled(self) -> Iterator[tuple[Round, RoundResult, list[RoundLine]]]:
        """Rounds that count, each with the result and the lines that count."""
        results = {(one.round_id, one.revision): one for one in RoundResult.objects.all()}
        for one in self.rounds.values():
            if one.state == "settled" and self.asked_for(one.pk):
                yield one, results[one.pk, one.revision], self.lines[one.pk, one.revision]


# Hits
class Fact(NamedTuple):
    """A fact of a hit's life. `turn`: which comes first of two at one moment."""

    at: datetime | None
    turn: int
    what: str
    table_id: UUID | None = None
    round_id: UUID | None = None
    box: int | None = None
    person_id: UUID | None = None
    amount: int | None = None
    state: str = ""
    text: str = ""


def hits(books: Books) -> list[list[Any]]:
    rows = []
    jackpots = {one.pk: one.name for one in Jackpot.objects.all()}
    for hit in sorted(Hit.objects.all(), key=lambda hit: (jackpots[hit.jackpot_id], hit.jackpot_id, hit.number)):
        facts = [one for one in (*_of_hit(books, hit), *_of_claims(books, hit), *_of_awards(books, hit)) if one.at]
        facts.sort(key=lambda one: (one.at, one.turn, books.tables[one.table_id] or LAST, one.box or 99, one.text))
        for one in facts:
            head = [jackpots[hit.jackpot_id], hit.number, one.at, one.what, books.tables[one.table_id]]
            where = [books.number(one.round_id), one.round_id, one.box, books.people[one.person_id]]
            rows.append([*head, *where, one.amount, one.state, one.text])
    return rows


def _of_hit(books: Books, hit: Hit) -> Iterator[Fact]:
    yield Fact(hit.begun_at, 0, "begun", amount=hit.shown_minor, text=hit.reason)
    yield Fact(hit.drained_at, 4, "drained")
    yield Fact(hit.ended_at, 10, f"hit_{hit.state}", text=hit.reason)
    for one in ListedRound.objects.filter(hit=hit):
        ran = books.rounds[one.round_id]
        yield Fact(hit.begun_at, 1, "listed", one.table_id, ran.pk, person_id=ran.croupier_id, state=ran.state)
    for asked in Approval.objects.filter(subject_kind="hit", subject_id=str(hit.pk)):
        yield Fact(asked.requested_at, 7, "asked", person_id=asked.requester_id, state=asked.state, text=asked.action)
        for mark in books.signed[asked.pk]:
            yield Fact(mark.signed_at, 8, "signed", person_id=mark.signer_id, text=asked.action)
    for gate in Gate.objects.filter(hit=hit):
        yield Fact(gate.made_at, 11, "gate", amount=gate.amount_minor)
        for display in GateDisplay.objects.filter(gate=gate):
            yield Fact(display.at, 11, "display", state=display.state, text=f"{display.name}: {display.shown}")


def _of_claims(books: Books, hit: Hit) -> Iterator[Fact]:
    claims = {one.pk: one for one in Claim.objects.filter(hit=hit)}
    for one in claims.values():
        where = (one.table_id, one.round_id, one.box)
        noted = ", ".join(f"{item}: {note}" for item, note in sorted((one.checklist or {}).items()))
        yield from _came(books, one, where)
        text = "; ".join(part for part in (one.reason, noted) if part)
        yield Fact(one.decided_at, 3, "decided", *where, one.decided_by_id, None, one.state, text)
    for split in Split.objects.filter(hit=hit):
        yield Fact(split.at, 5, "split", amount=split.won_minor, text=f"rev {split.revision}")
        for share in Share.objects.filter(split=split):
            of = claims[share.claim_id]
            amount = {"amount": share.share_minor, "text": f"rev {split.revision}"}
            yield Fact(split.at, 6, "share", of.table_id, of.round_id, of.box, **amount)


def _came(books: Books, claim: Claim, where: tuple[UUID, UUID, int | None]) -> Iterator[Fact]:
    """How a claim came; by a correction with who asked for that, and who signed it."""
    if claim.origin != "corrected":
        yield Fact(claim.made_at, 2, "claim", *where, claim.made_by_id, None, claim.state)
        return
    results = [one for one in RoundResult.objects.filter(round_id=claim.round_id) if one.at <= claim.made_at]
    put = max(results, key=lambda one: one.revision)
    yield Fact(claim.made_at, 2, "corrected", *where, claim.made_by_id, None, claim.state, put.reason)
    for one in Approval.objects.filter(pk=put.approval_id):
        yield Fact(one.requested_at, 7, "asked", *where, one.requester_id, None, one.state, one.action)
        for mark in books.signed[one.pk]:
            yield Fact(mark.signed_at, 8, "signed", *where, mark.signer_id, None, "", one.action)


def _of_awards(books: Books, hit: Hit) -> Iterator[Fact]:
    for one in books.awards.values():
        if one.hit_id != hit.pk:
            continue
        where = (one.table_id, one.round_id, one.box)
        yield Fact(one.at, 9, "award", *where, None, one.amount_minor, one.kind, one.reason)
        slip = books.slips[one.pk]
        yield Fact(slip.paid_at, 12, "paid", *where, slip.paid_by_id, slip.cash_minor, slip.state, f"#{slip.written}")
        for back in TakenBack.objects.filter(slip=slip):
            paid = (*where, back.paid_by_id, back.cash_minor, slip.state)
            yield Fact(back.paid_at, 12, "paid", *paid, f"#{slip.written}")
            yield Fact(back.at, 12, "taken_back", *paid, f"#{slip.written} {back.reason}")
        text = f"#{slip.written} {slip.reason}"
        yield Fact(slip.cancelled_at, 13, "cancelled", *where, None, one.amount_minor, slip.state, text)


# Payouts, slips
def payouts(books: Books) -> list[list[Any]]:
    rows = []
    waited = {
        (one.source_id, one.revision, one.place) for one in WaitingPrize.objects.all() if one.source_id == one.round_id
    }
    for one, result, lines in books.entered():
        day = books.sessions[one.session_id].gaming_day
        counts = one.state == "settled" and result.revision == one.revision
        for line in lines:
            prize = 0 if (one.pk, line.revision, line.place) in waited else line.prize_minor
            what = [
                line.box,
                line.kind,
                line.hand,
                line.won_minor + prize,
                "",
                "" if counts else "struck",
                books.people[result.entered_by_id],
            ]
            rows.append([day, result.at, "line", books.tables[one.table_id], one.number, one.pk, *what])
    for award in books.awards.values():
        slip, day = books.slips[award.pk], books.transfers[award.transfer_id].gaming_day
        what = [award.box, award.kind, "", award.amount_minor, slip.written, slip.state, books.people[slip.paid_by_id]]
        number = books.number(award.round_id)
        rows.append([day, award.at, "award", books.tables[award.table_id], number, award.round_id, *what])
    paid = [row for row in rows if row[9] > 0]
    return sorted(paid, key=lambda row: (row[0], row[1], row[3], row[5], row[6], row[7], row[2], row[9]))


def slips(books: Books) -> list[list[Any]]:
    """By number from the first to the last; what nobody has is missing."""
    there = {one.number: one for one in books.slips.values()}
    rows: list[list[Any]] = []
    for number in range(1, max(there) + 1):
        if (one := there.get(number)) is None:
            rows.append([str(number), "missing", "", *([None] * 6), "", 0, "", "", None, None, ""])
            continue
        award = books.awards[one.award_id]
        rounding = (one.cash_minor or award.amount_minor) - award.amount_minor
        late = one.paid_at is not None and books.day(one.paid_at) > one.due_on
        money = [award.amount_minor, one.cash_minor, rounding or None]
        dates = [one.made_at, one.due_on, one.paid_at, books.people[one.paid_by_id], late, one.cancelled_as]
        where = [books.tables[award.table_id], award.box, award.round_id, one.reason]
        rows.append([one.written, one.state, award.kind, *money, *dates, *where])
    return rows


# What was changed
def corrections(books: Books) -> list[list[Any]]:
    """What guests were given, from lines and stakes: stakes given back, what was won, prizes of the table; less what they put after
    the lock.
    """
    rows = [*_of_rounds(books), *_beside_rounds(books)]
    return sorted(rows, key=lambda row: (row[0], row[1], row[2], row[3] or LAST, str(row[5] or LAST), row[11]))


def _staked(round_id: UUID) -> int:
    """What was staked at the lock and after it, without what was taken back."""
    rows = list(RoundStake.objects.filter(round_id=round_id, revision=0))
    back = {row.takes_back for row in rows}
    return sum(row.accepted_minor for row in rows if not row.placed or row.placed not in back)


def _of_rounds(books: Books) -> Iterator[list[Any]]:
    waited = {(one.source_id, one.revision, one.place) for one in WaitingPrize.objects.all()}

    def given(round_id: UUID, revision: int) -> int:
        staked = _staked(round_id)
        for line in books.lines[round_id, revision]:
            staked += line.returned_minor + line.won_minor - line.stake_minor
            staked += 0 if (round_id, revision, line.place) in waited else line.prize_minor
        return staked

    for result in RoundResult.objects.filter(revision__gt=1):
        one = books.rounds[result.round_id]
        struck, stands = given(one.pk, result.revision - 1), given(one.pk, result.revision)
        who = [books.people[one.croupier_id], books.people[result.entered_by_id]]
        where = [books.tables[one.table_id], one.number, one.pk, *who]
        day = books.sessions[one.session_id].gaming_day
        yield [day, result.at, "corrected", *where, struck, stands, stands - struck, result.reason]
    for one in books.rounds.values():
        where = [books.tables[one.table_id], one.number, one.pk]
        where += [books.people[one.croupier_id], books.people[one.ended_by_id]]
        if one.state in ("voided", "reopened"):
            staked = _staked(one.pk)
            day = books.sessions[one.session_id].gaming_day
            yield [day, one.ended_at, one.state, *where, -staked, None, staked, one.reason]
        if one.state == "withdrawn":
            yield [books.day(one.ended_at), one.ended_at, "withdrawn", *where, None, None, None, one.reason]
        if one.queued:
            day, stands = books.sessions[one.session_id].gaming_day, given(one.pk, one.revision)
            where[-1] = where[-2]
            yield [day, one.locked_at, "queued", *where, None, stands, stands, ""]


def why_of(item: ReviewItem) -> str:
    """Why it was refused, with the data of that, and what somebody said to it."""
    keys = sorted(item.data, key=lambda key: (len(key), key))  # as PostgreSQL keeps them
    data = [json.dumps({key: item.data[key] for key in keys}, ensure_ascii=False)] if keys else []
    return ": ".join(part for part in (" ".join([item.code, *data]), item.reason) if part)


def _beside_rounds(books: Books) -> Iterator[list[Any]]:
    for one in ReviewItem.objects.exclude(kind="hand_end"):
        croupier = books.people[books.rounds[one.round_id].croupier_id] if one.round_id in books.rounds else ""
        where = [books.tables[one.table_id], books.number(one.round_id), one.round_id, croupier]
        who, why = one.closed_by_id or one.sent_by_id, why_of(one)
        at = one.closed_at or one.received_at
        yield [books.day(one.received_at), at, f"clarify_{one.state}", *where, books.people[who], None, None, None, why]
    for award in books.awards.values():
        if award.kind == "late":
            moved, of = books.transfers[award.transfer_id], books.rounds[award.round_id]
            where = [
                books.tables[award.table_id],
                of.number,
                of.pk,
                books.people[of.croupier_id],
                books.people[moved.actor_id],
            ]
            paid = award.amount_minor
            yield [moved.gaming_day, award.at, "late", *where, None, paid, paid, award.reason]
    for moved in books.transfers.values():
        if moved.key.startswith("adjust:"):
            rose = -sum(leg.amount_minor for leg in _legs(moved) if leg.account.kind == "meter_base")
            who = ["", None, None, "", books.people[moved.actor_id]]
            yield [moved.gaming_day, moved.posted_at, "adjusted", *who, None, rose, rose, moved.reason]
        if moved.reverses_id and moved.subject_kind not in ("round", "prize"):
            gave = sum(leg.amount_minor for leg in _legs(moved) if leg.amount_minor > 0)
            who = ["", None, None, "", books.people[moved.actor_id]]
            yield [moved.gaming_day, moved.posted_at, "reversed", *who, None, gave, gave, moved.reason]


def _legs(moved: Transfer) -> list[Entry]:
    return list(Entry.objects.filter(transfer=moved).select_related("account"))
