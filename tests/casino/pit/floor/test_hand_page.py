"""Poker in the pit: the page of a hand and what is signed there, the page of a table, its tile, its pace (RAK-1, RAK-2)."""
# ruff: noqa: N802 - tests are named after the rules

import re
from typing import ClassVar

from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.audit.hands import hand_file
from casino.pit import alert_rules
from casino.pit.board import read
from payouts.models import Approval
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.schema import Posted
from tables.games.poker.rules import PokerGame
from tables.games.poker.showdown import TableCards
from tables.games.poker.streets import Street
from tables.games.poker.variants import HORSE
from tables.models import Hand
from tests.casino.pit.desk import get
from tests.casino.pit.differences import signed_lines
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.poker import GAME, PokerRoom, at_table, deal, of_stay, opened, poker_table, pots_of, sit
from tests.tables.pot_cases import end as pots_end
from tests.worlds import world


class HandDesk(FloorDesk):
    """At a poker table of three guests a hand of two of them has ended, with a rake of 5.00."""

    def __init__(self) -> None:
        super().__init__()
        self.poker = opened(self, poker_table(self))
        self.stays = [sit(self, seat, self.poker) for seat in (1, 2, 3)]
        self.hand = deal(self, *self.stays[:2])
        self.path = f"hands/{self.hand.pk}/"

    def page(self, who: str) -> str:
        return words(self.get(who, self.path))

    def sign(self, who: str, approval: Approval, status: int = 302) -> str:
        seen = bytes(approval.payload_hash).hex()
        return self.post(who, f"{self.path}sign/", status, approval=approval.pk, seen=seen, secret=self.pin(who))


@world(HandDesk)
def test_a_hand_is_put_right_and_voided_when_another_person_signs(desk: HandDesk) -> None:
    first, _second, third = (f"dealt__{stay.pk}" for stay in desk.stays)
    late = sit(desk, 5, desk.poker)  # was not there while the hand was played
    offered = desk.get("boss", desk.path)
    assert [f"dealt.{stay.pk}" in offered for stay in (desk.stays[2], late)] == [True, False]
    entered = {first: "on", third: "on", "flop": "on", "reason": "seen on camera"}
    refused = desk.post("boss", f"{desk.path}correct/", REFUSED, **entered, pot="80", rake="4.50 or so")
    assert "“4.50 or so” is no amount in CHF." in words(refused)
    assert ('value="80"' in refused, refused.count("checked")) == (True, 3)  # nothing typed is lost
    desk.post("boss", f"{desk.path}correct/", **entered, pot="80")
    approval = Approval.objects.get()
    assert "To be signed 1" in words(desk.get("second")).replace("(", "").replace(")", "")
    assert f'href="/floor/{desk.path}#asked-{approval.pk}"' in desk.get("second")
    assert "You asked for it. Somebody else looks at it and signs." in desk.page("boss")
    looked = desk.page("second")
    assert signed_lines(desk.get("second", desk.path)) == [
        "Dealt in, by seat: 1 (Guest 1), 2 (Guest 2) → 1 (Guest 1), 3 (Guest 3)",
        "Pot: – → CHF 80.00, +80.00",
        "By the schedule: – → CHF 4.00, +4.00",
        "Rake: CHF 5.00 → CHF 4.00, −1.00",
    ]
    assert "What stays as it is (1) Flop dealt" in looked
    assert "The hand does not count" not in looked
    desk.sign("boss", approval, 403)
    assert desk.sign("second", approval) == f"/floor/{desk.path}"
    desk.post("second", f"{desk.path}void/", revision=1, status=REFUSED, reason="a card twice in the deck")
    desk.post("second", f"{desk.path}void/", revision=2, reason="a card twice in the deck")
    desk.sign("boss", Approval.objects.get(action="poker.void"))
    hand = Hand.objects.get()
    results = list(hand.results.order_by("revision").values_list("dealt", "pot_minor", "rake_minor"))
    one, two, three = (stay.pk for stay in desk.stays)
    assert (hand.state, results) == ("voided", [([one, two], None, 5_00), ([one, three], 80_00, 4_00)])
    assert desk.get("watch", desk.path).count("<del>CHF\xa04.00</del>") == 2  # nothing counts any more


