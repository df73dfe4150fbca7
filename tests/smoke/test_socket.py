"""A socket of a real web process hears the meter."""

from collections.abc import Callable

from websockets.sync.client import ClientConnection

from tests.casino.live.places import Place, next_of, until


def test_a_display_hears_the_coin_that_was_played(place: Place, connect: Callable[..., ClientConnection]) -> None:
    device, cookies = place.display()
    socket = connect(f"/ws/display/?device={device.pk}", cookies)
    first = next_of(socket, seconds=120)
    amount = place.coin()
    told = until(socket, lambda told: told.get("text") == amount, seconds=120)
    assert told["version"] > first["version"]
