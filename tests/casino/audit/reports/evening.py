"""An evening with a double royal, a rejected hit, corrections, late truth, a meter put right, slips of each end, a new version.

Beside it three tables of poker: one takes a rake, one a time charge, of one the pots are entered.
"""

from datetime import date, timedelta
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.conf import settings
from django.test import Client, override_settings

from casino.people.models import Person
from jackpot import services as jackpots
from jackpot.models import Slip
from payouts import services as posted
from payouts.rules.ledger import recipes
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.paytable import UTH_TRIPS, Paytable
from payouts.rules.rulesets.schema import Posted
from tables import services
from tables.errors import RoundState, StayGone
from tables.games.poker.streets import Street
from tables.kinds import KINDS
from tables.models import Hand
from tables.services.hands.entry import PlayedHand
from tests import poker
from tests.casino.people import people
from tests.cast import make_person, post
from tests.counts import counted_twice, played_on
from tests.drops import cash_lines
from tests.floor import done, taps
from tests.jackpot.linked import dull, royal
from tests.jackpot.lived import Lived
from tests.jackpot.test_prizes import approved_correction

RICHER = Paytable.of(**{line.hand.name.lower(): str(line.odds) for line in UTH_TRIPS.lines} | {"full_house": "9:1"})
HOSTILE = '=HYPERLINK("http://x") <script>alert(1)</script> #panic("typst") "quoted"; \'single\', \\ $x^2$'


class Evening(Lived):
    """What `Lived` has, and afterwards: a late award, a correction, a meter put right, a tip and a drop; a round still runs."""

    def __init__(self, database: str) -> None:
        super().__init__(database)
        self.auditor: Person = people.make(self.house, "a.auditor", "auditor", language="en")
        self.manager: Person = people.make(self.house, "m.manager", "manager", language="de")
        self.truth()
        self.end(2, self.locked, dull())
        self.misread()
        self.corrected = self.start(0)
        self.end(0, self.corrected, taps(b1={"play": 1, "result": "win"}, b2={"result": "fold"}))
        loses = taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"})
        self.correct(self.corrected, loses, person_id=self.croupiers[0].pk, reason=HOSTILE)
        self.reopened = self.start(0)
        ids = {"house_id": self.house.pk, "person_id": self.croupiers[0].pk}
        done(services.round_reopen, **ids, round_id=self.reopened)
        self.withdrawn = uuid4()
        done(services.round_withdraw, **ids, table_id=self.tables[0].pk, round_id=self.withdrawn)
        done(
            services.review_item_record,
            house_id=self.house.pk,
            table_id=self.tables[0].pk,
            round_id=self.corrected,
            kind="settle",
            payload={"result": {}},
            refused=RoundState(state="settled"),
            person_id=self.croupiers[0].pk,
        )
        self.put_right(-1_000)
        for kind, lines in (("buy_in", recipes.buy_in(20_000)), ("tip", recipes.tip(500))):
            owners = {"house": self.house.pk, "table": self.table.pk}
            post(self.house, kind, lines, owners=owners, key=f"{kind}:evening", gaming_day=self.day)
        self.running = self.start(0, coins=2)
        done(services.table_close, house_id=self.house.pk, table_id=self.tables[2].pk, actor_id=self.reto.pk)
        self.posts()
        self.visits()

    def posts(self) -> None:
        """Trips pay more from the next gaming day on; a draft that nobody has signed lies beside it."""
        kind = KINDS["trips"]
        values = {"house_id": self.house.pk, "kind": kind, "name": "UTH Trips", "actor_id": self.tim.pk}
        richer = done(posted.posted_table_draft, **values, data=RICHER.to_data(), note=HOSTILE)
        done(posted.posted_table_draft, **values, data=UTH_TRIPS.to_data(), note="not yet")
        ids = {"table_id": richer.pk, "kind": kind}
        tomorrow = self.day + timedelta(days=1)
        richer = done(posted.posted_table_request, **ids, in_force_from=tomorrow, actor_id=self.tim.pk)
        for person in (self.manager, self.auditor):
            sign = {"signer_id": person.pk, "signer_roles": person.roles, "method": "totp"}
            done(posted.posted_table_sign, **ids, **sign, payload_hash=richer.approval.payload_hash)

    def visits(self) -> None:
        """The auditor mistypes his password, signs in, and looks at a report."""
        client = Client()
        static = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
        with override_settings(STORAGES=settings.STORAGES | static):
            people.sign_in(client, self.auditor, "wrong password")
            people.sign_in(client, self.auditor)
        assert client.get("/audit/reports/slips/?format=json").status_code == 200

    def truth(self) -> None:
        """A royal flush that was overlooked in the first hit, found by a correction that people sign, and paid by the house."""
        self.cancel(Slip.objects.get(award__kind="prize"), "unpaid")
        approved_correction(self, self.overlooked, royal("c"))
        self.late(self.overlooked, 1, 333_400)

    def misread(self) -> None:
        """A correction that people sign begins a hit, which is rejected; another table plays meanwhile and claims nothing."""
        beside = self.start(1)
        approved_correction(self, self.locked, royal("s"))
        self.end(1, beside, dull())
        self.advance()
        self.reject()
        self.confirm_all()

    def put_right(self, amount_minor: int) -> None:
        """A fault of the meter, put right by two people; displays show the new value."""
        ids = {"house_id": self.house.pk, "jackpot_id": self.jackpot.pk}
        payload = {"amount_minor": amount_minor, "reason": "a counter was wrong"}
        asked = done(jackpots.jackpot_request, **ids, action="jackpot.adjust", payload=payload, person_id=self.reto.pk)
        self.sign_plainly(asked, self.bea)
        self.sign_plainly(asked, self.ines)
        done(jackpots.jackpot_adjust, **ids, **payload, approval_id=asked.pk, actor_id=self.reto.pk)
        self.confirm_all()

    @property
    def day(self) -> date:
        """The gaming day on which all of it was."""
        return self.tables[0].sessions.get().gaming_day


