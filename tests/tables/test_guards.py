"""Control tests of the floor's guards: each is taken away once, and the harm that it prevents is done (`tests/controls.py`).

As `tests/payouts/test_guards.py`, in one transaction for each guard, which is rolled back. Locks have their controls in
`tests/races/`.
"""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from payouts.models import AppendOnly
from tests import controls
from tests.controls import Guard, again, off, refused
from tests.tables.test_count_guards import GUARDS as OF_COUNTS
from tests.tables.test_difference_guards import GUARDS as OF_DIFFERENCES
from tests.tables.test_difference_guards import MODELS as EXPLAINED
from tests.turns import each

MODELS: list[Any] = [model for model in controls.money_models("tables") if model not in EXPLAINED]
TABLES = [model._meta.db_table for model in MODELS]

ROUND, TABLE, SESSION = "tables_round", "tables_table", "tables_tablesession"
HOUSE, PIT = (
    "(SELECT id FROM payouts_house WHERE name = 'Elsewhere')",
    "(SELECT id FROM tables_pit WHERE name = 'There')",
)
ELSEWHERE = (
    "INSERT INTO payouts_house (id, name, currency, locale, time_zone, gaming_day_change)"
    " VALUES (gen_random_uuid(), 'Elsewhere', 'CHF', '', 'UTC', '06:00');"
    f" INSERT INTO tables_pit (id, house_id, name, position) VALUES (gen_random_uuid(), {HOUSE}, 'There', 0)"
)
BEGUN = {"state": "'locked'", "revision": "0", "ended_at": "NULL", "ended_by_id": "NULL", "number": "99"}
PLAIN = "x.state = 'settled' AND x.jackpot_id IS NULL"  # at the table without a locked round
UNBEGUN = "ALTER TABLE tables_round DISABLE TRIGGER round_begin"
VERSION = "tables_tableversion"
UNSIGNED = off(VERSION, "table_version_guard")
APPROVAL = "(SELECT id FROM payouts_approval ORDER BY id LIMIT 1)"
SHUT = {"closed_at": "now()", "closed_by_id": "x.opened_by_id"}
BARE = {"session_id": "NULL", "jackpot_id": "NULL", "name": "'UTH 9'"}

PLACED = "x.placed = 0 AND x.kind = 'ante'"  # at the lock
LATER = {"revision": "0", "source_id": "x.guest_id", "rank": "NULL", "box": "9"}
BACK = LATER | {"accepted_minor": "0", "returned_minor": "x.offered_minor", "takes_back": "1"}
DOUBLED = again("tables_roundstake", PLACED, **LATER | {"id": "10^8::bigint", "placed": "1"})
TAKEN = again("tables_roundstake", "x.placed = 1", **BACK | {"id": "10^8::bigint + 1", "placed": "2"})

# Two guests who sit with chips, one of them with an account that has some.
STAY, CHIPS, COUNT = "tables_pokerstay", "tables_staychips", "tables_stackcount"
SEATED = (
    f"INSERT INTO {STAY} (guest_id, house_id) SELECT id, house_id FROM tables_guest WHERE left_at IS NULL LIMIT 2;"
    f" INSERT INTO {CHIPS} (house_id, stay_id, kind, means, amount_minor, transfer_id) SELECT house_id, guest_id, 'buy_in',"
    f" 'cash', 100, (SELECT min(id) FROM payouts_transfer) FROM {STAY} LIMIT 1;"
    f" INSERT INTO {COUNT} (house_id, session_id, last_hand, counted_minor, missing_minor, counted_by_id)"
    f" SELECT house_id, id, 0, 100, 0, opened_by_id FROM {SESSION} LIMIT 1"
)
STACKED = (
    "INSERT INTO payouts_account (house_id, currency, kind, owner_id, detail_id, side, balance_minor) SELECT p.house_id, 'CHF',"
    f" 'stack', s.table_id, g.id, 'credit', -1 FROM {STAY} p JOIN tables_guest g ON g.id = p.guest_id"
    f" JOIN {SESSION} s ON s.id = g.session_id"
)
STANDING = {"guest_id": f"(SELECT id FROM tables_guest EXCEPT SELECT guest_id FROM {STAY} LIMIT 1)", "key": "guest_id"}
OTHER = {"transfer_id": "(SELECT max(id) FROM payouts_transfer)"}
TIPS = {"kind": "'tip'", "means": "'chips'"}
OUT = {"kind": "'out'", "means": "''", "amount_minor": "0", "transfer_id": "NULL"}

