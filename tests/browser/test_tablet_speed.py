"""The tablet's benchmark in short, on this suite's own server: every figure is taken, and none is out of all proportion.

What is promised is measured by `make bench ARGS=tablet`; here other tests share the processor.
"""

from statistics import median
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
BUSY = 4  # times slower than promised is still no failure


@pytest.mark.timeout(120)
def test_figures(chromium: Browser, floor_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Taps, locks, the sign-in, the other device, the size of the page."""
    for name, count in {"SLOW_ROUNDS": 1, "ROUNDS": 2, "SIGN_INS": 1}.items():
        monkeypatch.setattr(tablet, name, count)
    database = urlsplit(servers.app_url)._replace(path=f"/{floor_server.database}").geturl()
    environment = {
        "DJANGO_SETTINGS_MODULE": "casino.settings",
        "SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": database,
        "REDIS_URL": servers.redis_url,
        "SAALCHEF_INSTANCE": settings.INSTANCE,
    }
    seats = new_seats(Bench(servers, environment, ""), 2, tablets=True)
    address = floor_server.address
    taps = tablet._taps(chromium, address, seats[0])
    assert len(taps.paints) == 2 + tablet.BOXES + 1 + 2  # a stake, boxes, a hand, lock and finish
    assert median(taps.paints) < BUSY * tablet.TAP_MS
    assert taps.size < tablet.PAGE_BYTES
    locks, tasks = tablet._locks(chromium, address, seats[0])
    assert min(locks) < BUSY * tablet.LOCK_MS
    assert min(tasks, default=0) < BUSY * tablet.TASK_MS
    assert min(tablet._sign_ins(chromium, address, seats[0])) < BUSY * tablet.SIGN_IN_MS
    assert 0 < min(tablet._told(chromium, address, seats[1])) < BUSY * tablet.DEVICE_MS
