"""What the cage pays it proves by its PIN, whose wrong tries are counted as everywhere."""

from django.conf import settings

from casino.people.tries_model import Tries
from jackpot.models import Slip
from tests.casino.api.ground import Ground, undone
from tests.casino.api.test_walk import cash
from tests.casino.devices.devices import PIN


def test_who_guesses_the_cashiers_pin_pays_nothing_and_locks_it(ground: Ground) -> None:
    cage, path = ground.offices["cage"], f"slips/{ground.slip.pk}/pay/"
    body = {"cash_minor": cash(ground.slip)}
    with undone():
        answers = [cage.post(path, body | {"secret": "111222"})[1]["code"] for _ in range(settings.SIGN_IN_TRIES)]
        assert answers == ["pin.refused"] * (settings.SIGN_IN_TRIES - 1) + ["pin.locked"]
        assert cage.post(path, body | {"secret": PIN})[1]["code"] == "pin.locked"
        assert Slip.objects.get(pk=ground.slip.pk).state == "open"


def test_wrong_pins_under_a_signature_count_at_the_tablet_on_which_they_are_typed(ground: Ground) -> None:
    path, body = f"approvals/{ground.approval.pk}/sign/", {"payload_hash": "0" * 64, "secret": "111222"}
    with undone():
        assert ground.reto.post(path, body)[1]["code"] == "pin.refused"
        assert list(Tries.objects.filter(kind="pin").values_list("place", flat=True)) == [str(ground.reto.device.pk)]
