"""Hands at the audit desk: found by table, day, number, amount, person and id; their page says what counts and what was struck."""

import re

import pytest
from django.test import Client

from casino.people.models import Person
from payouts.models import Event, Transfer
from tables.models import Hand
from tests.casino.audit.desk import ENGLISH
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.poker import PokerRoom, deal, of_hand
from tests.worlds import world


class AuditedRoom(PokerRoom):
    """Two hands with a rake, the first of which was put right, and an auditor."""

    def __init__(self) -> None:
        super().__init__()
        self.auditor = people.make(self.house, "vera.h", "auditor", language="en")
        self.stays = [self.sit(seat) for seat in (1, 4)]
        self.first = deal(self, *self.stays, pot={"pot_minor": 60_00})
        of_hand(self, self.first, "hand_correct", pot={"pot_minor": 40_00})
        deal(self, *self.stays, pot={"pot_minor": 100_00})

    @property
    def client(self) -> Client:
        return people.signed_in(self.auditor)

    def titles(self, **query: str) -> list[str]:
        """Of the hands that a search finds."""
        answer = self.client.get("/audit/", query, headers=ENGLISH)
        return [row.title for kind in answer.context["lists"] if kind.kind == "hands" for row in kind.rows]


@world(AuditedRoom)
def test_a_hand_is_found_by_whatever_it_is_found_by(floor: AuditedRoom, subtests: pytest.Subtests) -> None:
    both = ["Poker 1, hand 2", "Poker 1, hand 1"]
    day = str(floor.first.session.gaming_day)
    wanted: dict[str, tuple[dict[str, str], list[str]]] = {
        "everything": ({"kind": "hands"}, both),
        "table and day": ({"kind": "hands", "table": str(floor.raked.pk), "from": day, "to": day}, both),
        "another table": ({"kind": "hands", "table": str(floor.timed.pk)}, []),
        "number": ({"kind": "hands", "q": "#2"}, both[:1]),
        "rake as it counts": ({"kind": "hands", "q": "2.00"}, both[1:]),
        "rake that was struck": ({"kind": "hands", "q": "3.00"}, []),
        "pot": ({"kind": "hands", "q": "100.00"}, both[:1]),
        "croupier": ({"kind": "hands", "person": str(floor.martina.pk)}, both),
        "nobody": ({"kind": "hands", "person": str(floor.auditor.pk)}, []),
    }
    for name, (query, titles) in wanted.items():
        with subtests.test(name):
            assert floor.titles(**query) == titles
    answer = floor.client.get("/audit/", {"q": str(floor.first.pk)})
    assert (answer.status_code, answer.headers["location"]) == (302, f"/audit/hands/{floor.first.pk}/")


@world(AuditedRoom)
def test_the_page_of_a_hand_says_what_counts_who_and_what_moved(floor: AuditedRoom) -> None:
    answer = floor.client.get(f"/audit/hands/{floor.first.pk}/", headers=ENGLISH)
    page = answer.content.decode()
    text = words(page)
    for part in (
        "Poker 1, hand 1",
        "corrected",
        "2 1 (Guest 1), 4 (Guest 2) dealt CHF 40.00 CHF 2.00 CHF 2.00",
        "CHF 60.00 CHF 3.00 CHF 3.00",
        "mistyped",
        "Bad Ragaz, version 1",
        "Worked out again The same pots, fees and shares. holds",
        "Second opinion, by pokerkit None: the pots of this hand were not entered.",
        "What it posted is sealed Not yet: the next seal will hold it.",
        Person.objects.get(pk=floor.martina.pk).full_name,
    ):
        assert part in text, part
    transfers = Transfer.objects.filter(subject_id=floor.first.pk)
    assert transfers.count() == 3  # taken, taken back, taken anew
    for transfer in transfers:
        assert f'href="/audit/transfers/{transfer.pk}/"' in page
        moved = floor.client.get(f"/audit/transfers/{transfer.pk}/", headers=ENGLISH).content.decode()
        assert f'href="/audit/hands/{floor.first.pk}/"' in moved
    looks = Event.objects.filter(name="audit.viewed", subject_kind="hand", subject_id=str(floor.first.pk))
    assert [look.actor_id for look in looks] == [floor.auditor.pk]
    bought = Transfer.objects.filter(subject_id=floor.stays[0].pk).earliest("pk")
    about = floor.client.get(f"/audit/transfers/{bought.pk}/", headers=ENGLISH).content.decode()
    assert f"/audit/?kind=hands&amp;table={floor.raked.pk}" in about
    assert floor.client.get(f"/audit/hands/{floor.raked.pk}/").status_code == 404


@world(AuditedRoom)
def test_a_hand_is_taken_away_as_a_file(floor: AuditedRoom) -> None:
    page = floor.client.get(f"/audit/hands/{floor.first.pk}/").content.decode()
    [link] = re.findall(r'href="([^"]+/json/)"', page)
    answer = floor.client.get(link)
    session = floor.first.session
    assert answer.headers["content-disposition"] == f'attachment; filename="hand-poker-1-{session.gaming_day}-1.json"'
    file = answer.json()
    assert [entry["rake_minor"] for entry in file["entries"]] == [3_00, 2_00]
    assert (file["table_name"], file["gaming_day"], file["versions"]) == (
        "Poker 1",
        str(session.gaming_day),
        session.versions,
    )
    moved = [{abs(amount) for _account, amount in transfer["entries"]} for transfer in file["transfers"]]
    assert moved == [{3_00}, {3_00}, {2_00}]


@world(AuditedRoom)
def test_what_took_a_hand_back_is_sealed_too(floor: AuditedRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = Hand.objects.get(pk=floor.first.pk)
    last = [max(hand.results.values_list("transfer", flat=True))]
    monkeypatch.setattr("casino.audit.hand_checks.seal_of", lambda _table, key: 4 if key <= last[-1] else None)
    of_hand(floor, hand, "hand_void", approval_id=floor.ask(hand, "hand_void_request").pk)
    for sealed in ("Not yet: the next seal will hold it.", "By seal 4."):
        page = floor.client.get(f"/audit/hands/{hand.pk}/", headers=ENGLISH).content.decode()
        assert f"What it posted is sealed {sealed}" in words(page)
        last.append(Transfer.objects.latest("pk").pk)