HAND, RESULT = "tables_hand", "tables_handresult"
DEALT = (
    f"INSERT INTO {HAND} (id, house_id, table_id, session_id, number, state, revision, entry_level, variant, sent_hash,"
    " croupier_id, queued) SELECT gen_random_uuid(), house_id, table_id, id, 1, 'ended', 1, 'rake_only', 'holdem',"
    f" sha256('1'), croupier_id, false FROM {SESSION} LIMIT 1;"
    f" INSERT INTO {RESULT} (house_id, hand_id, revision, dealt, flop, walk, pot_minor, posted_minor, rake_minor, transfer_id,"
    " entered_by_id, reason) SELECT house_id, id, 1, ARRAY[gen_random_uuid(), gen_random_uuid()], true, false, 100, 5, 5,"
    f" (SELECT min(id) FROM payouts_transfer), croupier_id, '' FROM {HAND}"
)
AMISS = "tables_handirregularity"
RECORDED = (
    f"INSERT INTO {AMISS} (house_id, session_id, hand_id, kind, decision, seat, card, override, reason, recorded_by_id)"
    f" SELECT house_id, session_id, id, 'misdeal', 'stands', 1, '', false, 'seen', croupier_id FROM {HAND}"
)
PAID = "tables_handoverride"
OVERRULED = (
    f"INSERT INTO {PAID} (house_id, hand_id, revision, stay_id, seat, won_minor, amount_minor, reason, requested_by_id,"
    " approval_id, transfer_id) SELECT house_id, id, 1, (SELECT guest_id FROM tables_pokerstay LIMIT 1), 1, 0, 5, 'seen',"
    f" croupier_id, gen_random_uuid(), (SELECT max(id) FROM payouts_transfer) FROM {HAND}"
)
SIGNED = {"approval_id": "gen_random_uuid()"}
FIRST = {"transfer_id": "(SELECT min(id) FROM payouts_transfer)"}
SEAT, POT, SHARE = "tables_handseat", "tables_handpot", "tables_handshare"
POTS = (
    f"INSERT INTO {SEAT} (house_id, hand_id, revision, stay_id, seat, stack_minor, ante_minor, live_minor, dead_minor,"
    " returned_minor, won_minor, booked_minor, folded) SELECT house_id, id, 1, (SELECT guest_id FROM tables_pokerstay"
    f" ORDER BY guest_id LIMIT 1), 1, 100, 0, 50, 0, 0, 95, 45, false FROM {HAND};"
    f" INSERT INTO {POT} (house_id, hand_id, revision, number, amount_minor, rake_minor, seats)"
    f" SELECT house_id, id, 1, 1, 100, 5, ARRAY[1] FROM {HAND};"
    f" INSERT INTO {SHARE} (house_id, hand_id, revision, number, half, seat, amount_minor, odd_minor)"
    f" SELECT house_id, id, 1, 1, 'whole', 1, 95, 0 FROM {HAND}"
)
BOUGHT, GIVEN, TAKEN_BACK = "tables_buyin", "tables_tip", "tables_entryreversal"
ENTERED = "; ".join(
    f"INSERT INTO {table} (id, house_id, session_id, croupier_id, amount_minor, stay_chips_id, transfer_id) SELECT"
    f" gen_random_uuid(), c.house_id, s.id, s.croupier_id, 100, c.id, c.transfer_id FROM {CHIPS} c, {SESSION} s LIMIT 1"
    for table in (BOUGHT, GIVEN)
)
REVERSED = (
    f"INSERT INTO {TAKEN_BACK} (house_id, buy_in_id, tip_id, by_id, reason, transfer_id) SELECT house_id, id, NULL,"
    f" croupier_id, '', transfer_id FROM {BOUGHT}"
)
NO_POSTING = {BOUGHT: off(BOUGHT, "buyin_posted"), GIVEN: off(GIVEN, "tip_posted")}
POSTING = "; ".join(
    f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}"
    for table, name in ((BOUGHT, "buyin_posted"), (GIVEN, "tip_posted"), (TAKEN_BACK, "entry_taken_back"))
)
NOT_TAKEN = off(TAKEN_BACK, "entry_taken_back")
OF_TIP = {"buy_in_id": "NULL", "tip_id": f"(SELECT id FROM {GIVEN} LIMIT 1)"}
AT_TABLE = {"stay_chips_id": "NULL"}
BESIDE = {"seat": "2", "stay_id": f"(SELECT guest_id FROM {STAY} ORDER BY guest_id DESC LIMIT 1)"}
OTHER_TABLE = "(SELECT id FROM tables_table WHERE id NOT IN (SELECT table_id FROM tables_hand) LIMIT 1)"