class PokerEvening(Evening):
    """Hands whose pots are known, or not, one that takes less, one put right, one void, one played offline, one to be clarified; a
    second croupier; time that is paid.
    """

    also_posted: ClassVar[list[tuple[TableKind, str, Posted]]] = poker.PokerRoom.also_posted

    def __init__(self, database: str) -> None:
        super().__init__(database)
        self.raked = poker.opened(self, poker.poker_table(self))
        self.timed = poker.opened(self, poker.poker_table(self, "Poker 2", "Zeit", time_charge="Five"))
        self.stays = [poker.sit(self, seat, self.raked) for seat in (1, 4, 7)]
        self.deal()
        self.deal(pot={"rake_minor": 4_00, "pot_minor": 150_00})
        mistyped = self.deal(pot={"rake_minor": 8_00})
        poker.of_hand(self, mistyped, "hand_correct", pot={"pot_minor": 60_00})
        self.void_hand(self.deal(pot={"pot_minor": 200_00}))
        poker.at_table(self, "table_hand_over", self.raked, croupier_id=self.nora.pk)
        self.deal(person_id=self.nora.pk, pot={"rake_minor": 2_00})
        self.deal(person_id=self.nora.pk, pot={"rake_minor": 0}, queued=True)
        pair = [poker.sit(self, seat, self.timed) for seat in (1, 2)]
        poker.deal(self, *pair, pot={})
        poker.at_table(self, "time_collect", self.timed)
        by = {"house_id": self.house.pk, "table_id": self.timed.pk, "person_id": self.nora.pk}
        payload = {"dealt": [str(stay.pk) for stay in pair], "queued": True}
        came = {"round_id": UUID(int=1), "kind": "hand_end", "payload": payload, "refused": StayGone()}
        done(services.review_item_record, **by, **came)
        for stay in pair:
            poker.of_stay(self, stay, "stay_leave", counted_minor=95_00)
        poker.at_table(self, "table_close", self.timed, reason="the guest had left")
        self.entered = poker.opened(self, poker.poker_table(self, "Poker 3"))
        self.enter_pots()
        self.count()

    def count(self) -> None:
        """A table that opened on a difference, and closed; its drop is counted too."""
        self.second: Person = make_person("sina.e", "cage", house=self.house)
        self.counted = counted_twice(self)
        played_on(self, self.counted, self.bea)
        where = {"house_id": self.house.pk, "actor_id": self.cage.pk}
        box = done(services.drop_count_begin, **where, table_id=self.counted.pk)
        pieces = cash_lines({20_00: 1})
        for person in (self.cage, self.second):
            ids = {"house_id": self.house.pk, "count_id": box.pk, "counter_id": person.pk}
            done(services.drop_count_enter, **ids, lines=pieces)

    def enter_pots(self) -> None:
        """A pot of 9.00 that two share; of a second one the winner is put right."""
        poker.at_table(self, "table_entry_level_set", self.entered, entry_level="pots")
        stays = [poker.sit(self, seat, self.entered) for seat in (2, 5, 8)]
        limped = (Street(3_00), Street(), Street(), Street())
        self.end_hand(poker.pots_of(stays, *limped, winners=[[2, 8]]))
        mistyped, right = (poker.pots_of(stays, *limped, winners=[[seat]]) for seat in (5, 8))
        poker.of_hand(self, self.end_hand(mistyped), "hand_correct", entry=right)

    def end_hand(self, entry: PlayedHand) -> Hand:
        ids = {"house_id": self.house.pk, "table_id": self.entered.pk, "person_id": self.martina.pk}
        hand: Hand = done(services.hand_end, **ids, hand_id=uuid4(), entry=entry)
        return hand

    def deal(self, **values: Any) -> Hand:
        return poker.deal(self, *self.stays, **values)

    def void_hand(self, hand: Hand) -> None:
        approval = poker.of_hand(self, hand, "hand_void_request")
        self.sign_plainly(approval, self.reto)
        poker.of_hand(self, hand, "hand_void", approval_id=approval.pk)
