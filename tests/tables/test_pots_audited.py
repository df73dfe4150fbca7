"""The audits of hands at *pots*: quiet on sound books, and each finds and names the harm that it is for (POK-2, POK-6, POK-7)."""

import pytest
from pytest_django.plugin import DjangoDbBlocker

from payouts.audit import REGISTERED
from payouts.audit_recent import is_recent
from tables.audit import replay_hands as replay
from tables.audit.grounds import GROUNDS
from tables.audit.hands import HANDS
from tables.audit.pots import POTS
from tables.audit.replay_hands import HandAgain, hand_again, replay_hands
from tables.audit.stays import STAYS
from tables.games.poker.settle import PotWinners
from tables.games.poker.streets import Street
from tables.models import Hand
from tests.databases import module_database, superuser, use
from tests.poker import of_hand
from tests.tables.audits import breached, disagreeing
from tests.tables.test_audits import FREE, found_after
from tests.tables.test_hand_overrides import paid
from tests.tables.test_pots import BETS, Potted
from tests.turns import each
from tests.worlds import for_module

pytestmark = pytest.mark.random_order(disabled=True)  # PostgreSQL counts changed rows also when they are rolled back


class Audited(Potted):
    """A hand with a side pot that was corrected, and for which the house paid; one that is void after its winner lost the
    chips; and a tip.
    """

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database = database
        entry = self.entry(*BETS, winners=[[3, 7], [7]])
        assert entry.pots is not None
        corrected = self.end(entry)
        right = entry._replace(pots=entry.pots._replace(winners=(PotWinners((3,)), PotWinners((7,)))))
        paid(self, of_hand(self, corrected, "hand_correct", entry=right), 7, 20_00)
        voided = self.end(self.entry(Street(20_00, {5: 0}), winners=[[7]], button=5))
        self.end(self.entry(Street(108_00, {5: 0}), winners=[[3]], button=5))
        of_hand(self, voided, "hand_void", approval_id=self.ask(voided, "hand_void_request").pk)
        self.of(self.stays[0], "stay_chips", kind="tip", amount_minor=5_00, means="stack")


books = for_module(Audited)

PAID, STACKS, SHARES = "pots_are_paid_and_won", "stacks_move_as_played", "shares_are_pots"
OVERRIDES = "hand_overrides_are_posted"
CARRIED = "pots_are_carried"
BOUGHT, POSTED, RECORDED = "stacks_are_what_was_bought", "hands_are_posted", "hands_are_recorded"
STACK_OF = """
    UPDATE payouts_entry SET amount_minor = amount_minor + 1 WHERE transfer_id IN
    (SELECT id FROM payouts_transfer WHERE kind = '{kind}' AND reverses_id IS NULL)
    AND account_id IN (SELECT id FROM payouts_account WHERE kind = 'stack')
"""

