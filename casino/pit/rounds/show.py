"""One round as it is shown: stakes, lines of every revision side by side, results, a correction
that waits.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.games import RoundScreens, round_screens_of
from casino.people.models import Person
from casino.people.permissions import CORRECT, RUN_FLOOR, VERIFY
from casino.pit.corrections import ClaimEffect, asking_bars, claim_of, result_of
from casino.pit.floor.show import clock
from casino.pit.labels import offline
from casino.pit.placements import SentPlacement, placements_shown
from casino.pit.rounds.corrected import round_differences
from casino.records.names import Names
from casino.rulesets import signers
from casino.text import floor
from casino.text.differences import Differences, differences, money_difference
from casino.text.vocabulary import IRREGULARITIES
from casino.text.wording import guest_name
from jackpot.rules.progressive import CLAIM
from jackpot.services import claims_live
from payouts.models import Approval, House
from payouts.rules.approval import role_fits
from tables.games import Ended, game_of
from tables.games.irregular import DECISIONS
from tables.models import Irregularity, Override, Round, RoundLine, RoundResult, RoundStake
from tables.selectors.rounds import CORRECTION, OVERRIDE, VOID_CLAIMED, stakes_shown
from tables.selectors.sessions import RoundParts, round_parts


class StakeRow(NamedTuple):
    """A stake with the words for what went back; `source`: the other guest with whose stake it
    goes.
    """

    stake: RoundStake
    guest: str
    source: str
    kind: str
    why: str


class Cell(NamedTuple):
    """What one revision says of one stake (minor units)."""

    paid_minor: int
    odds: str
    rule: str
    why: str


class LineRow(NamedTuple):
    """One stake through all revisions; None where a revision has no such line. `struck` is what no
    longer counts.
    """

    box: int
    guest: str
    kind: str
    stake_minor: int
    now: Cell | None
    struck: list[Cell | None]


class ResultRow(NamedTuple):
    """A result of one revision, as its game tells it, and where it came from."""

    row: RoundResult
    source: str
    told: object


class IrregularityRow(NamedTuple):
    """What went wrong, in words, and the rule by which it was decided."""

    row: Irregularity
    title: str
    decision: str
    rule: str
    cards: list[floor.DrawnCard]


class CorrectedStake(NamedTuple):
    """What a stake pays before and after a correction (minor units), and whether it won the
    jackpot, and wins it then.
    """

    box: int
    kind: str
    before: int | None
    after: int | None
    won: bool
    wins: bool


class Correction(NamedTuple):
    """The new result, and what it would make of each stake beside what counts now: `differences`
    first. `placed`: what should have come after the lock; None where that stays as it is.
    """

    differences: Differences
    told: object
    placed: list[SentPlacement] | None
    rows: list[CorrectedStake]
    before_minor: int
    after_minor: int


class Overriding(NamedTuple):
    """What management decides for a guest on a box: by the rules, and paid besides (minor
    units).
    """

    box: int
    guest: str
    rules_minor: int
    amount_minor: int


class OpenRequest(NamedTuple):
    """A request that waits for signatures: who can sign it, what it does to the jackpot; without
    `correction` and `override` it is a void. `overridden`: what was paid beside the result that a
    correction changes.

    `signed`, `own`: whether the person who looks has signed, and which part keeps them from it.
    """

    approval: Approval
    signed: bool
    own: list[str]
    signers: signers.Signers
    touches: ClaimEffect | None
    correction: Correction | None
    override: Differences | None
    overridden: list[Overriding]


class RoundDetails(NamedTuple):
    """Everything on the page of a round; `may`: what the person may do with it, by name."""

    round: Round
    parts: RoundParts
    running: str
    state: str
    offline: str
    level: str
    stakes: list[StakeRow]
    lines: list[LineRow]
    corrected: bool
    staked_minor: int
    paid_minor: int
    results: list[ResultRow]
    irregularities: list[IrregularityRow]
    overrides: list[tuple[Override, str]]
    waiting: OpenRequest | None
    claimed: bool
    may: frozenset[str]
    bars: signers.Signers | None
    told_template: str


def details(round_: Round, person: Person) -> RoundDetails:
    """A fixed number of statements."""
    parts, house = round_parts(round_id=round_.pk), round_.house
    rows, screens = _line_rows(parts, round_.revision, house), round_screens_of(round_.table.game)
    now = [row for row in rows if row.now]
    asked = next((one for one in parts.approvals if one.waits), None)
    waiting = _waiting(asked, round_, parts, screens, person) if asked else None
    claimed = claims_live(round_.pk).exists()
    coin = any(one.kind == "coin" and one.accepted_minor for one in parts.stakes)
    may = _may(round_, person, waiting, claimed=claimed, coin=coin)
    seconds = int((timezone.now() - round_.locked_at).total_seconds())
    return RoundDetails(
        round_,
        parts,
        clock(seconds) if round_.state == Round.State.LOCKED else "",
        state=floor.say(Round.State, round_.state),
        offline=offline(round_),
        level=floor.level(round_.entry_level),
        stakes=[_stake_row(one, house) for one in stakes_shown(parts.stakes)],
        lines=rows,
        corrected=round_.revision > 1,
        staked_minor=sum(row.stake_minor for row in now),
        paid_minor=sum(row.now.paid_minor for row in now if row.now),
        results=[
            ResultRow(
                one, floor.say(floor.SOURCES, one.source), screens.result_description(one.result)
            )
            for one in parts.results
        ],
        irregularities=[_irregularity(one, round_) for one in parts.irregularities],
        overrides=[(one, guest_name(one.guest.number)) for one in parts.overrides],
        waiting=waiting,
        claimed=claimed,
        may=may,
        bars=asking_bars(round_, person) if "correct" in may and coin else None,
        told_template=screens.RESULT,
    )


def _waiting(
    asked: Approval, round_: Round, parts: RoundParts, screens: RoundScreens, person: Person
) -> OpenRequest:
    corrects = asked.action == CORRECTION
    ended = result_of(round_, asked) if corrects else None
    taken = signers.taken_in([asked])
    return OpenRequest(
        asked,
        any(one.signer_id == person.pk for one in asked.signatures.all()),
        signers.part_of(person, asked, taken),
        signers.signers_of([asked], taken, signers.people_of(round_.house))[asked.pk],
        claim_of(round_, asked, person, ended),
        _correction(asked.payload, parts, screens, ended, round_.house) if corrects else None,
        _overriding(asked.payload, parts, round_.house) if asked.action == OVERRIDE else None,
        _overridden(asked.payload, parts) if corrects else [],
    )


def _overridden(payload: Mapping[str, Any], parts: RoundParts) -> list[Overriding]:
    """What management has paid besides, as it is signed with a correction."""
    guests = _guest_names(parts)
    return [
        Overriding(box=box, guest=guests.get(guest, ""), rules_minor=0, amount_minor=amount_minor)
        for box, guest, amount_minor in payload.get("overridden", [])
    ]


def _guest_names(parts: RoundParts) -> dict[str, str]:
    return {str(line.guest_id): guest_name(line.guest.number) for line in parts.lines}


def _overriding(payload: Mapping[str, Any], parts: RoundParts, house: House) -> Differences:
    """What the guest gets by the rules and by the decision."""
    guest = _guest_names(parts).get(payload["guest"], "")
    box = payload["box"]
    rules_minor = payload["rules_minor"]
    what = " · ".join(filter(None, (_("Box %(number)s") % {"number": box}, guest)))
    both = rules_minor, rules_minor + payload["amount_minor"]
    return differences([money_difference(what, *both, house)])


def _may(
    round_: Round, person: Person, waiting: OpenRequest | None, *, claimed: bool, coin: bool
) -> frozenset[str]:
    """The services decide again."""
    locked = round_.state == Round.State.LOCKED
    runs = locked and person.has_perm(RUN_FLOOR)
    fits = (
        waiting is not None and not waiting.own and role_fits(person.roles, waiting.approval.roles)
    )
    voids = waiting is not None and waiting.approval.action == VOID_CLAIMED
    offered = {
        "settle": runs,
        "call": runs and coin and not claimed and round_.jackpot_id is not None,
        "withdraw": runs and not claimed,
        "void": runs and not claimed and not voids,
        "void-ask": locked and claimed and person.has_perm(VERIFY) and waiting is None,
        "irregularity": round_.session_id is not None and person.has_perm(RUN_FLOOR),
        "correct": (
            round_.state == Round.State.SETTLED and person.has_perm(CORRECT) and waiting is None
        ),
        "override": (
            round_.state == Round.State.SETTLED and person.has_perm(CORRECT) and waiting is None
        ),
        "sign": fits and waiting is not None and not waiting.signed,
        "reject": fits or (waiting is not None and person.pk == waiting.approval.requester_id),
    }
    return frozenset(name for name, may in offered.items() if may)


def _stake_row(stake: RoundStake, house: House) -> StakeRow:
    guest = guest_name(stake.guest.number)
    kind, source = floor.say(floor.LINE_KINDS, stake.kind), stake.source
    other = guest_name(source.number) if source and source.pk != stake.guest_id else ""
    return StakeRow(stake, guest, other, kind, floor.stake_text(stake, house))


def _irregularity(row: Irregularity, round_: Round) -> IrregularityRow:
    known = game_of(round_.table.game).irregularities.get(row.kind)
    return IrregularityRow(
        row,
        floor.say(IRREGULARITIES, row.kind),
        floor.say(DECISIONS, row.decision),
        known.rule if known else "",
        floor.drawn_cards(row.card),
    )


def _line_rows(parts: RoundParts, newest: int, house: House) -> list[LineRow]:
    """Each stake once, in the order in which the first revision that has it names it; box by box.
    Of what came after the lock a guest may have several of a kind, told apart by their amounts.
    """
    later = {one.kind for one in parts.stakes if one.placed}
    by_revision: dict[int, dict[tuple[Any, ...], RoundLine]] = {
        number: {} for number in range(1, newest + 1)
    }
    order: dict[tuple[Any, ...], None] = {}
    for line in parts.lines:
        named = by_revision.setdefault(line.revision, {})
        amount = line.stake_minor if line.kind in later else 0
        same = (line.box, line.guest_id, line.kind, amount)
        # Envy for two royal flushes is two lines of one coin
        key = (*same, sum(1 for key in named if key[:4] == same))
        named[key] = line
        order.setdefault(key)
    found = []
    for key in sorted(order, key=lambda key: key[0]):
        every = [by_revision[number].get(key) for number in sorted(by_revision)]
        shown = next(line for line in reversed(every) if line is not None)
        cells = [_cell(line, house) for line in every]
        guest, kind = (
            guest_name(shown.guest.number),
            floor.say(floor.LINE_KINDS, shown.kind),
        )
        found.append(LineRow(shown.box, guest, kind, shown.stake_minor, cells[-1], cells[:-1]))
    return found


def _cell(line: RoundLine | None, house: House) -> Cell | None:
    if line is None:
        return None
    paid = line.returned_minor + line.won_minor + line.prize_minor
    return Cell(paid, line.odds, line.rule, floor.line_text(line, house))


def _correction(
    payload: Mapping[str, Any],
    parts: RoundParts,
    screens: RoundScreens,
    ended: Ended | None,
    house: House,
) -> Correction:
    current = max((line.revision for line in parts.lines), default=0)
    lines = [line for line in parts.lines if line.revision == current]
    before: dict[tuple[int, str], int] = {}
    for line in lines:
        paid = line.returned_minor + line.won_minor + line.prize_minor
        before[(line.box, line.kind)] = before.get((line.box, line.kind), 0) + paid
    after: dict[tuple[int, str], int] = {}
    for box, kind, _stake, paid in payload["lines"]:
        after[(box, kind)] = after.get((box, kind), 0) + paid
    won = {(line.box, line.kind) for line in lines if line.code == CLAIM.code}
    wins = {(box, "coin") for box in ended.claims} if ended else set()
    rows = []
    for key in sorted({*before, *after}, key=lambda key: key[0]):
        kind = floor.say(floor.LINE_KINDS, key[1])
        rows.append(
            CorrectedStake(key[0], kind, before.get(key), after.get(key), key in won, key in wins)
        )
    return Correction(
        differences=round_differences(payload, parts, screens, ended, house),
        told=screens.result_description(payload["result"]),
        placed=_placed(payload, house),
        rows=rows,
        before_minor=sum(before.values()),
        after_minor=sum(after.values()),
    )


def _placed(payload: Mapping[str, Any], house: House) -> list[SentPlacement] | None:
    if "placed" not in payload:
        return None
    placed = payload["placed"]
    stakes = RoundStake.objects.filter(round_id=payload["round"], placed__gt=0).select_related(
        "guest", "source"
    )
    return placements_shown(placed, Names.of([placed], house.pk), house, stakes)
