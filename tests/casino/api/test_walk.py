"""Every address of the API × every method × everybody who may knock × own ids, another table's, another house's and unknown ones.

The table below says who gets what. An address without a row fails, so nobody adds one without saying who may ask there. Each call
sends a body that the command takes, and is taken back again, so that every row stands on the same ground.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from casino.api import urls
from casino.people.roles import CODES
from casino.tablet import api
from jackpot.models import Slip
from jackpot.services.slips import cash_amount
from tables.models import TableSession
from tests.casino.api.callers import NO_ID, Caller
from tests.casino.api.ground import FUNDED, Ground, undone
from tests.casino.devices import devices
from tests.floor import POSTED, stakes_for, taps
from tests.jackpot.linked import CHECKLIST
from tests.turns import each

METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace")
SCOPES = ("own", "other", "foreign", "unknown")
TABLETS = frozenset({"tablet of the croupier", "tablet of the pit boss"})
FEED = frozenset({"feed"})
BOOKS = frozenset({"auditor", "surveillance", "manager", "manager of all houses"})
PIT_BOSS = frozenset({"pit_boss"})
BOSSES = PIT_BOSS | {"tablet of the pit boss"}
TECHNICIAN = frozenset({"technician"})
SEE = BOOKS | BOSSES | TECHNICIAN
APPROVE = BOOKS | BOSSES | TECHNICIAN
CAGE = frozenset({"cage"})
MANAGERS = frozenset({"manager", "manager of all houses"})
VERIFY = BOSSES | MANAGERS
CORRECT = BOSSES | {"tablet of the croupier", "manager", "manager of all houses"}
FEW = frozenset({"nobody", "pit_boss", "tablet of the croupier", "feed"})


@dataclass(frozen=True)
class Row:
    """Who gets in, and with which status at his own table; `other`: with ids of another table of the house, from the office.

    `body`: what a command takes (by scope). From a device, other tables are unknown (404), unless `whole_house` says otherwise.
    """

    who: frozenset[str]
    own: int = 200
    other: int | None = None
    body: Callable[[Ground, str], Any] | None = None
    whole_house: bool = False
    distant: bool = False  # what is named is never at the devices' table
    round: str = "locked"  # the own round that is named


def nothing(_ground: Ground, _scope: str) -> dict[str, Any]:
    return {}


def proves(_ground: Ground, _scope: str) -> dict[str, Any]:
    """By a PIN that is nobody's."""
    return {"secret": "000000"}


def plays(ground: Ground, scope: str) -> dict[str, Any]:
    """Stakes of guests of the table that the scope means."""
    if scope == "other":
        return {"stakes": stakes_for(ground.others[:2])}
    return {"stakes": stakes_for(ground.guests[:2], coins=2)}  # as the running round was locked: the same lock again


def ends(_ground: Ground, _scope: str) -> dict[str, Any]:
    return {"result": taps(b1={"result": "fold"}, b2={"result": "fold"})}


def doubles(ground: Ground, _scope: str) -> dict[str, Any]:
    return {"placement": {"box": 1, "guest": str(ground.guests[0].pk), "act": "double"}}


