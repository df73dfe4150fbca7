"""A hand of poker that is to be clarified, as the pit finds it on its page: looked at, booked or dismissed (RAK-1)."""

from html import unescape
from unittest.mock import patch
from uuid import uuid4

import pytest

from tables import services
from tables.errors import StayGone
from tables.models import Hand, ReviewItem
from tables.services.review import entries
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.floor import done
from tests.poker import of_stay, opened, poker_table, sit
from tests.worlds import world

CAME = {
    "de": "Poker 1: offline gespielte Hand",
    "fr": "Poker 1\u202f: main jouée hors ligne",
    "it": "Poker 1: mano giocata offline",
    "en": "Poker 1: hand played offline",
}


class PokerDesk(FloorDesk):
    """At a poker table one of two guests has left; then came two queued hands with both."""

    def __init__(self) -> None:
        super().__init__()
        self.poker = opened(self, poker_table(self))
        stays = [sit(self, seat, self.poker) for seat in (1, 2)]
        of_stay(self, stays[1], "stay_leave", counted_minor=90_00)
        payload = {"dealt": [str(stay.pk) for stay in stays], "rake_minor": 10_00, "queued": True}
        self.entries = [self.clarify(payload) for _ in range(2)]

    def clarify(self, payload: dict[str, object]) -> ReviewItem:
        by = {"house_id": self.house.pk, "table_id": self.poker.pk, "person_id": self.martina.pk}
        came = {"round_id": uuid4(), "kind": "hand_end", "payload": payload, "refused": StayGone()}
        with patch.object(entries, "check_form"):  # from before what cannot be read was refused
            item: ReviewItem = done(services.review_item_record, **by, **came)
        return item


@world(PokerDesk)
def test_a_queued_hand_is_looked_at_and_booked_or_dismissed(desk: PokerDesk, subtests: pytest.Subtests) -> None:
    booked, dismissed = desk.entries
    paths = [f"to-clarify/{entry.pk}/" for entry in desk.entries]
    for language, title in CAME.items():
        with subtests.test(language):
            answer = desk.clients["boss"].get(f"/floor/{paths[0]}", headers={"accept-language": language})
            page = unescape(answer.content.decode())
            assert (answer.status_code, page.count(f"<h1>{title}</h1>")) == (200, 1)
            assert f'action="/floor/{paths[0]}take/"' in page  # a guest who has left since is no hindrance
    text = words(desk.get("watch", paths[0]))
    assert "Sent by Martina" in text
    assert "Dealt in, by seat 1 (Guest 1), 2 (Guest 2) Flop dealt Pot – Rake CHF 10.00" in text
    for strange in ({"dealt": "all", "rake_minor": "5"}, {"dealt": [7, None], "pot_minor": [1]}):
        assert "Dealt in, by seat Flop dealt Pot – Rake –" in words(
            desk.get("boss", f"to-clarify/{desk.clarify(strange).pk}/")
        )
    shares = [{"seat": 2, "half": "whole", "amount_minor": 9_00, "odd_minor": 0}]
    expects = {"uncalled": None, "pots": [{"amount_minor": 10_00, "rake_minor": 1_00, "shares": shares}]}
    pots = {"seats": [1, 2], "stacks_minor": [90_00, 90_00], "button": 1, "streets": [], "expects": expects}
    entered = words(desk.get("boss", f"to-clarify/{desk.clarify({'pots': pots}).pk}/"))
    assert "Pot CHF 10.00 Rake CHF 1.00 Won by Seat 2: CHF 9.00" in entered
    assert desk.post("boss", f"{paths[0]}take/", reason="seen on camera") == f"/floor/hands/{booked.round_id}/"
    assert desk.post("boss", f"{paths[1]}dismiss/", reason="never played", never_played="1") == "/floor/"
    assert [(hand.pk, hand.results.get().rake_minor) for hand in Hand.objects.all()] == [(booked.round_id, 10_00)]
    states = dict(ReviewItem.objects.exclude(state="open").values_list("pk", "state"))
    assert states == {booked.pk: "taken", dismissed.pk: "dismissed"}
    desk.post("second", f"{paths[0]}dismiss/", REFUSED, reason="never played")
    assert "Taken" in words(desk.get("boss", paths[0]))
