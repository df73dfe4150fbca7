"""What a tablet reports of itself: whether its page opens without the server, and how many entries
lie on it that the server has not answered.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from casino.devices.models import TABLET, Device
from payouts.models import House

# `yes 3`: the page is stored, and three entries have lain there for more than 5 s
REPORT = "X-Saalchef-Stored"
UNSENT_MOST = 32_767
_REPORT = re.compile(r"(yes|no|\?) ([0-9]{1,5})")
_PAGE = {"yes": True, "no": False, "?": None}


class TabletReport(NamedTuple):
    """Whether the page is stored (None: not known yet), and the number of unsent entries."""

    page_stored: bool | None
    unsent: int


def tablet_report(headers: Mapping[str, str]) -> TabletReport | None:
    """The report that came with a request; None where there is none, or no whole one."""
    report = _REPORT.fullmatch(headers.get(REPORT, ""))
    if report is None or int(report[2]) > UNSENT_MOST:
        return None
    return TabletReport(_PAGE[report[1]], int(report[2]))


def stored_pages(house: House) -> list[Device]:
    """The tablets in service of a house with their tables, by table and name; `page_stored` of
    each is None where nobody is signed in, or nothing was heard of it. One statement.
    """
    tablets = Device.objects.filter(house=house, kind=TABLET, revoked_at=None, table__retired=False)
    return list(tablets.select_related("table").order_by("table__name", "name"))
