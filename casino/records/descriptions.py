"""What the books keep as data, in the reader's words: fields by their names, amounts in money,
times of the house, no codes.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.people.roles import ROLES
from casino.records import labels as record_labels
from casino.records.fields import FIELDS as ROWS
from casino.records.report_labels import LOOKED_ON
from casino.text import floor
from casino.text.alerts import ALERTS
from casino.text.clock_times import day_and_time
from casino.text.floor import colon
from casino.text.formats import format_money
from casino.text.ruleset_fields import show_value
from casino.text.rulesets import CHOICES, FIELDS
from casino.text.states import Words, labels, translated
from casino.text.vocabulary import (
    ACTIONS,
    CHECKLIST,
    DECISIONS,
    IRREGULARITIES,
    LEVELS,
    OF_GAMES,
    PLACES,
    STAKES,
    TABLES,
    VOCABULARY,
)
from casino.text.wording import worded
from jackpot.models import Phase
from payouts.errors import Refused, mark
from payouts.models import Count, House
from tables.errors import PRIZE_LACKS
from tables.games import GAMES
from tables.models.rounds import TAKEN_BACK
from tables.selectors.calls import CALL_REASONS
from tables.services.rounds.doubts import (
    FEED_DENIES,
    FEED_ENROLLED,
    FEED_OTHERWISE,
    FEED_VOIDED,
    FEED_WAITS,
    OWNER_AWAY,
    OWNER_LEFT,
)

# Names that only the log and the requests have.
LOGGED: dict[str, str] = {
    **{kind: word for game in GAMES.values() for kind, word in game.logged.items()},
    "state": mark("state"),
    "phase": mark("phase"),
    "calendar": mark("opening hours"),
    "credentials": mark("fingerprint of the sign-in"),
    "floor_rules": mark("rules of the floor"),
    "rake": mark("rake"),
    "time_charge": mark("time charge"),
    "chip_set": mark("chip set"),
    "cage_rules": mark("counts and differences"),
    "tray_float": mark("tray float"),
    "opener": mark("opener"),
    "closer": mark("closer"),
    "cards_complete": mark("all cards are there"),
    "purpose": mark("purpose"),
    "counter": mark("counter"),
    "value_minor": mark("value"),
    "recorded_minor": mark("recorded"),
    "hand_rules": mark("hand rules"),
    "box_limits": mark("limits of the boxes"),
    "funding": mark("where the coins go"),
    "progressive": mark("prizes of the jackpot"),
    "rules": mark("rules of the jackpot"),
    "jackpot_rules": mark("rules of the jackpot"),
    "offline_linked": mark("linked tables without network"),
    "carried_minor": mark("carried over"),
    "overflow_minor": mark("above the cap"),
    "shortfall_minor": mark("short of the seed"),
    "remainder_minor": mark("remainder"),
    "sum_minor": mark("whole meter"),
    "won_minor": mark("won"),
    "shown_minor": mark("shown"),
    "shown": mark("shown"),
    "cash_minor": mark("paid in cash"),
    "share_minor": mark("share"),
    "shares": mark("shares"),
    "checklist": mark("noted about the claim"),
    "code": mark("code"),
    "why": mark("why"),
    "people": mark("people"),
    "data_hash": mark("fingerprint of the data"),
    "payload_hash": mark("fingerprint of the data"),
    "sha256": mark("fingerprint of the data"),
    "words_sha256": mark("fingerprint of the words"),
    "difference": mark("difference"),
    "explanation": mark("explanation"),
    "display": mark("display"),
    "distance": mark("places away"),
    "seated": mark("seated"),
    "entry_level": mark("entry level"),
    "epoch": mark("epoch"),
    "excluded": mark("who may not sign"),
    "game": mark("game"),
    "gaming_day": mark("gaming day"),
    "gate": mark("gate of the displays"),
    "hit": mark("hit"),
    "how": mark("how"),
    "in_force_from": mark("in force from"),
    "jackpot": mark("jackpot"),
    "listed": mark("rounds that ran"),
    "number": mark("number"),
    "queued_at": mark("entered without network"),
    "origin": mark("where it came from"),
    "position": mark("place in the list"),
    "posted": mark("what is posted"),
    "rejected": mark("rejected"),
    "retired": mark("out of service"),
    "transfer_id": mark("transfer"),
    "reversal": mark("transfer that takes it back"),
    "schema": mark("form of the data"),
    "session": mark("opening"),
    "stay": mark("stay that goes on"),
    "seat": mark("seat"),
    "means": mark("paid with"),
    "counted_minor": mark("counted"),
    "difference_minor": mark("difference from what is booked"),
    "time_minor": mark("due for time"),
    "missing_minor": mark("missing at the table"),
    "half_hours": mark("half hours"),
    "began_at": mark("began"),
    "dealt": mark("dealt in"),
    "flop": mark("flop"),
    "walk": mark("everybody folded to the blind"),
    "pot_minor": mark("pot"),
    "posted_minor": mark("by the schedule"),
    "rake_minor": mark("rake"),
    "taken_minor": mark("rake put right"),
    "versions": mark("versions"),
    "active": mark("may sign in"),
    "asked": mark("asked"),
    "device": mark("device"),
    "person": mark("person"),
    "event": mark("event"),
    "format": mark("format"),
    "incarnation": mark("counted since the last restore"),
    "locked_at": mark("locked at"),
    "raised_at": mark("raised at"),
    "expires_at": mark("to be signed until"),
    "seconds": mark("seconds"),
    "subject": mark("about"),
    "tries": mark("tries"),
    "owner": mark("owner"),
    "need": mark("signatures needed"),
    "place": mark("place"),
    "claim": mark("claim"),
    "round": mark("round"),
    "hand": mark("Hand"),
    "buyin": mark("buy-in at a table"),
    "tip": mark("tip at a table"),
    "winners": mark("winners"),
    "award": mark("award"),
    "until": mark("until"),
    "from": mark("from"),
    "from_round": mark("from round"),
    "prize_lacks": mark("what a prize lacked"),
    "to": mark("to"),
    "at": mark("time"),
    "dealers": mark("croupiers"),
    "stake_minor": mark("stake"),
    "id": mark("number"),
    "count": mark("how many"),
    "entry_id": mark("entry"),
    "lists": mark("lists beside a request"),
    "next_funding": mark("where the coins go from the next epoch on"),
    "paid_minor": mark("to be paid in all"),
    "refused": mark("rejected claims"),
}
NAMES = FIELDS | PLACES | CHECKLIST | LOGGED
_WORDS: Mapping[str, Mapping[str, Any]] = {
    **OF_GAMES,
    "action": ACTIONS,
    "correction": floor.HAND_CORRECTIONS,
    "decision": DECISIONS,
    "entry_level": LEVELS,
    "game": {code: game.title for code, game in GAMES.items()},
    "how": floor.CANCELS,
    "format": LOOKED_ON,
    "kind": (
        TABLES
        | STAKES
        | floor.CAME
        | IRREGULARITIES
        | record_labels.KINDS
        | {code: one.title for code, one in ALERTS.items()}
    ),
    "method": VOCABULARY["method"],
    "offline_linked": floor.OFFLINE,
    "origin": floor.CLAIM_ORIGINS,
    "phase": labels(Phase),
    "purpose": labels(Count.Purpose),
    "reason": CALL_REASONS,
    "result": OF_GAMES["result"] | floor.RESULTS,
    "roles": {code: role.label for code, role in ROLES.items()},
    "state": VOCABULARY["state"],
    "in_force_from": {"next_epoch": mark("with the next epoch")},
    "prize_lacks": PRIZE_LACKS,
    "why": {
        OWNER_AWAY: mark("the owner sits at the box, and was entered as away"),
        OWNER_LEFT: mark("the owner has left the box since the lock, and another guest decided"),
        FEED_DENIES: mark("cards were read after the result, by which it did not end so"),
        FEED_OTHERWISE: mark("a card feed sent other cards than were read before"),
        FEED_WAITS: mark("the card feed had not read the last cards"),
        FEED_VOIDED: mark("the round had been voided when its cards were read"),
        FEED_ENROLLED: mark("the card feed was enrolled after the lock"),
        **{code: words for game in GAMES.values() for code, words in game.doubted.items()},
    },
}
# Why the system itself refused or took back something: the only text that it gives as a reason.
_REASONS: Words = {
    "password": mark("wrong password"),
    "code": mark("wrong code"),
    "locked": mark("locked after too many tries"),
    "inactive": mark("may not sign in"),
    "unknown name": mark("nobody has this name"),
    "initial password expired": mark("first password run out"),
    "taken back": mark("taken back: it was a mistake"),
    **{state.value: state.label for state in TAKEN_BACK},
}
_OWN_REASONS = floor.CLAIM_REASONS | floor.KILL_REASONS
_SHARE = re.compile(r"share ([0-9]+)")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)?")
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


def note(text: str) -> str:
    """What stands beside an entry of the books: `share 2` of an award, why a claim was dropped
    (then what was noted about it), a request is void or a sign-in was refused; everything else
    somebody has written.
    """
    if share := _SHARE.fullmatch(text):
        return _("share %(number)s") % {"number": share[1]}
    if text in _REASONS:
        return translated(_REASONS[text])
    if refused := refusal_alone(text):
        return refused
    reason, also, noted = text.partition("; ")
    if reason in _OWN_REASONS:
        said = floor.say(_OWN_REASONS, reason)
        return f"{said.removesuffix('.')}; {noted}" if also else said
    return text


def _moment(text: str) -> str:
    try:
        moment = timezone.localtime(datetime.fromisoformat(text))
    except (ValueError, OverflowError):  # what was sent only looks like one, or lies past all days
        return text
    return day_and_time(moment)


def data_text(data: object, house: House | None) -> str:
    """Data as it is kept, line by line, what is within something else moved in."""
    return "\n".join(_lines(data, "", house or House(currency="", locale=""), ""))


def named(path: str) -> str:
    """What a path is called: `lines.2.odds` is `Lines 2, Pays`."""
    labels: list[str] = []
    for name in path.split("."):
        if labels and name.isdecimal():
            labels[-1] = f"{labels[-1]} {name}"
        else:
            labels.append(_label(name))
    return capfirst(", ".join(labels))


def plainly(path: str, text: str, house: House) -> str:
    """One value that is kept as text, by its path; figures of a posted table as its page shows
    them.
    """
    name = next((name for name in reversed(path.split(".")) if not name.isdecimal()), path)
    raw: object = text
    if re.fullmatch(r"-?[0-9]+|true|false|null|\[.*\]|\{.*\}", text, re.DOTALL):
        try:
            raw = json.loads(text)
        except ValueError:  # what somebody typed only looks like it
            return text
    if isinstance(raw, Mapping):
        return ", ".join(
            colon(_label(key), plainly(key, _as_text(value), house)) for key, value in raw.items()
        )
    if isinstance(raw, int) and name in FIELDS:
        return show_value(name, raw, house)
    return _value(name, raw, house)


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def refusal(code: str, data: object, house: House) -> str:
    """The sentence of a refusal that was kept by its code, with its data."""
    sentence = _sentences().get(code)
    try:
        return (
            worded(sentence, data if isinstance(data, Mapping) else {}, house) if sentence else code
        )
    except (KeyError, ValueError, TypeError):  # kept under an older wording, whose data it lacks
        return code


def refusal_alone(code: str) -> str:
    """The sentence of a refusal of which only the code was kept: dots where its data would stand.
    Empty for any other text.
    """
    sentence = _sentences().get(code)
    return _(sentence) % defaultdict(lambda: "…") if sentence else ""


def _sentences() -> dict[str, str]:
    found: dict[str, str] = {}
    kinds = [Refused]
    while kinds:
        kind = kinds.pop()
        found.setdefault(kind.code, kind.sentence)
        kinds += kind.__subclasses__()
    return found


def _lines(data: object, name: str, house: House, indent: str) -> Iterator[str]:
    if not isinstance(data, Mapping):
        yield indent + _value(name, data, house)
        return
    for key, value in data.items():
        label = capfirst(_label(key))
        if isinstance(value, Mapping) and value:
            yield indent + colon(label, "").rstrip()
            yield from _lines(value, key, house, indent + "  ")
        elif isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
            for number, one in enumerate(value, 1):
                yield indent + colon(f"{label} {number}", "").rstrip()
                yield from _lines(one, key, house, indent + "  ")
        else:
            yield indent + colon(label, _value(key, value, house))


def _label(key: str) -> str:
    if key.isdecimal():
        return f"{_('Box')} {key}"
    if key in NAMES:
        return _(NAMES[key])
    return str(ROWS[key]) if key in ROWS else _(CHOICES.get(key, key))


def _value(name: str, value: object, house: House) -> str:
    if value is None or value in ("", [], {}):
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(_value(name, one, house) for one in value)
    if name == "lifetime_s":
        return f"{value} s"
    if isinstance(value, int):
        return (
            format_money(value, house.currency, house.locale)
            if name.endswith("_minor")
            else str(value)
        )
    text = str(value)
    if _TIME.fullmatch(text):
        return _moment(text)
    if day := _DAY.fullmatch(text):
        return f"{day[3]}.{day[2]}.{day[1]}"
    words = _WORDS.get(name, {})
    return translated(words[text]) if text in words else _(CHOICES.get(text, text))