@world(HandDesk)
def test_POK_9_the_pit_records_what_went_wrong_in_a_hand_or_between_two(desk: HandDesk) -> None:
    table = f"tables/{desk.poker.pk}/"
    spoke = {"what": "conduct:warned", "seat": "3", "reason": "spoke of a live hand"}
    amiss = desk.post("boss", f"{desk.path}irregularity/", REFUSED, what="conduct:later", reason="typed")
    assert "“Conduct: collusion, advice, talk about a live hand” is not decided as “later”." in words(amiss)
    desk.post("boss", f"{desk.path}irregularity/", **spoke | {"otherwise": "dead"})
    desk.post("boss", f"{table}irregularity/", **spoke)
    of_hand = desk.page("watch")
    between = words(desk.get("watch", table))
    collusion = "Conduct: collusion, advice, talk about a live hand:"
    assert f"{collusion} dead POK-9 decided otherwise than the rule Seat 3 Each plays alone" in of_hand
    assert f"{collusion} warned POK-9 Seat 3 Each plays alone for himself." in between
    assert (f"{collusion} warned" in of_hand, f"{collusion} dead" in between) == (False, False)
    assert [f"{desk.path}irregularity/" in desk.get(who, desk.path) for who in ("boss", "watch")] == [True, False]


class PotsDesk(HandDesk):
    """At a table of *pots* seat 1 has won the main pot and the side pot by its cards; the next hand has ended."""

    def __init__(self) -> None:
        FloorDesk.__init__(self)
        self.poker = opened(self, poker_table(self))
        at_table(self, "table_entry_level_set", self.poker, entry_level="pots")
        self.stays = [sit(self, seat, self.poker, minor) for seat, minor in ((1, 100_00), (2, 50_00), (3, 100_00))]
        cards = TableCards("2h 7d 9h Js Kd", {1: "As Ad", 2: "3c 4d", 3: "5c 6d"})
        self.hand = pots_end(self, pots_of(self.stays, Street(80_00), winners=[[1], [1]], cards=cards))
        pots_end(self, pots_of([self.stays[0], self.stays[2]], Street(5_00), winners=[[3]]))
        self.path = f"hands/{self.hand.pk}/"


@world(PotsDesk)
def test_POK_9_the_pit_asks_for_other_winners_of_pots(desk: PotsDesk) -> None:
    """Ticked pot by pot; what is refused stays ticked, and chips are not carried once the next hand has ended."""
    offered = desk.get("boss", desk.path)
    ticks = [f"won.{pot}.high.{seat}" for pot, seats in ((1, (1, 2, 3)), (2, (1, 3))) for seat in seats]
    assert re.findall(r'name="(won\.[^"]+)"', offered) == ticks
    assert re.findall(r'name="(won\.[^"]+)"[^>]* checked', offered) == ["won.1.high.1", "won.2.high.1"]
    ticked = {"won__1__high__2": "on", "won__2__high__3": "on", "reason": "seen on camera", "revision": 1}
    late = desk.post("boss", f"{desk.path}correct-pots/", REFUSED, **ticked, correction="award_moved")
    assert "The next hand has ended: the pot of hand 1 lies in the" in words(late)
    assert re.findall(r'name="(won\.[^"]+)"[^>]* checked', late) == ["won.1.high.2", "won.2.high.3"]
    nobody = desk.post(
        "boss", f"{desk.path}correct-pots/", REFUSED, reason="typed", revision=1, correction="entry_wrong"
    )
    assert "has no winner" in words(nobody)
    desk.post("boss", f"{desk.path}correct-pots/", **ticked, correction="entry_wrong")
    assert "only the book was wrong" in desk.page("second")
    asked_for = signed_lines(desk.get("second", desk.path))
    assert [line.partition(":")[0] for line in asked_for] == [f"Seat {seat} · Guest {seat}" for seat in (1, 2, 3)]
    assert re.fullmatch(r"Seat 2 · Guest 2: CHF 0\.00 → CHF (\d+\.\d\d), \+\1", asked_for[1])
    assert re.fullmatch(r"Seat 1 · Guest 1: CHF (\d+\.\d\d) → CHF 0\.00, −\1", asked_for[0])
    desk.sign("second", Approval.objects.get())
    won = dict(desk.hand.seats.filter(revision=2).values_list("seat", "won_minor"))
    main, side = (pot.amount_minor - pot.rake_minor for pot in desk.hand.pots.filter(revision=2).order_by("number"))
    assert won == {1: 0, 2: main, 3: side}
    boards = desk.hand.results.order_by("revision").values_list("entered__board", flat=True)
    assert [*boards] == ["2h 7d 9h Js Kd", ""]  # the cards said otherwise