# What is done to the rows, by somebody who can switch every guard off, by which audits must name it.
HARMED: dict[tuple[str, ...], tuple[str, ...]] = {
    (PAID, STACKS): (
        "UPDATE tables_handseat SET live_minor = live_minor + 1 WHERE seat = 5",
        "UPDATE tables_handseat SET dead_minor = dead_minor + 1 WHERE seat = 5",
        "UPDATE tables_handseat SET returned_minor = returned_minor + 1 WHERE seat = 5 AND live_minor > 0",
    ),
    (OVERRIDES,): (
        "UPDATE tables_handoverride SET amount_minor = amount_minor + 1",
        "UPDATE tables_handoverride SET seat = 5",
        "UPDATE tables_handoverride SET approval_id = gen_random_uuid()",
        "DELETE FROM tables_handoverride",
        "UPDATE payouts_transfer SET kind = 'tip' WHERE kind = 'pay_for_fault'",
    ),
    (OVERRIDES, PAID, SHARES, STACKS): ("UPDATE tables_handseat SET won_minor = won_minor + 1 WHERE won_minor > 0",),
    (PAID, SHARES, STACKS, BOUGHT): ("DELETE FROM tables_handseat WHERE seat = 3",),
    (STACKS, BOUGHT): (
        "UPDATE tables_handseat SET booked_minor = booked_minor + 1 WHERE revision = 2",
        "UPDATE tables_handseat SET stay_id = gen_random_uuid() WHERE seat = 5 AND live_minor > 0",
    ),
    (PAID, SHARES): (
        "UPDATE tables_handpot SET amount_minor = amount_minor + 1",
        "UPDATE tables_handpot SET rake_minor = rake_minor + 1 WHERE number = 2",
        "UPDATE tables_handpot SET number = 3 WHERE number = 2",
    ),
    (PAID,): (
        "DELETE FROM tables_handpot WHERE number = 2",
        "UPDATE tables_handresult SET pot_minor = pot_minor + 1",
    ),
    (PAID, CARRIED): (
        "UPDATE tables_handresult SET entered = entered || '{\"carried_minor\": 1}'",
        "UPDATE tables_handresult SET entered = entered || '{\"passed\": true}'",
    ),
    (SHARES,): (
        "UPDATE tables_handseat SET folded = true WHERE seat = 5 AND live_minor > 0",
        "UPDATE tables_handpot SET seats = ARRAY[5] WHERE number = 2",
        "UPDATE tables_handpot SET seats = ARRAY[3, 5, 7, 9] WHERE number = 1",
        "UPDATE tables_handshare SET amount_minor = amount_minor + 1",
        "UPDATE tables_handshare SET seat = 5 WHERE seat = 3",
        "UPDATE tables_handshare SET number = 2 WHERE seat = 3",
        "DELETE FROM tables_handshare",
    ),
    (PAID, POSTED, RECORDED): ("UPDATE tables_handresult SET entered = NULL",),
    (RECORDED,): ("UPDATE tables_hand SET entry_level = 'rake_only'",),
    (POSTED,): ("UPDATE payouts_transfer SET kind = 'hand_raked' WHERE kind = 'hand' AND reverses_id IS NULL",),
    (POSTED, "hands_are_of_their_day"): (
        "UPDATE payouts_transfer SET subject_id = gen_random_uuid() WHERE kind = 'hand'",
    ),
    (STACKS,): (STACK_OF.format(kind="hand"),),
    (BOUGHT,): (
        STACK_OF.format(kind="hand_cleared"),
        "UPDATE payouts_account SET balance_minor = balance_minor - 1 WHERE kind = 'stack' AND balance_minor < 0",
    ),
    (POSTED, STACKS, BOUGHT): ("UPDATE payouts_transfer SET kind = 'hand' WHERE kind = 'hand_cleared'",),
    (STACKS, BOUGHT, "stack_empty_after_leave", "stay_chips_are_posted"): (
        "UPDATE payouts_account SET detail_id = gen_random_uuid() WHERE kind = 'stack' AND balance_minor < 0",
    ),
}
HARMS = {harm: {*audits} for audits, harms in HARMED.items() for harm in harms}


def test_sound_hands_pass_every_audit(books: Audited) -> None:
    assert (breached(), disagreeing()) == ({}, [])
    assert found_after(books.database, "SELECT 1", HANDS | STAYS) == {}


@each("harm", HARMS)
def test_audit_names_the_harm_to_pots(books: Audited, harm: str) -> None:
    assert set(found_after(books.database, harm, HANDS | STAYS)) == HARMS[harm]


def test_POK_2_chips_that_a_void_hand_left_are_of_it(books: Audited) -> None:  # noqa: N802
    """A posting that leaves chips where they went is of a hand that is void, and of it alone."""
    named = []
    for harm in (
        "SELECT 1",
        "UPDATE tables_hand SET state = 'ended' WHERE state = 'voided'",
        "UPDATE payouts_transfer SET key = 'hand:x' WHERE kind = 'hand_cleared'",
    ):
        rows = found_after(books.database, harm, GROUNDS)["transfers_have_their_ground"]
        named.append("hand_cleared" in {kind for _id, kind, *_more in rows})
    assert named == [False, True, True]


