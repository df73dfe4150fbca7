"""Who can speak SQL as the app role posts cash, and the audit names what has no ground."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection

from casino.people.models import Person
from jackpot.models import Award
from tables.audit.checks import AUDITS
from tables.audit.grounds import GROUNDS, KINDS
from tables.models import StayChips
from tests.jackpot.lived import Lived
from tests.tables.audits import breached_here
from tests.tables.test_audits import found_after
from tests.turns import each
from tests.worlds import for_module

pytestmark = pytest.mark.random_order(disabled=True)  # PostgreSQL counts changed rows also when they are rolled back
lived = for_module(Lived)
GROUND, MOVES = "transfers_have_their_ground", "transfers_move_accounts_of_their_kind"
ACCOUNT = "SELECT id FROM payouts_account WHERE house_id = %s AND kind = %s AND detail_id IS NULL ORDER BY id LIMIT 1"


def post(house: object, actor: object, kinds: tuple[str, str], **header: object) -> int:
    """As the app role, by SQL alone: 500 from one account to another; the transfer's id."""
    values = {"key": f"opening:{uuid4()}", "subject_kind": "", "subject_id": None, "reason": "", "reverses": None}
    with connection.cursor() as cursor:
        accounts = []
        for kind in kinds:
            cursor.execute(ACCOUNT, [house, kind])
            accounts += cursor.fetchone()
        cursor.execute(
            "SELECT ledger_post_v1(%s, %s, current_date, %s, '{1,1}', %s::bigint[], '{500,-500}', NULL)",
            [house, actor, json.dumps([values | header], default=str), accounts],
        )
        [([transfer_id],)] = cursor.fetchall()
    return int(transfer_id)


def test_cash_that_is_posted_by_sql_is_named(lived, db):
    """Of a kind that nobody posts; in nobody's name; once the house has played; as a demo's, by a demo person beside
    real ones; for a slip that has its payment, or is open."""
    house, manager, out = lived.house.pk, lived.ines.pk, ("house_capital", "cage_cash")
    paid, unpaid = (Award.objects.filter(slip__state=state).latest("pk") for state in ("paid", "open"))
    of_slip = {"kind": "slip_paid", "subject_kind": "award"}
    Person.objects.bulk_create([Person(username="demo", roles=["cage"], house_id=house, is_demo=True)])
    ways = {
        "as a demo's": post(house, None, out, kind="capital_in", key="demo:capital_in:"),
        "of no kind": post(house, manager, out, kind="petty_cash"),
        "in nobody's name": post(house, None, out, kind="capital_in"),
        "after it played": post(house, manager, out, kind="capital_in"),
        "a second time": post(house, manager, out, **of_slip, subject_id=paid.pk, key=f"award:{paid.pk}:slip_paid:2"),
        "of an open slip": post(
            house, manager, out, **of_slip, subject_id=unpaid.pk, key=f"award:{unpaid.pk}:slip_paid"
        ),
    }
    assert {transfer_id for transfer_id, *_ in breached_here()[GROUND]} == set(ways.values())


# What is done to the rows, by somebody who can switch every guard off; each takes a transfer its ground.
HARMS = [
    "UPDATE payouts_transfer SET actor_id = NULL WHERE kind = 'slip_paid'",
    "UPDATE payouts_transfer SET house_id = gen_random_uuid() WHERE kind = 'lock'",
    "UPDATE payouts_transfer SET reverses_id = 1 WHERE kind = 'seed'",
    "DELETE FROM tables_roundstake",
    "DELETE FROM tables_roundresult",
    "DELETE FROM jackpot_takenback",
    "UPDATE jackpot_award SET transfer_id = 1 WHERE kind = 'prize'",
    "UPDATE jackpot_slip SET cash_minor = cash_minor + 5 WHERE state = 'paid'",
    "UPDATE jackpot_slip SET state = 'open', cancelled_at = NULL, cancelled_as = '' WHERE state = 'cancelled'",
    "UPDATE jackpot_hit SET house_id = gen_random_uuid() WHERE state = 'paid'",
    "UPDATE jackpot_epoch SET number = number + 10",
]


@each("harm", HARMS)
def test_a_transfer_that_has_lost_its_ground_is_named(lived, harm):
    """By the minute's audit too."""
    assert set(found_after(lived.database, harm, {name: AUDITS[name] for name in GROUNDS})) == {GROUND}


def test_a_kind_moves_no_accounts_but_its_own(lived, db):
    posted = post(lived.house.pk, lived.ines.pk, ("house_capital", "cage_cash"), kind="seed")
    assert {row[:3] for row in breached_here()[MOVES]} == {
        (posted, "seed", "house_capital"),
        (posted, "seed", "cage_cash"),
    }


APPS = ("casino", "jackpot", "payouts", "tables")
POSTS = ("recipe_post", "recipe_posting", "Posting", "_post", "post", "chips_move", "reversal_of")
AWARDED = "award_"  # with the kind of award behind it


def posted() -> Iterator[str]:
    """Every kind that a call of the product posts."""
    for path in (
        path for app in APPS for path in Path(settings.BASE_DIR, app).rglob("*.py") if "simulate" not in path.parts
    ):
        for call in (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)):
            if (getattr(call.func, "id", "") or getattr(call.func, "attr", "")) not in POSTS:
                continue
            given = [*call.args[:4], *(keyword.value for keyword in call.keywords if keyword.arg == "kind")]
            ways = [each for way in given for each in ([way.body, way.orelse] if isinstance(way, ast.IfExp) else [way])]
            texts = [str(way.value) for way in ways if isinstance(way, ast.Constant)]
            yield from (text for text in texts if re.fullmatch("[a-z_]+", text))


def test_every_kind_that_is_posted_is_known():
    """Of a stay what chips are recorded as; of awards what they are, but for a hit's, which are posted with it."""
    of_stays = {*StayChips.Kind.values} - {"moved_in", "moved_out"}
    of_awards = {AWARDED + kind for kind, _ in Award._meta.get_field("kind").choices} - {"award_share"}
    assert {*posted()} | of_stays | of_awards == {*KINDS}
