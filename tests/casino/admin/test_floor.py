"""The floor and the jackpot in the admin: to be read, in the house's money, by few queries, and never another house's."""

from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from jackpot.models import Contribution
from tables.models import Round, RoundLine, RoundStake
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.cast import make_house
from tests.floor import stakes_for, taps
from tests.turns import each
from tests.worlds import world

MODELS = [model for model in admin.site._registry if model._meta.app_label in ("tables", "jackpot")]


pytestmark = world(FloorDesk)


def play(desk: FloorDesk, rounds: int = 1) -> None:
    """Rounds with coins and Trips, one of them corrected, at a table that was opened for them and changed hands."""
    guests = desk.open()
    for _ in range(rounds):
        locked = desk.lock(stakes_for(guests[:3], coins=2, trips=500))
        boxes = {f"b{box}": {"play": 4, "result": "win", "hand": "flush"} for box in (1, 2, 3)}
        desk.settle(locked["id"], taps(**boxes))
        desk.correct(locked["id"], taps(**boxes | {"b1": {"play": 4, "result": "lose"}}))
    desk.post("boss", f"tables/{desk.table.pk}/hand-over/", croupier=desk.nora.pk)
    desk.post("boss", f"tables/{desk.table.pk}/close/")


def address(model, page: str = "changelist", *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def test_amounts_in_the_houses_money_and_states_in_words(desk):
    play(desk)
    client = desk.clients["auditor"]
    for model, texts in {
        "RoundStake": ("CHF\xa015.00", "Ante", "Coin"),
        "RoundLine": ("CHF\xa060.00", "Trips"),
        "Round": ("Settled", "Fast", "UTH 1"),
        "Contribution": ("CHF\xa02.00", "CHF\xa07.50"),
        "Epoch": ("CHF\xa010’000.00",),
        "Jackpot": ("Open for stakes", "Stops"),
        "RoundResult": ("From taps", "mistyped"),
    }.items():
        found = next(one for one in MODELS if one.__name__ == model)
        page = client.get(address(found), headers={"accept-language": "en"}).content.decode()
        row = found.objects.first()
        detail = client.get(address(found, "change", row.pk), headers={"accept-language": "en"}).content.decode()
        for text in texts:
            assert text in page, (model, text)
        assert "_minor" not in words(page.partition("<tbody")[2])
        if "Stake" in model or "Line" in model or model in ("Epoch", "Contribution"):
            assert "CHF\xa0" in detail
        assert "lock hash" not in detail.lower()


def test_queries_do_not_grow_with_rows(desk):
    """The same number for a day's first round and after three more; every list, every page of a row."""

    def counted() -> dict[str, int]:
        found = {}
        for model in MODELS:
            with CaptureQueriesContext(connection) as queries:
                assert desk.clients["auditor"].get(address(model)).status_code == 200
            found[model.__name__] = len(queries)
        return found

    play(desk)
    counted()
    before = counted()
    play(desk, 3)
    assert counted() == before
    assert max(before.values()) <= 15


@each("asked", ["x", "00000000-0000-4000-8000-000000000000", "' OR 1=1", "9" * 60])
def test_search_and_filters_take_anything(desk, asked):
    play(desk)
    for model in MODELS:
        assert desk.clients["auditor"].get(address(model), {"q": asked}).status_code == 200, model
    for name, value in (("state__exact", asked), ("table__id__exact", asked), ("nothing", asked)):
        page = desk.clients["auditor"].get(address(Round), {name: value})
        assert page.status_code in (200, 302)


def test_round_is_found_by_its_id(desk):
    play(desk, 2)
    wanted = Round.objects.first()
    client = desk.clients["auditor"]
    for model in (Round, RoundStake, RoundLine, Contribution):
        page = client.get(address(model), {"q": str(wanted.pk)}).content.decode()
        other = Round.objects.exclude(pk=wanted.pk).get()
        assert str(wanted.pk) in page
        assert str(other.pk) not in page.partition("<tbody")[2]


def test_another_house_sees_nothing_of_it(desk):
    play(desk)
    stranger = people.signed_in(people.make(make_house("Other"), "x.fremd", "auditor"))
    for model in MODELS:
        row = model.objects.first()
        page = stranger.get(address(model)).content.decode()
        assert 'id="result_list"' not in page, model
        for name in ("UTH 1", ">Progressive<", "Pit 1"):
            assert name not in page.partition("<main")[2] or model.__name__ in ("CardFeed",), (model, name)
        if row is not None:
            assert stranger.get(address(model, "change", row.pk)).status_code == 302


def test_nobody_writes(desk):
    play(desk)
    for who in ("auditor", "manager", "tech", "watch"):
        for model in MODELS:
            assert desk.clients[who].post(address(model, "add"), {}).status_code == 403
            row = model.objects.first()
            if row is not None:
                assert desk.clients[who].post(address(model, "change", row.pk), {}).status_code == 403
                assert desk.clients[who].post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
