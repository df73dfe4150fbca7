"""The audits of seats at poker tables: quiet on sound books, and each finds and names the harm that it is for (POK-2)."""

import pytest
from pytest_django.plugin import DjangoDbBlocker

from payouts.audit import REGISTERED
from tables import services
from tables.audit.hands import HANDS, NUMBERED
from tables.audit.pots import POTS
from tables.audit.replay_hands import NAME, replay_hands
from tables.audit.stays import STAYS
from tests.databases import module_database, superuser, use
from tests.floor import done
from tests.poker import PokerRoom, deal, of_hand
from tests.tables.audits import breached, disagreeing
from tests.tables.test_audits import FREE, found_after
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
        hand = deal(self, anna, dario)
        of_hand(self, hand, "hand_correct", pot={"rake_minor": 6_00})
        deal(self, anna, dario, pot={"rake_minor": 0})
        where = {"house_id": self.house.pk, "table_id": self.raked.pk, "hand_id": hand.pk, "person_id": self.martina.pk}
        done(services.hand_irregular, **where, kind="misdeal", decision="stands", reason="seen too late")


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


# and of hands: one was corrected, of another nothing was taken
HANDS_HARMED: dict[str, set[str]] = {
    **{
        harm: {"hands_are_posted"}
        for harm in (
            "UPDATE tables_handresult SET rake_minor = 7, transfer_id = transfer_id WHERE revision = 2",
            "UPDATE tables_handresult SET transfer_id = (SELECT min(id) FROM payouts_transfer) WHERE revision = 2",
            "DELETE FROM payouts_transfer WHERE reverses_id IS NOT NULL",
            "UPDATE tables_hand SET state = 'voided' WHERE number = 1",
        )
    },
    "UPDATE payouts_transfer SET gaming_day = gaming_day + 1 WHERE subject_kind = 'hand'": {"hands_are_of_their_day"},
    "UPDATE tables_hand SET revision = 2 WHERE number = 2": {"hands_are_recorded"},
    "UPDATE tables_handresult SET dealt = ARRAY[gen_random_uuid(), gen_random_uuid()]": {"hands_are_recorded"},
    "UPDATE tables_hand SET number = 3 WHERE number = 2": {"hand_numbers_without_gap"},
    **{
        f"UPDATE tables_handirregularity SET {column} = (SELECT id FROM {harm})": {
            "hand_irregularities_are_of_their_session"
        }
        for column, harm in (
            ("session_id", "tables_tablesession WHERE id NOT IN (SELECT session_id FROM tables_hand) LIMIT 1"),
            ("house_id", "(SELECT gen_random_uuid() AS id) AS other"),
        )
    },
}


def test_sound_seats_pass_every_audit(sat: Sat) -> None:
    assert (breached(), disagreeing()) == ({}, [])
    assert found_after(sat.database, "SELECT 1", STAYS) == {}


@each("harm", HARMS)
def test_audit_names_the_harm(sat: Sat, harm: str) -> None:
    assert set(found_after(sat.database, harm, STAYS)) == HARMS[harm]


@each("harm", HANDS_HARMED)
def test_audit_names_the_harm_to_hands(sat: Sat, harm: str) -> None:
    breaches = found_after(sat.database, harm, HANDS | NUMBERED)
    assert HANDS_HARMED[harm] <= set(breaches)
    assert len(breaches) <= 2


RAKED: dict[str, str] = {  # a fee, and why it is not taken of this hand
    "SET rake_minor = 7_25 WHERE revision = 2": "result 2 is refused: poker.off_step",
    "SET rake_minor = 99_00 WHERE revision = 2": "result 2 is refused: poker.rake_above_cap",
    "SET posted_minor = 7_00, pot_minor = 200_00 WHERE revision = 2": "result 2 gives another fee",
    "SET flop = false WHERE revision = 2": "result 2 is refused: poker.rake_without_flop",
}


def test_RAK_3_hands_are_raked_again_from_their_record(sat: Sat, django_db_blocker: DjangoDbBlocker) -> None:  # noqa: N802
    with django_db_blocker.unblock(), module_database("raked_copy", sat.database) as copy, superuser(copy) as link:
        sound = replay_hands(everything=True)
        assert (sound.name, sound.breaches, sound.looked_at) == (NAME, [], 3)
        pieces = [replay_hands(everything=True, piece=(number, 2)) for number in range(2)]
        assert sum(piece.looked_at or 0 for piece in pieces) == 3
        link.execute(FREE)
        link.execute("CREATE TABLE sound AS TABLE tables_handresult")
        for harm, why in RAKED.items():
            link.execute(f"UPDATE tables_handresult {harm}")
            assert [row["why"] for row in replay_hands().breaches] == [why]
            link.execute("DELETE FROM tables_handresult")
            link.execute("INSERT INTO tables_handresult SELECT * FROM sound")
    use(sat.database)


def test_every_audit_of_seats_was_seen_to_fail_and_is_asked() -> None:
    assert set().union(*HARMS.values()) == set(STAYS)
    assert set().union(*HANDS_HARMED.values()) == {*HANDS, *NUMBERED} - {*POTS}
    assert (STAYS | HANDS | NUMBERED).items() <= REGISTERED.items()