def dropped(table: str, constraint: str) -> str:
    return f"ALTER TABLE {table} DROP CONSTRAINT {constraint}"


GUARDS = [
    Guard("pit_guard", "tables_pit", "UPDATE tables_pit SET name = 'other'"),
    Guard("pit_name_once", "tables_pit", again("tables_pit")),
    Guard("table_guard", TABLE, "UPDATE tables_table SET game = 'blackjack'"),
    Guard("table_as_its_version", TABLE, "UPDATE tables_table SET boxes = 3"),
    Guard("table_as_its_version", TABLE, "UPDATE tables_table SET session_id = NULL, version = 2, boxes = 3"),
    Guard("table_version_guard", VERSION, again(VERSION, number="2")),
    Guard("table_version_guard", VERSION, again(VERSION, number="2", approval_id=APPROVAL)),
    Guard("table_version_once", VERSION, again(VERSION), UNSIGNED),
    Guard("table_version_boxes_sane", VERSION, again(VERSION, number="2", boxes="23"), UNSIGNED),
    Guard("table_version_of_house", VERSION, again(VERSION, number="2", house_id=HOUSE, pit_id=PIT), UNSIGNED),
    Guard("table_version_pit_of_house", VERSION, again(VERSION, number="2", pit_id=PIT), UNSIGNED),
    Guard("table_name_once", TABLE, again(TABLE, **BARE | {"name": "x.name"})),
    Guard("table_boxes_sane", TABLE, again(TABLE, **BARE, boxes="23"), off(TABLE, "table_version_begin")),
    Guard("table_pit_of_house", TABLE, again(TABLE, **BARE, house_id=HOUSE), off(TABLE, "table_version_begin")),
    Guard("table_jackpot_of_house", TABLE, again(TABLE, "x.jackpot_id IS NOT NULL", session_id="NULL", house_id=HOUSE, pit_id=PIT)),
    Guard("table_session_its_own", TABLE, again(TABLE, **BARE | {"session_id": "x.session_id"})),
    Guard("table_session_guard", SESSION, "UPDATE tables_tablesession SET gaming_day = gaming_day - 1"),
    Guard("table_session_one_open", SESSION, again(SESSION)),
    Guard("table_session_level_named", SESSION, again(SESSION, **SHUT, entry_level="'Fast!'")),
    Guard("table_session_closed_by", SESSION, again(SESSION, closed_at="now()")),
    Guard("session_version_of_table", SESSION, again(SESSION, **SHUT, table_version="9"), off(SESSION, "session_of_version")),
    Guard("session_table_of_house", SESSION, again(SESSION, **SHUT, house_id=HOUSE)),
    Guard("guest_guard", "tables_guest", "UPDATE tables_guest SET number = number + 100"),
    Guard("guest_number_once", "tables_guest", again("tables_guest", box="NULL")),
    Guard("guest_one_owner_per_box", "tables_guest", again("tables_guest", number="99")),
    Guard("stay_guard", STAY, f"UPDATE {STAY} SET time_from = time_from + interval '1 day'"),
    Guard("stay_leaves_nothing", STAY, f"UPDATE {STAY} SET left_at = now()", STACKED),
    Guard("stay_continues_in_house", STAY, again(STAY, **STANDING, came_from_id="x.guest_id", house_id=HOUSE)),
    Guard("tables_pokerstay_came_from_id_key", STAY, again(STAY, **STANDING, came_from_id=(
        f"(SELECT came_from_id FROM {STAY} WHERE came_from_id IS NOT NULL)")),
          again(STAY, **STANDING, came_from_id="x.guest_id")),
    Guard("stay_chips_of_house", CHIPS, again(CHIPS, **TIPS, **OTHER, house_id=HOUSE)),
    Guard("stay_chips_known", CHIPS, again(CHIPS, **OTHER, kind="'tip'")),
    Guard("stay_chips_posted", CHIPS, again(CHIPS, **TIPS, transfer_id="NULL")),
    Guard("stay_chips_once_posted", CHIPS, again(CHIPS, **TIPS)),
    Guard("stay_chips_begin_once", CHIPS, again(CHIPS, **OTHER)),
    Guard("stay_chips_end_once", CHIPS, again(CHIPS, **OUT, id="10^8::bigint"), again(CHIPS, **OUT)),
    Guard("stack_count_sane", COUNT, again(COUNT, counted_minor="-1")),
    Guard("buyin_posted", BOUGHT, again(BOUGHT, **AT_TABLE)),
    Guard("buyin_posted", BOUGHT, again(BOUGHT, **AT_TABLE, amount_minor="5")),
    Guard("tip_posted", GIVEN, again(GIVEN, **AT_TABLE)),
    Guard("buyin_sane", BOUGHT, again(BOUGHT, **AT_TABLE, amount_minor="0"), NO_POSTING[BOUGHT]),
    Guard("buyin_sane", BOUGHT, again(BOUGHT, **AT_TABLE, box="23"), NO_POSTING[BOUGHT]),
    Guard("tip_sane", GIVEN, again(GIVEN, **AT_TABLE, amount_minor="-5"), NO_POSTING[GIVEN]),
    Guard("tables_buyin_stay_chips_id_key", BOUGHT, again(BOUGHT), NO_POSTING[BOUGHT]),
    Guard("tables_tip_stay_chips_id_key", GIVEN, again(GIVEN), NO_POSTING[GIVEN]),
    Guard("entry_taken_back", TAKEN_BACK, again(TAKEN_BACK, buy_in_id="NULL", tip_id=f"(SELECT id FROM {GIVEN})")),
    Guard("taken_back_either", TAKEN_BACK, again(TAKEN_BACK, buy_in_id="NULL"), NOT_TAKEN),
    Guard("tables_entryreversal_buy_in_id_key", TAKEN_BACK, again(TAKEN_BACK), NOT_TAKEN),
    Guard("tables_entryreversal_tip_id_key", TAKEN_BACK, again(TAKEN_BACK, **OF_TIP, id="10^8::bigint"),
          f"{NOT_TAKEN}; {again(TAKEN_BACK, **OF_TIP)}"),
    Guard("hand_guard", HAND, f"UPDATE {HAND} SET variant = 'omaha', revision = 2"),
    Guard("hand_guard", HAND, f"UPDATE {HAND} SET revision = 3"),
    Guard("hand_number_once", HAND, again(HAND)),
    Guard("hand_state_known", HAND, again(HAND, number="2", state="'lost'")),
    Guard("hand_level_known", HAND, again(HAND, number="2", entry_level="'fast'")),
    Guard("hand_table_of_house", HAND, again(HAND, number="2", house_id=HOUSE)),
    Guard("hand_session_of_table", HAND, again(HAND, number="2", table_id=OTHER_TABLE)),
    Guard("hand_irregularity_seat", AMISS, again(AMISS, seat="0")),
    Guard("hand_irregularity_of_house", AMISS, again(AMISS, house_id=HOUSE)),
    Guard("hand_override_once_by_its_approval", PAID, again(PAID, **FIRST)),
    Guard("hand_override_once_posted", PAID, again(PAID, **SIGNED)),
    Guard("hand_override_pays", PAID, again(PAID, **SIGNED, **FIRST, amount_minor="0")),
    Guard("hand_override_of_house", PAID, again(PAID, **SIGNED, **FIRST, house_id=HOUSE)),
    Guard("hand_result_once", RESULT, again(RESULT)),
    Guard("hand_result_of_house", RESULT, again(RESULT, revision="2", house_id=HOUSE)),
    Guard("hand_result_correction", RESULT, again(RESULT, revision="2", correction="'mistake'")),
    Guard("hand_result_players", RESULT, again(RESULT, revision="2", dealt="ARRAY[gen_random_uuid()]")),
    Guard("hand_result_rake", RESULT, again(RESULT, revision="2", rake_minor="6")),
    Guard("hand_result_rake_posted", RESULT, again(RESULT, revision="2", transfer_id="NULL")),
    Guard("hand_seat_once", SEAT, again(SEAT, **BESIDE | {"seat": "1"})),
    Guard("hand_stay_once", SEAT, again(SEAT, seat="2")),
    Guard("hand_seat_sane", SEAT, again(SEAT, **BESIDE, stack_minor="49")),
    Guard("hand_seat_of_house", SEAT, again(SEAT, **BESIDE, house_id=HOUSE), dropped(SEAT, "hand_seat_stay_of_house")),
    Guard("hand_seat_stay_of_house", SEAT, again(SEAT, **BESIDE, house_id=HOUSE), dropped(SEAT, "hand_seat_of_house")),
    Guard("hand_seat_of_result", SEAT, again(SEAT, revision="2")),
    Guard("hand_pot_once", POT, again(POT)),
    Guard("hand_pot_sane", POT, again(POT, number="2", rake_minor="101")),
    Guard("hand_pot_of_house", POT, again(POT, number="2", house_id=HOUSE)),
    Guard("hand_pot_of_result", POT, again(POT, revision="2")),
    Guard("hand_share_once", SHARE, again(SHARE)),
    Guard("hand_share_sane", SHARE, again(SHARE, seat="2", half="'best'")),
    Guard("hand_share_of_house", SHARE, again(SHARE, seat="2", house_id=HOUSE)),
    Guard("hand_share_of_pot", SHARE, again(SHARE, number="2")),
    Guard("round_guard", ROUND, "UPDATE tables_round SET state = 'locked', ended_at = NULL WHERE state = 'voided'",
          "ALTER TABLE tables_round DROP CONSTRAINT IF EXISTS round_one_locked; DROP INDEX IF EXISTS round_one_locked"),
    Guard("round_guard", ROUND, "UPDATE tables_round SET locked_at = now() - interval '1 hour' WHERE state = 'settled'"),
    Guard("round_guard", ROUND, "SET LOCAL session_replication_role = replica; DELETE FROM tables_round"),
    Guard("round_begin", ROUND, again(ROUND, PLAIN, number="99")),
    Guard("tables_round_pkey", ROUND, again(ROUND, PLAIN, **BEGUN | {"id": "x.id"})),
    Guard("round_number_once", ROUND, again(ROUND, PLAIN, **BEGUN | {"number": "x.number"})),
    Guard("round_one_locked", ROUND, again(ROUND, "x.state = 'locked'", number="99")),
    Guard("round_state_known", ROUND, again(ROUND, PLAIN, state="'gone'", number="99"), UNBEGUN),
    Guard("round_complete", ROUND, again(ROUND, PLAIN, **BEGUN | {"state": "'withdrawn'"})),
    Guard("round_complete", ROUND, again(ROUND, PLAIN, **BEGUN, lock_hash="NULL")),
    Guard("round_ended", ROUND, "UPDATE tables_round SET state = 'settled', revision = 1 WHERE state = 'locked'"),
    Guard("round_epoch_of_jackpot", ROUND, again(ROUND, PLAIN, **BEGUN, epoch_id="(SELECT id FROM jackpot_epoch)")),
    Guard("round_table_of_house", ROUND, again(ROUND, PLAIN, **BEGUN, house_id=HOUSE)),
    Guard("round_session_of_table", ROUND, again(ROUND, PLAIN, **BEGUN, session_id=(
        "(SELECT id FROM tables_tablesession WHERE table_id <> x.table_id)"))),
    Guard("round_stake_once", "tables_roundstake", again("tables_roundstake")),
    Guard("round_stake_adds_up", "tables_roundstake", again("tables_roundstake", box="9", returned_minor="1")),
    Guard("round_stake_placed", "tables_roundstake", again("tables_roundstake", box="9", placed="1")),
    Guard("round_stake_back", "tables_roundstake", again("tables_roundstake", PLACED, **BACK, placed="2")),
    Guard("round_stake_back", "tables_roundstake", again("tables_roundstake", "x.placed = 1", **BACK | {"box": "8"}, placed="2"),
          DOUBLED),
    Guard("round_stake_back_once", "tables_roundstake", again("tables_roundstake", "x.placed = 1", **BACK, placed="3"),
          f"{DOUBLED}; {TAKEN}"),
    Guard("round_stake_takes_back", "tables_roundstake", again("tables_roundstake", "x.placed = 1", **BACK, placed="1"),
          f"{DOUBLED}; ALTER TABLE tables_roundstake DROP CONSTRAINT round_stake_once"),
    Guard("round_result_once", "tables_roundresult", again("tables_roundresult")),
    Guard("round_result_source", "tables_roundresult", again("tables_roundresult", revision="9", source="'hope'")),
    Guard("round_line_once", "tables_roundline", again("tables_roundline")),
    Guard("round_line_sane", "tables_roundline", again("tables_roundline", place="99", returned_minor="x.stake_minor + 1")),
    Guard("irregularity_hand_of_a_box", "tables_irregularity", again("tables_irregularity", box="NULL", hand="1")),
    Guard("override_once_by_its_approval", "tables_override", again(
        "tables_override", transfer_id="(SELECT min(id) FROM payouts_transfer)")),
    Guard("override_once_posted", "tables_override", again("tables_override", approval_id="gen_random_uuid()")),
    Guard("override_pays", "tables_override", again(
        "tables_override", amount_minor="0", approval_id="gen_random_uuid()",
        transfer_id="(SELECT min(id) FROM payouts_transfer)")),
    Guard("to_clarify_guard", "tables_toclarify", "UPDATE tables_toclarify SET payload = '{}'"),
    Guard("to_clarify_guard", "tables_toclarify", "DELETE FROM tables_toclarify"),
    Guard("to_clarify_once", "tables_toclarify", again("tables_toclarify")),
    Guard("to_clarify_play_known", "tables_toclarify", again("tables_toclarify", kind="'queued'", play="'spin'")),
    Guard("to_clarify_closed", "tables_toclarify", "UPDATE tables_toclarify SET state = 'taken'"),
]  # fmt: skip
# Only there to be pointed at by a key of two columns; their first column alone is unique.
POINTED_AT = {
    "difference_of_house",
    "pit_of_house",
    "table_of_house",
    "table_session_of_table",
    "stay_of_house",
    "hand_of_house",
}
# They refuse nothing, they write: `test_changes.py`.
WRITING = {"table_version_begin", "session_of_version"}


