"""The tablet's benchmark in short, on this suite's own server: every figure is taken. How high they are is nobody's business here:
`make bench ARGS=tablet` compares them with what is promised.
"""

from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import Browser

from tests.bench import tablet
from tests.bench.floor_place import new_seats
from tests.bench.place import Bench
from tests.browser.conftest import Server
from tests.servers import servers

pytestmark = pytest.mark.browser


@pytest.mark.timeout(400)  # a minute, but on a machine that does other things besides
def test_figures(chromium: Browser, floor_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Taps, locks, the sign-in, the other device, the size of the page, a reopening."""
    for name, count in {"SLOW_ROUNDS": 1, "OWN_ROUNDS": 1, "ROUNDS": 2, "SIGN_INS": 1, "REOPENINGS": 1}.items():
        monkeypatch.setattr(tablet, name, count)
    database = urlsplit(servers.app_url)._replace(path=f"/{floor_server.database}").geturl()
    environment = {
        "DJANGO_SETTINGS_MODULE": "casino.settings",
        "SECRET_KEY": settings.SECRET_KEY,
        "SIGNATURE_KEY": settings.SIGNATURE_KEY,
        "DATABASE_URL": database,
        "REDIS_URL": servers.redis_url,
        "SAALCHEF_INSTANCE": settings.INSTANCE,
    }
    place = Bench(servers, environment, "")
    seats = new_seats(place, 2, tablets=True)
    address = floor_server.address
    taps = tablet._taps(chromium, address, seats[0])
    assert len(taps.paints) == 2 + tablet.BOXES + 1 + 2  # a stake, boxes, a hand, lock and finish
    assert min(taps.paints) > 0
    assert taps.size < tablet.PAGE_BYTES
    locks, tasks = tablet._locks(chromium, address, seats[0])
    assert len(locks) == tablet.ROUNDS
    assert min(locks) > 0
    assert all(task > 0 for task in tasks)
    assert all(task > 0 for task in tablet._own_tasks(chromium, address, seats[0]))
    assert min(tablet._sign_ins(chromium, address, seats[0])) > 0
    assert len(tablet._told(chromium, address, seats[1])) == tablet.ROUNDS // 2
    assert min(tablet._reopenings(place, chromium, address, seats[0])) > 0