REPLAYED: dict[str, str] = {  # what is entered, or recorded, and what the hand does not come to by it
    "handresult SET entered = jsonb_set(entered, '{winners,0,high}', '[7]') WHERE revision = 2": "plays to other seats",
    "handresult SET entered = jsonb_set(entered, '{button}', '4') WHERE revision = 1": "plays to other seats",
    "handresult SET entered = jsonb_set(entered, '{streets,2,folds}', '{\"7\": 0}')": "is refused: poker.winner_of_no_pot",
    "handresult SET entered = entered - 'streets' WHERE revision = 2": "is refused: poker.entry_wrong",
    "handresult SET flop = false WHERE revision = 2": "gives another fee",
    "handresult SET dealt = dealt[1:2] WHERE revision = 2": "names other seats than guests",
    "hand SET variant = 'omaha' WHERE revision = 2": "is of a variant that was not posted",
    "handseat SET stack_minor = stack_minor + 1 WHERE seat = 5 AND revision = 2": "plays to other seats",
    "handseat SET ante_minor = 1, live_minor = live_minor - 1 WHERE seat = 5 AND revision = 2": "plays to other seats",
    "handpot SET seats = ARRAY[7] WHERE number = 2 AND revision = 2": "plays to other pots",
    "handshare SET odd_minor = 0 WHERE odd_minor > 0": "plays to other shares",
    "handshare SET half = 'high' WHERE number = 2 AND revision = 2": "plays to other shares",
}


def test_POK_7_hands_are_played_again_from_their_record(books: Audited, django_db_blocker: DjangoDbBlocker) -> None:  # noqa: N802
    tables = ("hand", "handresult", "handseat", "handpot", "handshare")
    with django_db_blocker.unblock(), module_database("played_copy", books.database) as copy, superuser(copy) as link:
        sound = replay_hands(everything=True, opinion_of=1)
        assert (sound.breaches, sound.looked_at) == ([], 4)
        hand = Hand.objects.order_by("number")[0]
        assert hand_again(hand.pk) == HandAgain([], [])
        link.execute(FREE)
        link.execute("SET session_replication_role = replica")
        for table in tables:
            link.execute(f"CREATE TABLE sound_{table} AS TABLE tables_{table}")
        for harm, why in REPLAYED.items():
            link.execute(f"UPDATE tables_{harm}")
            rows = replay_hands(everything=True, opinion_of=10**6).breaches
            reasons = [str(row["why"]) for row in rows]
            assert [reason for reason in reasons if why in reason], (harm, reasons)
            of_hand_1 = {int(str(row["why"])[7]) for row in rows if row["hand_id"] == str(hand.pk)}
            assert hand_again(hand.pk).amiss == sorted(of_hand_1), harm
            for table in tables:
                link.execute(f"DELETE FROM tables_{table}")
                link.execute(f"INSERT INTO tables_{table} SELECT * FROM sound_{table}")
        assert replay_hands().breaches == []
    use(books.database)


def test_POK_6_a_hand_of_which_pokerkit_is_of_another_opinion_is_named(  # noqa: N802
    books: Audited, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all of them, or of one in so many, always the same ones."""
    monkeypatch.setattr(replay, "differs", lambda *_played: "winners")
    everything = [replay_hands(everything=True, opinion_of=of).breaches for of in (1, 2, 2)]
    assert {str(row["why"])[9:] for row in everything[0]} == {"has other winners by pokerkit"}
    sampled = [row["hand_id"] for row in everything[0] if int(str(row["hand_id"])[-1], 16) % 2 == 0]
    assert len(everything[0]) == 4
    assert [[row["hand_id"] for row in rows] for rows in everything[1:]] == [sampled, sampled]


def test_every_audit_of_pots_was_seen_to_fail_and_is_asked() -> None:
    assert {*POTS} <= set().union(*HARMS.values())
    assert POTS.items() <= REGISTERED.items()
    assert all(is_recent(name) for name in POTS)