@pytest.fixture
def link(played) -> Iterator[psycopg.Connection]:
    with controls.rolled_back(played.database) as connected:
        connected.execute(SEATED)
        connected.execute(DEALT)
        connected.execute(POTS)
        connected.execute(RECORDED)
        connected.execute(OVERRULED)
        for statement in (*NO_POSTING.values(), NOT_TAKEN, ENTERED, REVERSED, POSTING):
            connected.execute(statement)
        yield connected


@each("guard", GUARDS)
def test_guard_refuses_and_without_it_the_harm_is_done(link, guard):
    link.execute(ELSEWHERE)
    if guard.nets:
        link.execute(guard.nets)
    assert refused(link, guard.harm) == guard.name
    link.execute(guard.take_away)
    assert refused(link, guard.harm) == ""


@each("table", [one._meta.db_table for one in MODELS if issubclass(one, AppendOnly)])
@each("change", controls.CHANGES.values())
def test_row_of_an_append_only_table_stays(link, table, change):
    controls.row_stays(link, table, change)


@each("table", TABLES)
def test_table_is_not_emptied(link, table):
    controls.not_emptied(link, table)


CLOCKS = {one._meta.db_table: one._meta.get_field(one.clock).column for one in MODELS if one.clock}


@each(("table", "column"), CLOCKS.items())
def test_row_is_dated_by_the_database(link, table, column):
    controls.dated_by_the_database(link, table, column)


@each(("table", "right"), controls.forbidden("tables"))
def test_app_role_lacks_the_right(link, table, right):
    controls.lacks_the_right(link, table, right)


def test_every_guard_has_a_control():
    """A new trigger, key or check without one fails here."""
    assert controls.without_control("tables", [*GUARDS, *OF_COUNTS, *OF_DIFFERENCES], POINTED_AT | WRITING) == set()
