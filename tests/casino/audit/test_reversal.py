"""A transfer that was wrong is taken back at the audit desk: asked for by one, signed by another; never by the auditor."""

from uuid import uuid4

import pytest

from casino.people.pins import pin_set
from payouts.models import Account, Approval, Event, Transfer
from payouts.rules.ledger import recipes
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.cast import make_house, post, stock_house

ENGLISH = {"accept-language": "en"}
PIN = "271828"


class Books:
    """A house with cash that a manager has entered twice, and who may come to it."""

    def __init__(self) -> None:
        self.house = make_house()
        cast = {"mara": "manager", "max": "manager", "petra": "pit_boss", "anna": "auditor", "tim": "technician"}
        self.people = {
            name: people.make(self.house, f"{name}.muster", role, language="en") for name, role in cast.items()
        }
        for person in self.people.values():
            pin_set(person=person, pin=PIN)
        self.clients = {name: people.signed_in(person) for name, person in self.people.items()}
        stock_house(self.house)
        self.wrong = post(
            self.house, "capital_in", recipes.capital_in(1_234_500), actor_id=self.people["max"].pk, key="twice"
        )

    def page(self, who: str, pk: int | None = None, status: int = 200) -> str:
        response = self.clients[who].get(f"/audit/transfers/{pk or self.wrong}/", headers=ENGLISH)
        assert response.status_code == status
        return response.content.decode()

    def ask(self, who: str = "mara", status: int = 302, pk: int | None = None, **changes: str) -> str:
        form = {"key": str(uuid4()), "reason": "entered twice"} | changes
        response = self.clients[who].post(f"/audit/transfers/{pk or self.wrong}/reverse/", form, headers=ENGLISH)
        assert response.status_code == status, response.content.decode()
        return words(response.content.decode()) or response["Location"]

    def asked(self, who: str, status: int = 200) -> str:
        response = self.clients[who].get(f"/transfers/asked/{Approval.objects.get().pk}/", headers=ENGLISH)
        assert response.status_code == status
        return response.content.decode()

    def step(self, who: str, step: str, status: int = 302, **changes: str) -> str:
        asked = Approval.objects.get()
        form = {"key": str(uuid4()), "seen": bytes(asked.payload_hash).hex(), "secret": PIN} | changes
        response = self.clients[who].post(f"/transfers/asked/{asked.pk}/{step}/", form, headers=ENGLISH)
        assert response.status_code == status, response.content.decode()
        return words(response.content.decode())

    def balances(self) -> dict[str, int]:
        return dict(Account.objects.filter(house=self.house).values_list("kind", "balance_minor"))


@pytest.fixture
def books(db: None) -> Books:
    return Books()


def test_asked_for_by_one_and_signed_by_another_it_is_posted_as_shown(books: Books) -> None:
    before = books.balances()
    said = words(books.page("mara"))
    assert "Reverse this transfer" in said
    legs = "Cash in the cage Casino Bad Ragaz CHF −12’345.00 What the house put in Casino Bad Ragaz CHF 12’345.00"
    assert legs in said, said
    place = books.ask()
    assert place == f"/transfers/asked/{Approval.objects.get().pk}/"
    assert f'href="{place}"' in books.page("anna")
    assert place in books.clients["petra"].get("/home/pit_boss/").content.decode()
    asked = words(books.asked("petra"))
    assert legs in asked, asked
    assert "entered twice" in asked
    assert "You asked for this" in books.asked("mara")
    assert "You took part in this" in books.asked("max")
    assert books.balances() == before

    assert "You may not sign this: you asked for it." in books.step("mara", "sign", 403)
    assert "You may not sign this: you took part in it." in books.step("max", "sign", 403)
    books.step("petra", "sign", 422, secret="314159")
    books.step("petra", "sign")
    reversal = Transfer.objects.get(reverses=books.wrong)
    assert (reversal.actor, reversal.reason) == (books.people["petra"], "entered twice")
    moved = {kind: balance - before[kind] for kind, balance in books.balances().items() if balance != before[kind]}
    assert moved == {"cage_cash": -1_234_500, "house_capital": 1_234_500}
    assert f'href="/audit/transfers/{reversal.pk}/"' in books.page("anna")
    assert f'href="/audit/transfers/{books.wrong}/"' in books.page("anna", reversal.pk)
    assert f'href="/audit/transfers/{reversal.pk}/"' in books.asked("anna")
    assert "Reverse this transfer" not in books.page("mara") + books.page("mara", reversal.pk)
    assert Event.objects.get(name="transfer.reversed").actor == books.people["petra"]


def test_auditor_neither_asks_nor_signs(books: Books) -> None:
    """Not even where a line of the matrix names him."""
    assert "Reverse this transfer" not in books.page("anna")
    books.ask("anna", 403)
    books.ask("petra", 403)  # the pit boss is not at the desk
    books.ask()
    assert 'name="secret"' not in books.asked("anna") + books.asked("tim")
    for step in ("sign", "reject"):
        books.step("anna", step, 403, reason="no")
    assert Approval.objects.get().state == "open"


def test_turned_down_nothing_moves_and_it_can_be_asked_for_again(books: Books) -> None:
    before = books.balances()
    books.ask()
    books.step("petra", "reject", reason="it was not entered twice")
    assert (Approval.objects.get().state, books.balances()) == ("rejected", before)
    assert "Reverse this transfer" in books.page("mara")


def test_what_a_round_or_a_jackpot_stands_on_is_not_offered(books: Books) -> None:
    bound = post(books.house, "seed", recipes.seed(5_000))
    assert "It belongs to a round or a jackpot" in words(books.page("mara", bound))
    assert "This transfer belongs to a round or a jackpot." in books.ask(status=422, pk=bound)
    assert not Approval.objects.exists()


def test_reversal_that_would_overdraw_an_account_is_refused_to_the_signer(books: Books) -> None:
    """He is told in words; his signature is not kept, and the request waits on."""
    books.ask(pk=Transfer.objects.get(kind="chips_in_service").pk)  # of these chips some are in a tray by now
    assert "An account would be overdrawn." in books.step("petra", "sign", 409)
    assert (Approval.objects.get().state, Approval.objects.get().signatures.count()) == ("open", 0)


def test_click_twice_asks_once(books: Books) -> None:
    key = str(uuid4())
    assert books.ask(key=key) == books.ask(key=key)
    assert Approval.objects.count() == 1
