"""What the cage pays it proves by its PIN, whose wrong tries are counted as everywhere."""

from django.conf import settings

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