def corrects(_ground: Ground, _scope: str) -> dict[str, Any]:
    return {"result": taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"}), "reason": "mistyped"}


def begins(ground: Ground, scope: str) -> dict[str, Any]:
    return {"number": 1, "dealt": hands(ground, scope)["dealt"]}


def hands(ground: Ground, _scope: str) -> dict[str, Any]:
    return {"dealt": [str(stay.pk) for stay in ground.dealt], "rake_minor": 4_00}


def hand_corrects(ground: Ground, scope: str) -> dict[str, Any]:
    return hands(ground, scope) | {"revision": 1, "reason": "mistyped"}


def says(_ground: Ground, _scope: str) -> dict[str, Any]:
    return {"reason": "seen on camera 4"}


def deals(ground: Ground, _scope: str) -> dict[str, Any]:
    return {"croupier": str(ground.floor.nora.pk)}


def smaller(ground: Ground, scope: str) -> dict[str, Any]:
    table = ground.floor.other if scope == "other" else ground.floor.table
    place = {"pit": str(table.pit_id), "name": table.name, "position": table.position}
    return place | {"boxes": 5, "posted": table.posted, "retired": False}


def cash(slip: Slip) -> int:
    return cash_amount(slip.award.amount_minor, "CHF")


TABLE: dict[tuple[str, str], Row] = {
    ("pits/", "get"): Row(SEE | TABLETS),
    ("pits/", "post"): Row(TECHNICIAN, body=lambda _g, _s: {"name": "Pit 2"}),
    ("croupiers/", "get"): Row(BOSSES),
    ("posted-tables/", "get"): Row(BOOKS | TECHNICIAN),
    ("tables/", "get"): Row(SEE | TABLETS),
    ("tables/", "post"): Row(
        TECHNICIAN,
        body=lambda g, _s: {"pit": str(g.floor.pit.pk), "name": "UTH 9", "game": "uth", "boxes": 5, "posted": POSTED},
    ),
    ("tables/<table_id>/", "get"): Row(SEE | TABLETS | FEED),
    ("tables/<table_id>/surface/", "get"): Row(SEE | TABLETS),
    ("tables/<table_id>/free-seats/", "get"): Row(SEE | TABLETS, own=422),  # a poker table's
    ("tables/<table_id>/floor-call/", "post"): Row(TABLETS | PIT_BOSS, body=lambda _g, _s: {"reason": "dispute"}),
    ("tables/<table_id>/link/", "post"): Row(
        TECHNICIAN, own=409, other=200, body=lambda g, _s: {"jackpot": str(g.floor.jackpot.pk)}
    ),  # a round is running at the own table
    ("tables/<table_id>/versions/", "get"): Row(SEE),
    ("tables/<table_id>/change/", "post"): Row(TECHNICIAN, own=409, body=smaller),  # opened before
    ("tables/<table_id>/change-request/", "post"): Row(
        TECHNICIAN, body=lambda g, s: smaller(g, s) | {"reason": "a smaller layout"}
    ),
    ("tables/<table_id>/open/", "post"): Row(BOSSES, own=409, body=deals),
    ("tables/<table_id>/close/", "post"): Row(BOSSES, own=409, other=200, body=says),
    ("tables/<table_id>/hand-over/", "post"): Row(BOSSES, body=deals),
    ("tables/<table_id>/entry-level/", "post"): Row(
        BOSSES, own=409, other=200, body=lambda _g, _s: {"entry_level": "full_cards"}
    ),
    ("tables/<table_id>/guests/", "get"): Row(SEE | TABLETS),
    ("tables/<table_id>/guests/", "post"): Row(TABLETS | PIT_BOSS, body=nothing),
    ("tables/<table_id>/counts/", "post"): Row(  # no chips are named there
        TABLETS | PIT_BOSS, own=409, body=lambda _g, _s: {"purpose": "spot"}
    ),
    ("counts/", "get"): Row(BOOKS | BOSSES | CAGE),
    ("counts/<count_id>/", "get"): Row(BOOKS | BOSSES | CAGE | TABLETS, distant=True),
    ("counts/<count_id>/enter/", "post"): Row(
        TABLETS | PIT_BOSS, own=422, distant=True, body=lambda _g, _s: {"lines": [], "secret": "000000"}
    ),
    ("counts/<count_id>/witness/", "post"): Row(
        TABLETS | PIT_BOSS | MANAGERS,
        own=422,
        distant=True,
        body=lambda _g, _s: {"entry": 1, "ok": True, "secret": "000000"},
    ),
    ("counts/<count_id>/give-up/", "post"): Row(TABLETS | PIT_BOSS, own=409, distant=True, body=nothing),
    ("tables/<table_id>/drop-counts/", "post"): Row(CAGE | MANAGERS, own=422, body=proves),
    ("drops/", "get"): Row(CAGE | MANAGERS),
    ("drop-counts/<drop_id>/", "get"): Row(CAGE | MANAGERS),
    ("drop-counts/<drop_id>/enter/", "post"): Row(
        CAGE | MANAGERS, own=422, body=lambda g, s: {"lines": []} | proves(g, s)
    ),
    ("drop-counts/<drop_id>/witness/", "post"): Row(
        CAGE | MANAGERS, own=422, body=lambda g, s: {"entry": 3, "ok": True} | proves(g, s)
    ),
    ("drop-counts/<drop_id>/give-up/", "post"): Row(CAGE | MANAGERS, own=422, body=proves),
    **{
        (f"tables/<table_id>/{place}/", "post"): Row(
            TABLETS | PIT_BOSS, body=lambda _g, _s: {"id": str(uuid4()), "amount_minor": 20_00}
        )
        for place in ("buy-ins", "tips")
    },
    **{
        (f"{place}/take-back/", "post"): Row(TABLETS | PIT_BOSS, distant=True, body=says)
        for place in ("buy-ins/<buyin_id>", "tips/<tip_id>")
    },
    ("tables/<table_id>/queued-rounds/", "post"): Row(
        TABLETS | PIT_BOSS, body=lambda g, s: {"rounds": [{"round": str(uuid4()), **plays(g, s), **ends(g, s)}]}
    ),
    ("tables/<table_id>/rounds/<round_id>/lock/", "post"): Row(TABLETS | PIT_BOSS, body=plays),
    ("tables/<table_id>/rounds/<round_id>/withdraw/", "post"): Row(  # its stakes went back: it says so, however late
        TABLETS | PIT_BOSS, other=409, body=nothing, round="voided"
    ),
    ("tables/<table_id>/stays/", "post"): Row(  # a poker table's: neither is one
        TABLETS | PIT_BOSS, own=422, body=lambda _g, _s: {"seat": 5, "amount_minor": 100_00, "means": "cash"}
    ),
    ("tables/<table_id>/stacks/", "post"): Row(TABLETS | PIT_BOSS, own=422, body=lambda _g, _s: {"stacks": {}}),
    ("tables/<table_id>/time/", "post"): Row(TABLETS | PIT_BOSS, own=422, body=lambda _g, _s: {"means": "stack"}),
    ("tables/<table_id>/roll/", "post"): Row(BOSSES, own=422, body=nothing),
    ("stays/<stay_id>/chips/", "post"): Row(
        TABLETS | PIT_BOSS,
        distant=True,
        body=lambda _g, _s: {"kind": "top_up", "amount_minor": 100_00, "means": "cash"},
    ),
    ("stays/<stay_id>/away/", "post"): Row(TABLETS | PIT_BOSS, distant=True, body=nothing),
    ("stays/<stay_id>/back/", "post"): Row(TABLETS | PIT_BOSS, distant=True, body=nothing),
    ("stays/<stay_id>/move/", "post"): Row(TABLETS | PIT_BOSS, distant=True, body=lambda _g, _s: {"seat": 5}),
    ("stays/<stay_id>/leave/", "post"): Row(
        TABLETS | PIT_BOSS, distant=True, body=lambda _g, _s: {"counted_minor": 120_00}
    ),
    ("tables/<table_id>/hands/<hand_id>/end/", "post"): Row(TABLETS | PIT_BOSS, own=409, body=hands),  # a poker table's
    ("tables/<table_id>/hands/<hand_id>/begin/", "post"): Row(TABLETS | PIT_BOSS, own=422, body=begins),
    ("tables/<table_id>/irregularities/", "post"): Row(  # a poker table's
        TABLETS | PIT_BOSS, own=422, body=lambda g, s: {"kind": "conduct", "decision": "warned"} | says(g, s)
    ),
    ("hands/<hand_id>/", "get"): Row(SEE | TABLETS, distant=True),
    ("hands/<hand_id>/correct/", "post"): Row(CORRECT, own=422, distant=True, body=hand_corrects),
    ("hands/<hand_id>/correction-request/", "post"): Row(CORRECT, distant=True, body=hand_corrects),
    ("hands/<hand_id>/void/", "post"): Row(
        CORRECT, own=404, distant=True, body=lambda g, s: {"revision": 1, "approval": NO_ID} | says(g, s)
    ),
    ("hands/<hand_id>/void-request/", "post"): Row(
        CORRECT, distant=True, body=lambda g, s: {"revision": 1} | says(g, s)
    ),
    ("hands/<hand_id>/override-request/", "post"): Row(
        VERIFY,
        own=409,
        distant=True,
        body=lambda g, s: {"revision": 1, "stay": NO_ID, "amount_minor": 5} | says(g, s),
    ),
    ("guests/<guest_id>/move/", "post"): Row(
        TABLETS | PIT_BOSS, body=lambda _g, _s: {"box": None, "seated": False, "distance": 2}
    ),
    ("guests/<guest_id>/leave/", "post"): Row(TABLETS | PIT_BOSS, body=nothing),
    ("rounds/", "get"): Row(SEE | TABLETS),
    ("rounds/<round_id>/", "get"): Row(SEE | TABLETS),
    ("rounds/<round_id>/settle/", "post"): Row(TABLETS | PIT_BOSS, other=409, body=ends),
    ("rounds/<round_id>/place/", "post"): Row(TABLETS | PIT_BOSS, own=422, other=409, body=doubles),
    ("rounds/<round_id>/take-back/", "post"): Row(TABLETS | PIT_BOSS, own=409, body=lambda _g, _s: {"placed": 1}),
    ("rounds/<round_id>/irregularities/", "post"): Row(
        TABLETS | PIT_BOSS,
        body=lambda g, s: {"kind": "cards_exposed", "decision": "play_on", "box": 1, "card": "Ah"} | says(g, s),
    ),
    ("rounds/<round_id>/reopen/", "post"): Row(TABLETS | PIT_BOSS, own=409, body=nothing, round="voided"),
    ("rounds/<round_id>/void/", "post"): Row(BOSSES, other=409, body=says),
    ("rounds/<round_id>/correct/", "post"): Row(CORRECT, own=409, other=422, body=corrects),
    ("rounds/<round_id>/correction-request/", "post"): Row(CORRECT, own=409, other=200, body=corrects),
    ("rounds/<round_id>/override-request/", "post"): Row(
        VERIFY,
        own=409,
        other=200,
        body=lambda g, s: {"box": 1, "guest": str(g.others[0].pk), "amount_minor": 5} | says(g, s),
    ),
    ("rounds/<round_id>/cards/", "post"): Row(FEED, body=lambda _g, _s: {"cards": {"dealer": "3c 4c"}}),
    ("rounds/<round_id>/call/", "post"): Row(TABLETS | PIT_BOSS, other=409, body=nothing),
    ("rounds/<round_id>/void-request/", "post"): Row(VERIFY, other=409, body=says),
    ("rounds/<round_id>/late-award-request/", "post"): Row(
        VERIFY, own=409, other=422, body=lambda g, s: {"box": 1, "amount_minor": 5} | says(g, s)
    ),
    ("to-clarify/", "get"): Row(SEE),
    ("to-clarify/<clarify_id>/take/", "post"): Row(BOSSES, own=404, other=422, body=says),
    ("to-clarify/<clarify_id>/dismiss/", "post"): Row(BOSSES, body=says),
    ("tables/<table_id>/to-clarify/close/", "post"): Row(BOSSES, other=409, body=says),
    ("jackpots/", "get"): Row(SEE | TABLETS),
    ("jackpots/", "post"): Row(TECHNICIAN, own=409, body=lambda _g, _s: {"name": "Third", **FUNDED}),
    ("jackpots/create-request/", "post"): Row(TECHNICIAN, body=lambda _g, _s: {"name": "Third", **FUNDED}),
    ("jackpots/<jackpot_id>/", "get"): Row(SEE, whole_house=True),
    ("jackpots/<jackpot_id>/meters/", "get"): Row(SEE),
    ("jackpots/<jackpot_id>/parameters/", "post"): Row(
        TECHNICIAN, own=409, body=lambda _g, _s: {"offline_linked": "play_flagged"}
    ),  # a round runs; a hit is looked at
    ("jackpots/<jackpot_id>/suspend-request/", "post"): Row(VERIFY | TECHNICIAN, body=says),
    ("jackpots/<jackpot_id>/resume-request/", "post"): Row(VERIFY, own=409, body=says),  # none is suspended, nor closed
    ("jackpots/<jackpot_id>/adjust-request/", "post"): Row(VERIFY, body=lambda g, s: {"amount_minor": -5} | says(g, s)),
    ("jackpots/<jackpot_id>/retire-request/", "post"): Row(
        MANAGERS,
        own=409,
        body=lambda g, s: {"to": str(g.floor.jackpot.pk if s == "other" else g.second.pk)} | says(g, s),
    ),
    ("jackpots/<jackpot_id>/close/", "post"): Row(VERIFY, own=409, body=says),  # a round runs; a hit is looked at
    ("jackpots/<jackpot_id>/reopen/", "post"): Row(VERIFY, own=409, body=nothing),
    ("jackpots/<jackpot_id>/displays/", "get"): Row(SEE),
    ("jackpots/<jackpot_id>/displays/", "post"): Row(
        TECHNICIAN,
        other=409,  # a hit is looked at
        body=lambda g, s: {"display": str(g.display_other.pk if s == "other" else g.spare.pk)},
    ),
    ("jackpots/<jackpot_id>/displays/<display_id>/add-request/", "post"): Row(VERIFY | TECHNICIAN, body=nothing),
    ("jackpots/<jackpot_id>/displays/<display_id>/out-request/", "post"): Row(VERIFY, body=says),
    ("hits/", "get"): Row(SEE),
    ("hits/<hit_id>/", "get"): Row(SEE),
    ("hits/<hit_id>/reject-request/", "post"): Row(VERIFY, own=409, body=says),  # paid; a claim of it is open
    ("claims/<claim_id>/verify/", "post"): Row(
        VERIFY, own=409, other=200, body=lambda _g, _s: {"checklist": CHECKLIST}
    ),
    ("claims/<claim_id>/refuse/", "post"): Row(VERIFY, own=409, other=200, body=says),
    ("prizes/<prize_id>/request/", "post"): Row(VERIFY, own=409, body=says),  # dropped
    ("slips/", "get"): Row(SEE | CAGE),
    ("slips/<slip_id>/", "get"): Row(SEE | CAGE, whole_house=True),
    ("slips/<slip_id>/pay/", "post"): Row(
        CAGE, whole_house=True, body=lambda g, _s: {"cash_minor": cash(g.slip), "secret": devices.PIN}
    ),
    ("slips/<slip_id>/take-back/", "post"): Row(
        CAGE, own=409, whole_house=True, body=lambda g, s: {"secret": devices.PIN} | says(g, s)
    ),  # to be paid
    ("slips/<slip_id>/cancel-request/", "post"): Row(
        VERIFY, whole_house=True, body=lambda g, s: {"how": "unpaid"} | says(g, s)
    ),
    ("approvals/", "get"): Row(APPROVE),
    ("approvals/<approval_id>/", "get"): Row(APPROVE, whole_house=True),
    ("approvals/<approval_id>/sign/", "post"): Row(
        APPROVE, own=422, whole_house=True, body=lambda _g, _s: {"payload_hash": "0" * 64, "secret": "000000"}
    ),
    ("approvals/<approval_id>/reject/", "post"): Row(
        APPROVE, own=422, whole_house=True, body=lambda g, s: {"secret": "000000"} | says(g, s)
    ),
}
PARTS = (
    "table",
    "round",
    "guest",
    "clarify",
    "jackpot",
    "approval",
    "hit",
    "claim",
    "slip",
    "display",
    "prize",
    "stay",
    "buyin",
    "tip",
    "hand",
    "count",
    "drop",
)
PAGES = {"schema/", "docs/"}  # for whoever is signed in at the office


def patterns() -> dict[str, Any]:
    """Every address, ids as `<table_id>`."""
    return {str(one.pattern).replace("<uuid:", "<"): one for one in [*urls.urlpatterns, *api.urlpatterns]}


def ids(ground: Ground) -> dict[str, dict[str, object]]:
    """What the scopes mean: ids of the tablets' own table, of another table of the house, of another house, and none."""
    floor, foreign = ground.floor, ground.foreign
    return {
        "own": {
            "table_id": floor.table.pk,
            "round_id": floor.locked,
            "guest_id": ground.guests[6].pk,
            "clarify_id": ground.clarify.pk,
            "jackpot_id": floor.jackpot.pk,
            "approval_id": ground.approval.pk,
            "hit_id": ground.claim.hit_id,
            "claim_id": ground.claim.pk,
            "slip_id": ground.slip.pk,
            "display_id": ground.display.pk,
            "prize_id": ground.prize.pk,
            "stay_id": ground.stay.pk,
            "buyin_id": ground.buyin.pk,
            "tip_id": ground.tip.pk,
            "hand_id": ground.hand.pk,
            "count_id": ground.count.pk,
            "drop_id": ground.drop.pk,
        },
        "other": {
            "table_id": floor.other.pk,
            "round_id": floor.plain,
            "guest_id": ground.others[6].pk,
            "clarify_id": ground.clarify_other.pk,
            "jackpot_id": ground.second.pk,
            "approval_id": ground.approval.pk,
            "hit_id": ground.claim_other.hit_id,
            "claim_id": ground.claim_other.pk,
            "slip_id": ground.slip.pk,
            "display_id": ground.display_other.pk,
            "prize_id": ground.prize_other.pk,
            "stay_id": ground.stay.pk,
            "buyin_id": ground.buyin.pk,
            "tip_id": ground.tip.pk,
            "hand_id": ground.hand.pk,
            "count_id": ground.count.pk,
            "drop_id": ground.drop.pk,
        },
        "foreign": {
            "table_id": foreign.table.pk,
            "round_id": foreign.locked,
            "guest_id": foreign.guest.pk,
            "clarify_id": foreign.clarify.pk,
            "jackpot_id": foreign.jackpot.pk,
            "approval_id": foreign.approval.pk,
            "hit_id": foreign.claim.hit_id,
            "claim_id": foreign.claim.pk,
            "slip_id": foreign.slip.pk,
            "display_id": foreign.display.pk,
            "prize_id": foreign.prize.pk,
            "stay_id": foreign.stay.pk,
            "buyin_id": foreign.buyin.pk,
            "tip_id": foreign.tip.pk,
            "hand_id": foreign.hand.pk,
            "count_id": foreign.count.pk,
            "drop_id": foreign.drop.pk,
        },
        "poker": {"table_id": ground.poker.pk, "stay_id": ground.stay.pk},
        "raked": {"table_id": ground.raked.pk, "hand_id": ground.hand.pk},
        "unknown": dict.fromkeys((f"{one}_id" for one in PARTS), NO_ID),
    }


def callers(ground: Ground) -> dict[str, Caller]:
    """Everybody who may knock, by the words of the table."""
    return {
        "nobody": ground.without(),
        "half signed in": ground.half,
        **ground.offices,
        "manager of all houses": ground.chief,
        "tablet of the croupier": ground.tablet,
        "tablet of the pit boss": ground.reto,
        "feed": ground.feed,
    }


def expected(pattern: str, method: str, name: str, scope: str) -> int:
    """The status that the table says."""
    row = TABLE.get((pattern, "get" if method == "head" else method))
    if not knows(pattern, name):
        return 401
    if row is None:
        return 403 if name == "feed" else 405
    if name not in row.who:
        return 403
    named = "<" in pattern
    if name == "manager of all houses":
        if method == "post":
            return 403  # he acts in none of them
        return 404 if named and scope == "unknown" else row.own
    unreached = name in TABLETS | FEED and not row.whole_house and (scope == "other" or row.distant)
    elsewhere = scope in ("foreign", "unknown") or unreached
    if named and elsewhere:
        return 404
    return row.own if scope == "own" or row.other is None else row.other


def knows(pattern: str, name: str) -> bool:
    """Whether the address knows this kind of caller: a feed where the table names it, and nobody else where cards are sent."""
    if name == "feed":
        return any(row.who >= FEED for (path, _method), row in TABLE.items() if path == pattern)
    return name not in ("nobody", "half signed in") and pattern != "rounds/<round_id>/cards/"


def scopes_of(pattern: str, method: str, name: str) -> tuple[str, ...]:
    """Whose ids are tried: all four by who may ask; who may not is refused for his own and for another house's alike."""
    row = TABLE.get((pattern, "get" if method == "head" else method))
    if row is None or "<" not in pattern:
        return ("own",)
    return SCOPES if name in row.who else ("own", "foreign")


def call(ground: Ground, name: str, caller: Caller, method: str, pattern: str, scope: str) -> tuple[int, Any]:
    """One call, and taken back; gives status and, for a refusal, the body."""
    row, named = TABLE.get((pattern, method)), ids(ground)[scope]
    if row and scope == "own":
        named["round_id"] = getattr(ground.floor, row.round)
    address = pattern
    for part, value in named.items():
        address = address.replace(f"<{part}>", str(value))
    headers = caller.headers | {"Idempotency-Key": str(uuid4())}
    query = f"?table={ids(ground)['own']['table_id']}" if pattern == "rounds/" and method in ("get", "head") else ""
    body = json.dumps(row.body(ground, scope) if row and row.body else {})
    with undone():
        response = caller.client.generic(
            method.upper(),
            f"/api/{address}{query}",
            body if method == "post" else "",
            "application/json",
            headers=headers,
        )
    return response.status_code, response


def test_every_address_and_method_is_in_the_table_and_nothing_else() -> None:
    there = set()
    for pattern, one in patterns().items():
        if pattern not in PAGES:
            there |= {(pattern, method) for method in ("get", "post") if hasattr(one.callback.view_class, method)}
    assert there == set(TABLE)
    assert set(patterns()) > PAGES


@each("pattern", [one for one in patterns() if one not in PAGES])
def test_everybody_gets_what_the_table_says(ground: Ground, pattern: str) -> None:
    wrong = []
    everybody = callers(ground)
    for method in METHODS:
        there = (pattern, method) in TABLE  # a method that is not there is so for all ids, and asked by a few
        for name in everybody if there else FEW:
            for scope in scopes_of(pattern, method, name):
                caller, wanted = everybody[name], expected(pattern, method, name, scope)
                got, response = call(ground, name, caller, method, pattern, scope)
                if got != wanted:
                    wrong.append(
                        f"{name} {method} {pattern} ({scope}): {got} instead of {wanted} {response.content[:200]}"
                    )
                if got >= 400 and method != "head":
                    problem = response.json()
                    if response["Content-Type"] != "application/problem+json" or problem["status"] != got:
                        wrong.append(f"{name} {method} {pattern} ({scope}): no problem document")
    assert wrong == []


def test_lists_show_no_row_of_another_house_or_table(ground: Ground) -> None:
    text = {scope: {str(one) for one in found.values()} for scope, found in ids(ground).items()}
    foreign = text["foreign"]
    others = text["other"] - text["own"] - {str(ground.second.pk)}
    for pattern in ("pits/", "tables/", "jackpots/", "to-clarify/", "approvals/", "rounds/", "hits/", "slips/"):
        for name, caller in callers(ground).items():
            if name not in TABLE[pattern, "get"].who:
                continue
            query = {"gaming_day": ground.day} if pattern == "rounds/" else {}
            found = json.dumps(caller.get(pattern, **query)[1])
            if name == "manager of all houses":
                assert any(one in found for one in foreign) or pattern == "pits/", pattern
            else:
                assert not [one for one in foreign if one in found], (name, pattern)
            if name in TABLETS:
                assert not [one for one in others if one in found], (name, pattern)


def test_no_filter_shows_a_row_of_another_house_or_table(ground: Ground) -> None:
    tables, jackpots = (ground.foreign.table, ground.floor.other), (ground.foreign.jackpot, ground.second)
    filters = {
        ("rounds/", "table"): [one.pk for one in tables],
        ("rounds/", "session"): [TableSession.objects.get(table=one, closed_at=None).pk for one in tables],
        ("hits/", "jackpot"): [one.pk for one in jackpots],
    }
    for (pattern, name), (foreign, other) in filters.items():
        for who in TABLE[pattern, "get"].who:
            shown = [callers(ground)[who].get(pattern, **{name: one})[1]["results"] for one in (foreign, other)]
            assert bool(shown[0]) == (who == "manager of all houses"), (pattern, name, who)
            assert bool(shown[1]) == (who not in TABLETS), (pattern, name, who)


def test_pages_of_the_api_are_for_whoever_is_signed_in(ground: Ground) -> None:
    for page in sorted(PAGES):
        for name in ("nobody", "half signed in", "feed", "tablet of the croupier"):
            caller = callers(ground)[name]
            answer = caller.client.get(f"/api/{page}", headers=caller.headers)
            led = (302, "/sign-in/?next=/api/docs/") if page == "docs/" else (401, None)  # a page, and a document
            assert (answer.status_code, answer.headers.get("Location")) == led, (page, name)
        for role in CODES:
            assert ground.offices[role].client.get(f"/api/{page}").status_code == 200
            assert ground.offices[role].client.post(f"/api/{page}").status_code == 405
