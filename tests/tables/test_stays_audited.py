"""The audits of seats at poker tables: quiet on sound books, and each finds and names the harm that it is for (POK-2)."""

import pytest

from payouts.audit import REGISTERED
from tables.audit.stays import STAYS
from tests.poker import PokerRoom
from tests.tables.audits import breached, disagreeing
from tests.tables.test_audits import found_after
from tests.turns import each
from tests.worlds import for_module

pytestmark = pytest.mark.random_order(disabled=True)  # PostgreSQL counts changed rows also when they are rolled back


class Sat(PokerRoom):
    """Guests who tipped, paid for time, moved, paused, left."""

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database = database
        anna, beat, carla, dario = (self.sit(seat) for seat in (1, 2, 3, 4))
        self.of(anna, "stay_chips", kind="tip", amount_minor=2_00, means="chips")
        self.of(beat, "stay_leave", counted_minor=90_00)
        self.of(dario, "stay_away")
        self.of(carla, "stay_move", table_id=self.timed.pk, seat=3, counted_minor=105_00)
        self.at_table("time_collect", self.timed)


sat = for_module(Sat)

# What is done to the rows, by somebody who can switch every guard off, and which audits must name it.
HARMS: dict[str, set[str]] = {
    "UPDATE tables_pokerstay SET left_at = now()": {
        "stack_empty_after_leave", "stays_sit_at_open_tables", "in_play_empty"},
    "UPDATE payouts_account SET balance_minor = balance_minor - 1 WHERE kind = 'stack' AND balance_minor < 0": {
        "stacks_are_what_was_bought"},
    "UPDATE payouts_account SET balance_minor = -1 WHERE kind = 'stack' AND balance_minor = 0": {"stack_empty_after_leave"},
    "UPDATE payouts_account SET balance_minor = 1 WHERE kind = 'in_play' AND balance_minor = 0 AND NOT EXISTS"
    " (SELECT FROM tables_tablesession WHERE table_id = owner_id)": {"in_play_empty"},
    "UPDATE tables_guest SET left_at = now()": {"stays_sit_at_open_tables"},
    "UPDATE tables_guest SET left_at = NULL": {"stays_sit_at_open_tables"},
    "UPDATE tables_tablesession SET closed_at = now(), closed_by_id = opened_by_id": {"stays_sit_at_open_tables"},
    "UPDATE tables_staychips SET amount_minor = amount_minor + 1 WHERE kind = 'buy_in'": {
        "stay_chips_are_posted", "stacks_are_what_was_bought"},
    **{
        harm: {"stay_chips_are_posted"}
        for harm in (
            *(f"UPDATE tables_staychips SET amount_minor = amount_minor + 1 WHERE kind = '{kind}'"
              for kind in ("tip", "time", "out", "moved_out")),
            "DELETE FROM tables_staychips WHERE kind = 'tip'",
            "UPDATE tables_staychips SET means = 'chips' WHERE kind = 'buy_in'",
            "UPDATE payouts_transfer SET kind = 'top_up' WHERE kind = 'tip'",
        )
    },
    "UPDATE payouts_transfer SET gaming_day = gaming_day + 1 WHERE kind = 'tip'": {"stays_post_at_their_table"},
    "UPDATE payouts_account SET owner_id = gen_random_uuid() WHERE kind = 'tronc'": {"stays_post_at_their_table"},
    "UPDATE payouts_entry SET amount_minor = amount_minor + 1 WHERE transfer_id IN (SELECT id FROM payouts_transfer"
    " WHERE kind = 'time') AND account_id IN (SELECT id FROM payouts_account WHERE kind = 'tray')": {"fees_are_chips"},
}  # fmt: skip


def test_sound_seats_pass_every_audit(sat: Sat) -> None:
    assert (breached(), disagreeing()) == ({}, [])
    assert found_after(sat.database, "SELECT 1", STAYS) == {}


@each("harm", HARMS)
def test_audit_names_the_harm(sat: Sat, harm: str) -> None:
    assert set(found_after(sat.database, harm, STAYS)) == HARMS[harm]


def test_every_audit_of_seats_was_seen_to_fail_and_is_asked() -> None:
    assert set().union(*HARMS.values()) == set(STAYS)
    assert STAYS.items() <= REGISTERED.items()