@world(PotsDesk)
def test_POK_9_management_pays_for_a_pot_that_cannot_be_got_back(desk: PotsDesk) -> None:
    paid = {"stay": str(desk.stays[1].pk), "amount": "120", "revision": 1, "reason": "pushed to seat 1"}
    above = desk.post("boss", f"{desk.path}override/", REFUSED, **paid | {"amount": "900"})
    main = desk.hand.pots.get(number=1)
    most = f"CHF {(main.amount_minor - main.rake_minor) / 100:.2f}"
    assert f"In this hand seat 2 could have won {most} more at most, and would be paid CHF 900.00." in words(above)
    assert 'value="900"' in above  # nothing typed is lost
    desk.post("boss", f"{desk.path}override/", **paid)
    assert "Payment for a fault to be signed" in desk.page("boss")
    paid = signed_lines(desk.get("second", desk.path))
    assert paid == ["Seat 2 · Guest 2: CHF 0.00 → CHF 120.00, +120.00"]
    desk.sign("boss", Approval.objects.get(), 403)
    desk.sign("second", Approval.objects.get())
    paid_for = "Seat 2 POK-9 Won by the hand: CHF 0.00 Paid besides: CHF 120.00 pushed to seat 1"
    assert paid_for in desk.page("watch")
    void = {"revision": 1, "reason": "a card twice in the deck"}
    desk.post("boss", f"{desk.path}void/", **void)
    assert "Management has paid CHF 120.00 besides, Seat 2. It stays paid." in desk.page("second")
    recorded = hand_file(Hand.objects.select_related("table", "session").get(pk=desk.hand.pk))["recorded"]
    overrides = recorded["overrides"]  # type: ignore[index, call-overload]
    assert [(row["seat"], row["won_minor"], row["amount_minor"]) for row in overrides] == [(2, 0, 120_00)]


class RoomDesk(FloorDesk):
    """A poker table with a rake, and one where half hours are paid; both with guests."""

    also_posted = PokerRoom.also_posted

    def __init__(self) -> None:
        super().__init__()
        self.raked = opened(self, poker_table(self))
        self.timed = opened(self, poker_table(self, "Poker 2", "Zeit", time_charge="Five"))
        self.stays = [sit(self, seat, self.raked) for seat in (4, 2)]
        self.guest = sit(self, 9, self.timed, 120_00)


class HorseDesk(FloorDesk):
    """A poker table that plays five variants in turn, with two guests."""

    HORSE_GAME = PokerGame(
        variants=HORSE, limit="split", small_bet_minor=2_00, big_bet_minor=4_00, bring_in_minor=1_00, seats=8
    )
    also_posted: ClassVar[list[tuple[TableKind, str, Posted]]] = [(GAME, "HORSE", HORSE_GAME)]

    def __init__(self) -> None:
        super().__init__()
        self.horse = opened(self, poker_table(self, "Poker 1", "HORSE"))
        self.stays = [sit(self, seat, self.horse) for seat in (4, 2)]


@world(HandDesk)
def test_the_set_up_page_links_no_poker_table_and_asks_for_its_seats(desk: HandDesk) -> None:
    page = desk.get("tech", "set-up/")
    assert {*re.findall(r'name="linked" value="([^"]+)"', page)} == {str(desk.table.pk), str(desk.other.pk)}
    assert ("Seats (2 to 10)" in page, "Boxes (1 to 7)" in page) == (True, True)


@world(RoomDesk)
def test_POK_2_the_floor_counts_the_stacks_and_the_level_changes(desk: RoomDesk) -> None:
    where, (four, two) = f"tables/{desk.raked.pk}/", (f"stack.{stay.pk}" for stay in desk.stays)
    deal(desk, *desk.stays)  # a rake of 5.00
    assert "Before guests, by the books CHF 200.00 In play CHF -5.00 On the table together CHF 195.00" in words(
        desk.get("boss", where)
    ).replace("\N{MINUS SIGN}", "-")
    assert "Count the stacks" not in desk.get("watch", where)
    level = {"status": REFUSED, "entry_level": "pots"}
    assert "Count all stacks, and change the level before the next hand." in desk.post(
        "boss", f"{where}level/", **level
    )
    off = desk.post("boss", f"{where}count/", REFUSED, **{two: "60", four: "134"})
    assert "Counted are CHF 194.00, and the books have CHF 195.00 on the table" in words(off)
    assert 'value="134"' in off  # nothing typed is lost
    desk.post("boss", f"{where}count/", **{two: "60", four: "134", "missing": "1"})
    desk.post("boss", f"{where}count/", **{two: "62", four: "134", "missing": "\N{MINUS SIGN}1"})
    desk.post("boss", f"{where}level/", entry_level="pots")
    assert "On the table together CHF 195.00" in words(desk.get("boss", where))


