"""What the audits say of buy-ins and tips: nothing where they are sound, and each harm by its name."""

from tables.audit.cash import CASH
from tables.audit.grounds import GROUNDS
from tests.cash import CashFloor
from tests.tables.audits import breached, disagreeing
from tests.tables.test_audits import found_after
from tests.turns import each
from tests.worlds import for_module


class Bought(CashFloor):
    """Two buy-ins and two tips at a table, one each taken back; chips bought and given at a poker seat."""

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database = database
        for kind in ("buyin", "tip"):
            self.enter(kind, 50_00)
            self.back(self.enter(kind, 100_00))


bought = for_module(Bought)
POSTED, BACK = "entries_are_posted", "entries_are_taken_back_as_posted"
GROUND = "transfers_have_their_ground"
HARMS: dict[str, set[str]] = {
    "UPDATE tables_buyin SET amount_minor = amount_minor + 1": {POSTED},
    "UPDATE tables_tip SET amount_minor = amount_minor + 1": {POSTED},
    "UPDATE tables_tip SET house_id = gen_random_uuid()": {POSTED, BACK},
    "UPDATE tables_buyin SET transfer_id = (SELECT min(id) FROM payouts_transfer)": {POSTED, BACK},
    "UPDATE payouts_transfer SET gaming_day = gaming_day + 1 WHERE subject_kind = 'buyin'": {POSTED},
    "UPDATE tables_entryreversal SET transfer_id = (SELECT min(id) FROM payouts_transfer)": {BACK},
    "DELETE FROM tables_tip WHERE stay_chips_id IS NULL": {BACK},
}


def test_sound_entries_pass_every_audit(bought: Bought) -> None:
    assert (breached(), disagreeing()) == ({}, [])


@each("harm", HARMS)
def test_audit_names_the_harm(bought: Bought, harm: str) -> None:
    assert set(found_after(bought.database, harm, CASH)) == HARMS[harm]


def test_what_is_posted_or_taken_back_without_its_row_is_named(bought: Bought) -> None:
    """Beside what the tests post to begin with."""
    usual = found_after(bought.database, "SELECT 1", GROUNDS)[GROUND]
    for harm, transfers in (("tables_entryreversal", 2), ("tables_entryreversal; DELETE FROM tables_tip", 4)):
        named = found_after(bought.database, f"DELETE FROM {harm}", GROUNDS)[GROUND]
        assert len(named) == len(usual) + transfers


def test_every_audit_was_seen_to_fail() -> None:
    assert set().union(*HARMS.values()) >= set(CASH)
