"""One round as it is shown: stakes, lines of every revision side by side, results, a correction that waits."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.utils import timezone

from casino.games import Screens, screens_of
from casino.people.models import Person
from casino.people.permissions import CORRECT, RUN_FLOOR, VERIFY
from casino.pit import signers
from casino.pit.corrections import asking_bars, claim_of, result_of
from casino.pit.floor.show import clock
from casino.text import floor as floor_words
from casino.text.wording import guest_name
from jackpot.rules.progressive import CLAIM
from jackpot.services import claims_live
from payouts.models import Approval, House
from payouts.rules.approval import role_fits
from tables.games import Ended
from tables.models import Round, RoundLine, RoundResult, RoundStake
from tables.selectors.rounds import CORRECTION, VOID_CLAIMED
from tables.selectors.sessions import RoundParts, round_parts


class StakeRow(NamedTuple):
    """A stake with the words for what went back."""

    stake: RoundStake
    guest: str
    kind: str
    why: str


class Cell(NamedTuple):
    """What one revision says of one stake (minor units)."""

    paid_minor: int
    odds: str
    rule: str
    why: str


class LineRow(NamedTuple):
    """One stake through all revisions; None where a revision has no such line. `struck` is what no longer counts."""

    box: int
    guest: str
    kind: str
    stake_minor: int
    now: Cell | None
    struck: list[Cell | None]


def details(round_: Round, person: Person, words: dict[str, str]) -> dict[str, Any]:
    """Everything on the page of a round; a fixed number of statements. `words`: a result form that was refused."""
    parts, house = round_parts(round_id=round_.pk), round_.house
    rows = _line_rows(parts.lines, round_.revision, house)
    waiting = next((one for one in parts.approvals if one.waits), None)
    claimed = claims_live(round_.pk).exists()
    coin = any(one.kind == "coin" and one.accepted_minor for one in parts.stakes)
    may = _may(round_, person, waiting, claimed=claimed, coin=coin)
    now, screens = [row for row in rows if row.now], screens_of(round_.table.game)
    return {
        "round": round_,
        "running": _running(round_),
        "state": floor_words.say(Round.State, round_.state),
        "level": floor_words.level(round_.entry_level),
        "stakes": [_stake_row(one, house) for one in parts.stakes],
        "lines": rows,
        "corrected": round_.revision > 1,
        "staked_minor": sum(row.stake_minor for row in now),
        "paid_minor": sum(row.now.paid_minor for row in now if row.now),
        "results": [_result_row(one, screens) for one in parts.results],
        "waiting": _asked(waiting, round_, parts, screens, person) if waiting else None,
        "claimed": claimed,
        "may": may,
        "bars": asking_bars(round_, person) if may["correct"] and coin else None,
        "form": screens.form(round_, parts, words) if may["settle"] or may["correct"] else None,
        "form_template": screens.FORM,
        "told_template": screens.TOLD,
    }


def _asked(waiting: Approval, round_: Round, parts: RoundParts, screens: Screens, person: Person) -> dict[str, Any]:
    ended = result_of(round_, waiting) if waiting.action == CORRECTION else None
    return _waiting(waiting, parts, screens, ended) | _about(waiting, round_, person, ended)


def _about(waiting: Approval, round_: Round, person: Person, ended: Ended | None) -> dict[str, Any]:
    """Who can sign what waits, why the person who looks may not, and what a correction does to the jackpot."""
    taken = signers.taken_in([waiting])
    return {
        "own": signers.part_of(person, waiting, taken),
        "signers": signers.signers_of([waiting], taken, signers.people_of(round_.house))[waiting.pk],
        "touches": claim_of(round_, waiting, person, ended),
    }


def _running(round_: Round) -> str:
    """How long a locked round has been running."""
    return clock(int((timezone.now() - round_.locked_at).total_seconds())) if round_.state == Round.State.LOCKED else ""


def _may(round_: Round, person: Person, waiting: Approval | None, *, claimed: bool, coin: bool) -> dict[str, bool]:
    """What the person may do with the round now; the services decide again."""
    runs = round_.state == Round.State.LOCKED and person.has_perm(RUN_FLOOR)
    own = bool(waiting and (person.pk == waiting.requester_id or person.pk in waiting.excluded))
    fits = bool(waiting and role_fits(person.roles, waiting.roles))
    signed = bool(waiting and any(one.signer_id == person.pk for one in waiting.signatures.all()))
    asked = bool(waiting and person.pk == waiting.requester_id)
    return {
        "settle": runs,
        "call": runs and coin and not claimed and round_.jackpot_id is not None,
        "void": runs and not claimed,
        "void_ask": round_.state == Round.State.LOCKED and claimed and person.has_perm(VERIFY) and waiting is None,
        "correct": round_.state == Round.State.SETTLED and person.has_perm(CORRECT) and waiting is None,
        "sign": fits and not own and not signed,
        "own": own,
        "signed": signed,
        "reject": asked or (fits and not own),
    }


def _stake_row(stake: RoundStake, house: House) -> StakeRow:
    guest = guest_name(stake.guest.number)
    kind = floor_words.say(floor_words.LINE_KINDS, stake.kind)
    return StakeRow(stake, guest, kind, floor_words.stake_words(stake, house))


def _line_rows(lines: Iterable[RoundLine], newest: int, house: House) -> list[LineRow]:
    """Each stake once, in the order in which the newest revision that has it names it; box by box."""
    by_revision: dict[int, dict[tuple[Any, ...], RoundLine]] = {number: {} for number in range(1, newest + 1)}
    order: dict[tuple[Any, ...], None] = {}
    for line in lines:
        named = by_revision.setdefault(line.revision, {})
        times = sum(1 for key in named if key[:3] == (line.box, line.guest_id, line.kind))
        key = (line.box, line.guest_id, line.kind, times)  # Envy for two royal flushes is two lines of one coin
        named[key] = line
        order.setdefault(key)
    found = []
    for key in sorted(order, key=lambda key: key[0]):
        every = [by_revision[number].get(key) for number in sorted(by_revision)]
        shown = next(line for line in reversed(every) if line is not None)
        cells = [_cell(line, house) for line in every]
        guest, kind = guest_name(shown.guest.number), floor_words.say(floor_words.LINE_KINDS, shown.kind)
        found.append(LineRow(shown.box, guest, kind, shown.stake_minor, cells[-1], cells[:-1]))
    return found


def _cell(line: RoundLine | None, house: House) -> Cell | None:
    if line is None:
        return None
    paid = line.returned_minor + line.won_minor + line.prize_minor
    return Cell(paid, line.odds, line.rule, floor_words.line_words(line, house))


def _result_row(result: RoundResult, screens: Screens) -> dict[str, Any]:
    source = floor_words.say(floor_words.SOURCES, result.source)
    return {"row": result, "source": source, "told": screens.told(result.result)}


def _waiting(approval: Approval, parts: RoundParts, screens: Screens, ended: Ended | None) -> dict[str, Any]:
    """What waits for signatures: of a correction, what it would make of each stake beside what counts now."""
    payload = approval.payload
    said = {
        "approval": approval,
        "seen": bytes(approval.payload_hash).hex(),
        "reason": payload["reason"],
        "signatures": list(approval.signatures.all()),
    }
    if approval.action == VOID_CLAIMED:
        return said | {"hit": payload.get("hit"), "claim": payload.get("claim")}
    current = max((line.revision for line in parts.lines), default=0)
    before: dict[tuple[int, str], int] = {}
    for line in parts.lines:
        if line.revision == current:
            paid = line.returned_minor + line.won_minor + line.prize_minor
            before[(line.box, line.kind)] = before.get((line.box, line.kind), 0) + paid
    after: dict[tuple[int, str], int] = {}
    for box, kind, _stake, paid in payload["lines"]:
        after[(box, kind)] = after.get((box, kind), 0) + paid
    won = {(line.box, line.kind) for line in parts.lines if line.revision == current and line.code == CLAIM.code}
    wins = {(box, "coin") for box in ended.claims} if ended else set()
    rows = [
        {
            "box": box,
            "kind": floor_words.say(floor_words.LINE_KINDS, kind),
            "before": before.get((box, kind)),
            "after": after.get((box, kind)),
            "won": (box, kind) in won,
            "wins": (box, kind) in wins,
        }
        for box, kind in sorted({*before, *after}, key=lambda key: key[0])
    ]
    return said | {
        "told": screens.told(payload["result"]),
        "rows": rows,
        "before_minor": sum(before.values()),
        "after_minor": sum(after.values()),
    }