@world(RoomDesk)
def test_a_poker_table_lists_who_sits_there_and_its_hands(desk: RoomDesk) -> None:
    """And so does a session that is over: then who sat there."""
    hands = [deal(desk, *desk.stays, pot={"pot_minor": pot}) for pot in (100_00, 60_00)]
    of_stay(desk, desk.stays[0], "stay_away")
    path = f"tables/{desk.raked.pk}/"
    page = desk.get("boss", path)
    text = words(page)
    assert re.search(r"2 Guest 2 \d\d:\d\d CHF 100.00 – 4 Guest 1 away since \d\d:\d\d \d\d:\d\d CHF 100.00 – ", text)
    assert re.search(r"2 \S+ ended 2 60.00 3.00 Martina 1 \S+ ended 2 100.00 5.00 Martina 2 hands together 8.00", text)
    assert "Hands today 2" in text
    assert "Fees today CHF 8.00" in text
    assert [f'href="/floor/hands/{hand.pk}/"' in page for hand in hands] == [True, True]
    assert "Seat at box" not in text  # guests come with a buy-in
    assert re.search(r"9 Guest 1 \d\d:\d\d CHF 120.00 CHF 5.00", words(desk.get("watch", f"tables/{desk.timed.pk}/")))
    at_table(desk, "time_collect", desk.timed, stay_ids=None, means="stack")
    text = words(desk.get("watch", f"tables/{desk.timed.pk}/"))
    assert re.search(r"9 Guest 1 \d\d:\d\d CHF 120.00 paid until \d\d:\d\d", text)
    for stay in desk.stays:
        of_stay(desk, stay, "stay_leave", counted_minor=96_00)
    at_table(desk, "table_close", desk.raked)
    text = words(desk.get("boss", path))
    assert "2 Guest 2 left" in text
    assert "2 hands together 8.00" in text


@world(RoomDesk)
def test_the_tile_of_a_poker_table_says_seats_hands_rake_and_time_unpaid(desk: RoomDesk, monkeypatch) -> None:
    """However many such tables there are, by as many statements."""
    for old, new in (
        (f"interval '{read.PACE_FROM_S} seconds'", "interval '0 seconds'"),
        ("extract(epoch FROM clock_timestamp() - s.opened_at)", "3600"),
    ):
        assert old in read._LIVE
        monkeypatch.setattr(read, "_LIVE", read._LIVE.replace(old, new))
    for pot in (100_00, 60_00):
        deal(desk, *desk.stays, pot={"pot_minor": pot})
    get(desk)
    with CaptureQueriesContext(connection) as few:
        page = words(get(desk).content.decode())
    assert "2 of 9 seats taken 2 /h hands an hour rake 8 /h an hour Result today +8" in page
    assert "1 of 9 seat taken" not in page
    assert "1 of 9 seats taken 0 /h hands an hour rake 0 /h an hour time unpaid 5" in page
    another = opened(desk, poker_table(desk, "Poker 3", "Zeit", time_charge="Five"))
    for seat in (1, 2):
        sit(desk, seat, another)
    with CaptureQueriesContext(connection) as many:
        assert "time unpaid 10" in words(get(desk).content.decode())
    assert len(many) == len(few)


@world(HorseDesk)
def test_POK_1_the_tile_says_which_variant_is_on(desk: HorseDesk) -> None:
    """Where a table plays several, as its newest hand had it."""
    assert "Omaha" not in words(get(desk).content.decode())
    deal(desk, *desk.stays, variant="holdem")
    deal(desk, *desk.stays, variant="omaha_hilo")
    page = words(get(desk).content.decode())
    assert "hands an hour Omaha hi-lo Result today +10" in page


@world(RoomDesk)
def test_a_poker_table_is_slow_only_where_two_guests_play_for_a_rake(desk: RoomDesk) -> None:
    patience = f"interval '{alert_rules.PACE_S} seconds'"
    sql = alert_rules.CONDITIONS["pace_off"].replace(f"< clock_timestamp() - {patience}", "< clock_timestamp()")

    def slow() -> list[str]:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return [subject for _house, subject, _data in cursor.fetchall()]

    assert slow() == [str(desk.raked.pk)]
    sit(desk, 1, desk.timed)
    of_stay(desk, desk.stays[0], "stay_away")
    assert slow() == []
