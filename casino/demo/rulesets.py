"""The posted tables of the demo house: all of them when it is new, and later those that newer code
needs.
"""

from casino.people.models import Person
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.rules.progressive import ProgressiveRules
from payouts.models import ApprovalRule, House, PostedState, PostedTable
from payouts.rules.approval import role_fits
from payouts.rules.rulesets.cage import CageRules
from payouts.rules.rulesets.calendar import ROUND_THE_CLOCK
from payouts.rules.rulesets.chips import ChipSet, Denomination, FloatLine, TrayFloat
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.kinds import ACTION, TableKind
from payouts.rules.rulesets.paytable import UTH_BLIND, UTH_TRIPS
from payouts.rules.rulesets.rake import RakeSchedule, TimeCharge
from payouts.rules.rulesets.schema import Posted
from payouts.selectors import gaming_day_at
from payouts.services import (
    posted_table_draft,
    posted_table_request,
    posted_table_sign,
    posted_tables_seed,
)
from tables.games.blackjack.rules import BlackjackRules
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.uth.rules import UthRules
from tables.kinds import KINDS
from tables.rules.floor import FloorRules
from tables.rules.limits import ten_table

DRAFTER = "a.gantenbein"
NOTE = "Mit einer neuen Fassung von Saalchef dazugekommen"

# Those that bank tables have too look the same: they are the same chips.
POKER_CHIPS = ChipSet(
    denominations=tuple(
        Denomination(value_minor=value, colour=colour)
        for value, colour in {
            1_00: "white",
            5_00: "red",
            25_00: "turquoise",
            100_00: "black",
            500_00: "violet",
        }.items()
    )
)

POKER_FLOAT = TrayFloat(
    lines=tuple(
        FloatLine(value_minor=value, pieces=pieces)
        for value, pieces in {1_00: 500, 5_00: 500, 25_00: 400, 100_00: 220, 500_00: 30}.items()
    )
)

# What the rules' own defaults say, under the names of the demo house.
DEMO_TABLES: tuple[tuple[TableKind, str, Posted], ...] = (
    (KINDS["blind"], "UTH Blind", UTH_BLIND),
    (KINDS["trips"], "UTH Trips", UTH_TRIPS),
    (KINDS["uth_rules"], "UTH 5–50", UthRules()),
    (KINDS["progressive"], "Bad Ragaz Progressive", ProgressiveRules()),
    (KINDS["funding"], "Bad Ragaz Progressive", FundingSchedule()),
    (KINDS["jackpot_rules"], "Bad Ragaz Progressive", JackpotRules()),
    (KINDS["box_limits"], "Box 10–500", ten_table(50_000)),
    (KINDS["blackjack_rules"], "Black Jack", BlackjackRules()),
    (KINDS["floor_rules"], "Bad Ragaz", FloorRules()),
    (KINDS["hand_rules"], "Poker", HandRules()),
    (KINDS["poker_game"], "NL 1/2", PokerGame()),
    (KINDS["poker_rules"], "Bad Ragaz", PokerRules()),
    (KINDS["rake"], "Poker", RakeSchedule(step_minor=100)),
    (KINDS["time_charge"], "Poker", TimeCharge()),
    (KINDS["chip_set"], "Bad Ragaz", ChipSet()),
    (KINDS["chip_set"], "Poker", POKER_CHIPS),
    (KINDS["tray_float"], "50 000", TrayFloat()),
    (KINDS["tray_float"], "Poker 50 000", POKER_FLOAT),
    (KINDS["cage_rules"], "Bad Ragaz", CageRules()),
    (KINDS["calendar"], "Rund um die Uhr", ROUND_THE_CLOCK),
)


def demo_posted_load(house: House) -> list[PostedTable]:
    """Post what the demo house lacks, and give it back. Its people must be there.

    A house is furnished without signatures only while it is being born. Afterwards a table comes in
    as in every house: drafted by one of its people, signed by others, whom the demo stands in for
    here as it does on the sign-in page. Where the house asks for more signatures than it has people
    nothing is posted; opening a table then says what is missing.
    """
    if not PostedTable.objects.filter(house=house).exists():
        return posted_tables_seed(house_id=house.pk, tables=DEMO_TABLES)
    released = set(
        PostedTable.objects.filter(house=house, state=PostedState.APPROVED).values_list(
            "kind", "name"
        )
    )
    missing = [row for row in DEMO_TABLES if (row[0].code, row[1]) not in released]
    if not missing:
        return []
    rule = ApprovalRule.objects.filter(house=house, action=ACTION).latest("version")
    people = Person.objects.filter(house=house, is_demo=True, is_active=True).exclude(
        username=DRAFTER
    )
    signers = [
        person for person in people.order_by("username") if role_fits(person.roles, rule.roles)
    ][: rule.signers]
    if len(signers) < rule.signers:
        return []
    drafter = Person.objects.get(username=DRAFTER)
    return [_post(house, *row, drafter, signers, rule.method) for row in missing]


def _post(
    house: House,
    kind: TableKind,
    name: str,
    posted: Posted,
    drafter: Person,
    signers: list[Person],
    method: str,
) -> PostedTable:
    """In force from the present gaming day on: there is no version yet that this day began with."""
    table = posted_table_draft(
        house_id=house.pk,
        kind=kind,
        name=name,
        data=posted.to_data(),
        note=NOTE,
        actor_id=drafter.pk,
    )
    today = gaming_day_at(house_id=house.pk) if kind.starts == "day" else None
    table = posted_table_request(
        table_id=table.pk, kind=kind, in_force_from=today, reason=NOTE, actor_id=drafter.pk
    )
    approval = table.approval
    assert approval is not None  # it was just asked for
    for signer in signers:
        table = posted_table_sign(
            table_id=table.pk,
            kind=kind,
            payload_hash=bytes(approval.payload_hash),
            signer_id=signer.pk,
            signer_roles=signer.roles,
            method=method,
        )
    return table
