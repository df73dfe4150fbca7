"""Every address of the project × everybody who may knock: anonymous, half signed in, and each role.

The table below says what must happen. An address that is missing in it fails, so nobody adds one without saying who may open it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from casino.devices.signin import device_sign_in
from casino.people.models import Person
from casino.people.roles import CODES
from tests.casino.devices import devices
from tests.casino.people import people
from tests.casino.people.hasher import plain_settings
from tests.cast import make_house, stock_house

ALL = frozenset(CODES)
ADMIN = frozenset({"auditor", "surveillance", "technician", "manager"})
REPORTS = frozenset({"auditor", "manager"})
BOOKS = frozenset({"auditor", "surveillance", "manager"})
MANAGER = frozenset({"manager"})
AUDIT = frozenset({"auditor", "manager"})
NOBODY: frozenset[str] = frozenset()
TECHNICIAN = frozenset({"technician"})
UNLOCK = frozenset({"pit_boss", "manager"})
ENROL = frozenset({"pit_boss", "technician", "manager"})
PIT_BOSS = frozenset({"pit_boss"})
CAGE = frozenset({"cage"})
CHIPS = AUDIT | CAGE
COUNTS = BOOKS | PIT_BOSS | CAGE
DROPS = MANAGER | CAGE
EXPLAIN = MANAGER | PIT_BOSS | CAGE
POSTED = BOOKS | TECHNICIAN
FIRST = TECHNICIAN | PIT_BOSS | MANAGER
FLOOR = POSTED | PIT_BOSS
NO_ID = "00000000-0000-4000-8000-000000000000"


@dataclass(frozen=True)
class Row:
    """Who gets in, and with which status; anybody else who is signed in gets `refused`. `public`: everybody, without sign-in."""

    roles: frozenset[str] = ALL
    status: int = 200
    refused: int = 403
    public: bool = False
    method: str = "get"
    path: str = ""  # an address for a pattern that has parts to fill in
    anonymous: int = 302  # to the sign-in page


TABLE: dict[str, Row] = {
    "": Row(status=302),
    "waits-for-you/": Row(),
    "ready-for-tonight/": Row(roles=FLOOR),
    "sign-in/": Row(public=True, status=302, anonymous=200),
    "sign-in/demo/": Row(public=True, status=404, anonymous=404),
    "sign-in/password/": Row(status=302),
    "sign-in/authenticator/": Row(status=302),
    "sign-out/": Row(public=True, status=302, anonymous=302, method="post"),
    "password/": Row(),
    "style/": Row(status=404),
    "language/": Row(public=True, status=302, anonymous=302, method="post"),
    "house/": Row(roles=NOBODY, method="post"),  # who is of a house has no choice: tests/casino/people/test_houses.py
    "manifest/<slug:screen>/": Row(public=True, path="manifest/pit/", anonymous=200),
    "favicon.ico": Row(public=True, status=302),
    "home/<slug:role>/": Row(path="home/nobody/", status=404),
    "healthz": Row(public=True, anonymous=200),
    "readyz": Row(public=True, status=503, anonymous=503),
    "metrics": Row(roles=frozenset({"auditor", "technician", "manager"}), anonymous=401),
    "audit/reports/": Row(roles=REPORTS),
    "audit/reports/<slug:kind>/": Row(roles=REPORTS, path="audit/reports/slips/"),
    "audit/reports/runs/<uuid:pk>/": Row(roles=REPORTS, path=f"audit/reports/runs/{NO_ID}/", status=404),
    "audit/reports/runs/<uuid:pk>/file/": Row(roles=REPORTS, path=f"audit/reports/runs/{NO_ID}/file/", status=404),
    "first-steps/": Row(roles=FIRST),
    "first-steps/<slug:step>/": Row(roles=TECHNICIAN, path="first-steps/draft/", status=400, method="post"),
    "approval-rules/": Row(roles=BOOKS),
    "approval-rules/<str:action>/": Row(roles=MANAGER, path="approval-rules/transfer.reverse/"),
    "approval-rules/asked/<uuid:pk>/": Row(roles=FLOOR, path=f"approval-rules/asked/{NO_ID}/", status=404),
    "approval-rules/asked/<uuid:pk>/sign/": Row(
        roles=FLOOR, path=f"approval-rules/asked/{NO_ID}/sign/", status=404, method="post"
    ),
    "approval-rules/asked/<uuid:pk>/reject/": Row(
        roles=FLOOR, path=f"approval-rules/asked/{NO_ID}/reject/", status=404, method="post"
    ),
    "cage/chips/": Row(roles=CHIPS),
    "cage/chips/<slug:step>/": Row(roles=MANAGER, path="cage/chips/ask/", status=400, method="post"),
    "cage/drops/": Row(roles=DROPS),
    "cage/drops/<uuid:pk>/": Row(roles=DROPS, path=f"cage/drops/{NO_ID}/", status=404),
    "cage/drops/<uuid:pk>/<slug:step>/": Row(roles=DROPS, path=f"cage/drops/{NO_ID}/take/", status=404, method="post"),
    "cage/differences/": Row(roles=COUNTS),
    "cage/differences/<uuid:pk>/": Row(roles=COUNTS, path=f"cage/differences/{NO_ID}/", status=404),
    "cage/differences/<uuid:pk>/<slug:step>/": Row(
        roles=EXPLAIN, path=f"cage/differences/{NO_ID}/explain/", status=404, method="post"
    ),
    "cage/differences/asked/<uuid:pk>/": Row(
        roles=POSTED | PIT_BOSS | CAGE, path=f"cage/differences/asked/{NO_ID}/", status=404
    ),
    "cage/differences/asked/<uuid:pk>/sign/": Row(
        roles=COUNTS, path=f"cage/differences/asked/{NO_ID}/sign/", status=404, method="post"
    ),
    "cage/differences/asked/<uuid:pk>/reject/": Row(
        roles=COUNTS, path=f"cage/differences/asked/{NO_ID}/reject/", status=404, method="post"
    ),
    "cage/chips/asked/<uuid:pk>/": Row(roles=POSTED | PIT_BOSS | CAGE, path=f"cage/chips/asked/{NO_ID}/", status=404),
    "cage/chips/asked/<uuid:pk>/sign/": Row(
        roles=CHIPS, path=f"cage/chips/asked/{NO_ID}/sign/", status=404, method="post"
    ),
    "cage/chips/asked/<uuid:pk>/reject/": Row(
        roles=CHIPS, path=f"cage/chips/asked/{NO_ID}/reject/", status=404, method="post"
    ),
    "cage/settlements/<uuid:pk>/": Row(roles=COUNTS, path=f"cage/settlements/{NO_ID}/", status=404),
    "cage/inventory/": Row(roles=CHIPS),
    "cage/inventory/review/": Row(roles=MANAGER, status=422, method="post"),
    "cage/inventory/<slug:step>/": Row(roles=MANAGER, path="cage/inventory/ask/", status=400, method="post"),
    "cage/inventory/asked/<uuid:pk>/": Row(
        roles=POSTED | PIT_BOSS | CAGE, path=f"cage/inventory/asked/{NO_ID}/", status=404
    ),
    "cage/inventory/asked/<uuid:pk>/sign/": Row(
        roles=CHIPS, path=f"cage/inventory/asked/{NO_ID}/sign/", status=404, method="post"
    ),
    "cage/inventory/asked/<uuid:pk>/reject/": Row(
        roles=CHIPS, path=f"cage/inventory/asked/{NO_ID}/reject/", status=404, method="post"
    ),
    "tables/asked/<uuid:pk>/": Row(roles=FLOOR, path=f"tables/asked/{NO_ID}/", status=404),
    "tables/asked/<uuid:pk>/sign/": Row(roles=FLOOR, path=f"tables/asked/{NO_ID}/sign/", status=404, method="post"),
    "tables/asked/<uuid:pk>/reject/": Row(roles=FLOOR, path=f"tables/asked/{NO_ID}/reject/", status=404, method="post"),
    "jackpots/asked/<uuid:pk>/": Row(roles=FLOOR, path=f"jackpots/asked/{NO_ID}/", status=404),
    "jackpots/asked/<uuid:pk>/sign/": Row(roles=FLOOR, path=f"jackpots/asked/{NO_ID}/sign/", status=404, method="post"),
    "jackpots/asked/<uuid:pk>/reject/": Row(
        roles=FLOOR, path=f"jackpots/asked/{NO_ID}/reject/", status=404, method="post"
    ),
    "transfers/asked/<uuid:pk>/": Row(roles=FLOOR, path=f"transfers/asked/{NO_ID}/", status=404),
    "transfers/asked/<uuid:pk>/sign/": Row(
        roles=PIT_BOSS | MANAGER, path=f"transfers/asked/{NO_ID}/sign/", status=404, method="post"
    ),
    "transfers/asked/<uuid:pk>/reject/": Row(
        roles=PIT_BOSS | MANAGER, path=f"transfers/asked/{NO_ID}/reject/", status=404, method="post"
    ),
    "people/asked/<uuid:pk>/": Row(roles=FLOOR, path=f"people/asked/{NO_ID}/", status=404),
    "people/asked/<uuid:pk>/sign/": Row(roles=FLOOR, path=f"people/asked/{NO_ID}/sign/", status=404, method="post"),
    "people/asked/<uuid:pk>/reject/": Row(roles=FLOOR, path=f"people/asked/{NO_ID}/reject/", status=404, method="post"),
    "seals/asked/<uuid:pk>/": Row(roles=FLOOR, path=f"seals/asked/{NO_ID}/", status=404),
    "seals/asked/<uuid:pk>/sign/": Row(roles=FLOOR, path=f"seals/asked/{NO_ID}/sign/", status=404, method="post"),
    "seals/asked/<uuid:pk>/reject/": Row(roles=FLOOR, path=f"seals/asked/{NO_ID}/reject/", status=404, method="post"),
    "people/sign-ins/<uuid:pk>/": Row(roles=FLOOR, path=f"people/sign-ins/{NO_ID}/", status=404),
    "people/sign-ins/<uuid:pk>/sign/": Row(
        roles=FLOOR, path=f"people/sign-ins/{NO_ID}/sign/", status=404, method="post"
    ),
    "people/sign-ins/<uuid:pk>/reject/": Row(
        roles=FLOOR, path=f"people/sign-ins/{NO_ID}/reject/", status=404, method="post"
    ),
    "posted-tables/": Row(roles=POSTED),
    "posted-tables/new/<slug:code>/": Row(roles=TECHNICIAN, path="posted-tables/new/rake/"),
    "posted-tables/<uuid:pk>/": Row(roles=POSTED, path=f"posted-tables/{NO_ID}/", status=404),
    "posted-tables/<uuid:pk>/compare/<uuid:other>/": Row(
        roles=POSTED, path=f"posted-tables/{NO_ID}/compare/{NO_ID}/", status=404
    ),
    "posted-tables/<uuid:pk>/edit/": Row(roles=TECHNICIAN, path=f"posted-tables/{NO_ID}/edit/", status=404),
    "posted-tables/<uuid:pk>/copy/": Row(roles=TECHNICIAN, path=f"posted-tables/{NO_ID}/copy/", status=404),
    "posted-tables/<uuid:pk>/request/": Row(
        roles=TECHNICIAN, path=f"posted-tables/{NO_ID}/request/", status=404, method="post"
    ),
    "posted-tables/<uuid:pk>/sign/": Row(roles=POSTED, path=f"posted-tables/{NO_ID}/sign/", status=404, method="post"),
    "posted-tables/<uuid:pk>/reject/": Row(
        roles=POSTED, path=f"posted-tables/{NO_ID}/reject/", status=404, method="post"
    ),
    "posted-tables/<uuid:pk>/withdraw/": Row(
        roles=TECHNICIAN, path=f"posted-tables/{NO_ID}/withdraw/", status=404, method="post"
    ),
    "pin/": Row(),
    "pins/": Row(roles=UNLOCK),
    "pins/<uuid:pk>/unlock/": Row(roles=UNLOCK, path=f"pins/{NO_ID}/unlock/", status=404, method="post"),
    "devices/": Row(roles=ENROL),
    "devices/code/": Row(roles=ENROL, status=404, method="post"),
    "devices/feed/": Row(roles=ENROL, status=404, method="post"),
    "devices/display/": Row(roles=ENROL, status=404, method="post"),
    "devices/<uuid:pk>/require/": Row(roles=TECHNICIAN, path=f"devices/{NO_ID}/require/", status=404, method="post"),
    "devices/<uuid:pk>/revoke/": Row(roles=ENROL, path=f"devices/{NO_ID}/revoke/", status=302, method="post"),
    "devices/<uuid:pk>/free/": Row(roles=ENROL, path=f"devices/{NO_ID}/free/", status=404, method="post"),
    # A tablet's pages ask for the tablet, whoever is signed in at the office: tests/casino/devices/test_tablet.py.
    "tablet/": Row(public=True, status=302, anonymous=302),
    "tablet/enrol/": Row(public=True, anonymous=200),
    "tablet/worker.js": Row(public=True, anonymous=200),
    "tablet/demo/": Row(public=True, status=404, anonymous=404, method="post"),
    "tablet/<uuid:device_id>/": Row(public=True, path=f"tablet/{NO_ID}/", status=403, anonymous=403),
    "tablet/<uuid:device_id>/count/": Row(public=True, path=f"tablet/{NO_ID}/count/", status=403, anonymous=403),
    "tablet/<uuid:device_id>/sign-in/": Row(public=True, path=f"tablet/{NO_ID}/sign-in/", status=403, anonymous=403),
    "tablet/<uuid:device_id>/sign-out/": Row(
        public=True, path=f"tablet/{NO_ID}/sign-out/", status=403, anonymous=403, method="post"
    ),
    "tablet/<uuid:device_id>/hand-over/": Row(
        public=True, path=f"tablet/{NO_ID}/hand-over/", status=403, anonymous=403, method="post"
    ),
    "tablet/<uuid:device_id>/language/": Row(
        public=True, path=f"tablet/{NO_ID}/language/", status=403, anonymous=403, method="post"
    ),
    **{
        f"tablet/<uuid:device_id>/{word}/": Row(
            public=True, path=f"tablet/{NO_ID}/{word}/", status=403, anonymous=403, method="post"
        )
        for word in ("here", "idle", "touched", "wake")
    },
    # A display's pages ask for the display: tests/casino/display/test_pages.py.
    "display/": Row(public=True, status=302, anonymous=302),
    "display/enrol/": Row(public=True, anonymous=200),
    "display/demo/": Row(public=True, status=404, anonymous=404, method="post"),
    "display/<uuid:device_id>/": Row(public=True, path=f"display/{NO_ID}/", status=403, anonymous=403),
    "display/<uuid:device_id>/now/": Row(public=True, path=f"display/{NO_ID}/now/", status=403, anonymous=403),
    "display/<uuid:device_id>/alive/": Row(
        public=True, path=f"display/{NO_ID}/alive/", status=403, anonymous=403, method="post"
    ),
    "display/<uuid:device_id>/confirm/": Row(
        public=True, path=f"display/{NO_ID}/confirm/", status=403, anonymous=403, method="post"
    ),
    "pit/": Row(roles=FLOOR),
    "pit/board/": Row(roles=FLOOR),
    "pit/alerts/<int:pk>/acknowledge/": Row(
        roles=PIT_BOSS, path="pit/alerts/0/acknowledge/", status=404, method="post"
    ),
    "pit/calls/<uuid:pk>/take/": Row(roles=PIT_BOSS, path=f"pit/calls/{NO_ID}/take/", status=404, method="post"),
    "pit/calls/<uuid:pk>/seen-to/": Row(roles=PIT_BOSS, path=f"pit/calls/{NO_ID}/seen-to/", status=404, method="post"),
    "pit/hand-over/": Row(roles=FLOOR),
    "pit/hand-over/take/": Row(roles=PIT_BOSS, status=400, method="post"),
    "pit/hand-over/acknowledge/": Row(roles=PIT_BOSS, status=400, method="post"),
    "pit/jackpots/": Row(roles=FLOOR),
    "pit/jackpots/<uuid:pk>/": Row(roles=FLOOR, path=f"pit/jackpots/{NO_ID}/", status=404),
    "pit/jackpots/<uuid:pk>/meter/": Row(roles=FLOOR, path=f"pit/jackpots/{NO_ID}/meter/", status=404),
    "floor/": Row(roles=FLOOR),
    "floor/to-clarify/<uuid:pk>/": Row(roles=FLOOR, path=f"floor/to-clarify/{NO_ID}/", status=404),
    "floor/to-clarify/<uuid:pk>/<slug:step>/": Row(
        roles=PIT_BOSS, path=f"floor/to-clarify/{NO_ID}/take/", status=404, method="post"
    ),
    "floor/tables/<uuid:pk>/": Row(roles=FLOOR, path=f"floor/tables/{NO_ID}/", status=404),
    "floor/tables/<uuid:pk>/<slug:step>/": Row(
        roles=PIT_BOSS, path=f"floor/tables/{NO_ID}/open/", status=404, method="post"
    ),
    "floor/rounds/<uuid:pk>/": Row(roles=FLOOR, path=f"floor/rounds/{NO_ID}/", status=404),
    "floor/rounds/<uuid:pk>/<slug:step>/": Row(
        roles=PIT_BOSS, path=f"floor/rounds/{NO_ID}/void/", status=404, method="post"
    ),
    "floor/hands/<uuid:pk>/": Row(roles=FLOOR, path=f"floor/hands/{NO_ID}/", status=404),
    "floor/hands/<uuid:pk>/<slug:step>/": Row(
        roles=UNLOCK, path=f"floor/hands/{NO_ID}/void/", status=404, method="post"
    ),
    "floor/jackpots/": Row(roles=FLOOR | CAGE),
    "floor/jackpots/<uuid:pk>/": Row(roles=FLOOR | CAGE, path=f"floor/jackpots/{NO_ID}/", status=404),
    "floor/jackpots/<uuid:pk>/<slug:step>/": Row(
        roles=PIT_BOSS | MANAGER, path=f"floor/jackpots/{NO_ID}/verify/", status=404, method="post"
    ),
    "floor/slips/": Row(roles=FLOOR | CAGE),
    "floor/slips/<uuid:pk>/": Row(roles=FLOOR | CAGE, path=f"floor/slips/{NO_ID}/", status=404),
    "floor/slips/<uuid:pk>/<slug:step>/": Row(roles=CAGE, path=f"floor/slips/{NO_ID}/pay/", status=404, method="post"),
    "floor/set-up/": Row(roles=TECHNICIAN),
    "floor/set-up/tables/<uuid:pk>/": Row(roles=TECHNICIAN, path=f"floor/set-up/tables/{NO_ID}/", status=404),
    "floor/set-up/tables/<uuid:pk>/<slug:step>/": Row(
        roles=TECHNICIAN, path=f"floor/set-up/tables/{NO_ID}/change/", status=404, method="post"
    ),
    "floor/set-up/<slug:step>/": Row(roles=TECHNICIAN, path="floor/set-up/pit/", status=400, method="post"),
    "audit/": Row(roles=AUDIT),
    "audit/rounds/<uuid:pk>/": Row(roles=AUDIT, path=f"audit/rounds/{NO_ID}/", status=404),
    "audit/hands/<uuid:pk>/": Row(roles=AUDIT, path=f"audit/hands/{NO_ID}/", status=404),
    "audit/hands/<uuid:pk>/json/": Row(roles=AUDIT, path=f"audit/hands/{NO_ID}/json/", status=404),
    "audit/hits/<uuid:pk>/": Row(roles=AUDIT, path=f"audit/hits/{NO_ID}/", status=404),
    "audit/hits/<uuid:pk>/meter/": Row(roles=AUDIT, path=f"audit/hits/{NO_ID}/meter/", status=404),
    "audit/accounts/<int:pk>/": Row(roles=AUDIT, path="audit/accounts/0/", status=404),
    "audit/transfers/<int:pk>/": Row(roles=AUDIT, path="audit/transfers/99999999999999999999/", status=404),
    "audit/transfers/<int:pk>/reverse/": Row(
        roles=MANAGER, path="audit/transfers/99999999999999999999/reverse/", status=404, method="post"
    ),
    "audit/people/<uuid:pk>/": Row(roles=AUDIT, path=f"audit/people/{NO_ID}/", status=404),
    "audit/devices/<uuid:pk>/": Row(roles=AUDIT, path=f"audit/devices/{NO_ID}/", status=404),
    "audit/posted/<uuid:pk>/": Row(roles=AUDIT, path=f"audit/posted/{NO_ID}/", status=404),
    "audit/verify/": Row(roles=AUDIT),
    "audit/verify/<int:pk>/": Row(roles=AUDIT, path="audit/verify/99999999999999999999/", status=404),
    "audit/calculator/": Row(roles=AUDIT),
    "api/schema/": Row(anonymous=401),
    "api/docs/": Row(),
    "admin/": Row(roles=ADMIN),
    "admin/login/": Row(public=True, status=302),
    "admin/logout/": Row(roles=ADMIN, status=302, method="post"),
    "admin/password_change/": Row(roles=ADMIN, status=302),
    "admin/password_change/done/": Row(roles=ADMIN, status=302),
    "admin/autocomplete/": Row(roles=NOBODY),
    "admin/jsi18n/": Row(roles=ADMIN),
    "admin/^(?P<app_label>…)/$": Row(roles=ADMIN, path="admin/payouts/"),
    "admin/(?P<url>.*)$": Row(roles=ADMIN, path="admin/nothing/here/", status=404),
}


@dataclass(frozen=True)
class Model:
    """Who may see, add and change a model's rows in the admin. Nobody deletes anything."""

    view: frozenset[str]
    add: frozenset[str] = NOBODY
    change: frozenset[str] = NOBODY


JACKPOT = (
    "award",
    "claim",
    "displaysession",
    "epochend",
    "fed",
    "gate",
    "gatedisplay",
    "hit",
    "incarnation",
    "listedround",
)
JACKPOT += ("requireddisplay", "share", "signoflife", "slip", "split", "standstill", "takenback", "waitingprize")
MODELS: dict[str, Model] = {
    "casino/person": Model(view=BOOKS, add=MANAGER, change=MANAGER),
    "casino/device": Model(view=BOOKS | TECHNICIAN),
    "casino/alert": Model(view=POSTED),
    "casino/devicecode": Model(view=BOOKS | TECHNICIAN),
    "casino/devicesession": Model(view=BOOKS | TECHNICIAN),
    **dict.fromkeys(("casino/auditrun", "casino/verifyrun"), Model(view=AUDIT)),
    "casino/shifthandover": Model(view=POSTED),
    "payouts/house": Model(view=BOOKS | {"technician"}),
    "payouts/account": Model(view=BOOKS),
    "payouts/transfer": Model(view=BOOKS),
    "payouts/entry": Model(view=BOOKS),
    "payouts/approval": Model(view=BOOKS | TECHNICIAN),
    "payouts/approvalrule": Model(view=BOOKS),
    "payouts/approvalsignature": Model(view=BOOKS),
    "payouts/commandkey": Model(view=BOOKS),
    "payouts/event": Model(view=BOOKS),
    "payouts/postedtable": Model(view=BOOKS | {"technician"}),
    **dict.fromkeys(
        ("payouts/approvallist", "payouts/seal", "payouts/sealedrows", "payouts/chipmove", "payouts/inventory"),
        Model(view=BOOKS),
    ),
    **{f"payouts/count{part}": Model(view=BOOKS) for part in ("", "back", "entry", "line", "signature")},
    **{f"tables/{name}": Model(view=POSTED) for name in ("difference", "explanation", "explanationwords")},
    **dict.fromkeys(("jackpot/jackpot", "jackpot/epoch", "jackpot/runninground"), Model(view=POSTED)),
    **dict.fromkeys(("jackpot/contribution", "tables/pit", "tables/table"), Model(view=POSTED)),
    **{f"jackpot/{name}": Model(view=POSTED) for name in JACKPOT},
    **dict.fromkeys(("tables/tablesession", "tables/handover", "tables/guest", "tables/round"), Model(view=POSTED)),
    **dict.fromkeys(("tables/roundstake", "tables/roundresult", "tables/roundline"), Model(view=POSTED)),
    **dict.fromkeys(("tables/pokerstay", "tables/staychips", "tables/hand", "tables/handresult"), Model(view=POSTED)),
    **dict.fromkeys(("tables/handseat", "tables/handpot", "tables/handshare"), Model(view=POSTED)),
    **dict.fromkeys(("tables/handirregularity", "tables/handoverride", "tables/stackcount"), Model(view=POSTED)),
    **dict.fromkeys(("tables/buyin", "tables/tip", "tables/entryreversal"), Model(view=POSTED)),
    **dict.fromkeys(("tables/begunhand", "tables/tableversion"), Model(view=POSTED)),
    **dict.fromkeys(
        ("tables/cardfeed", "tables/irregularity", "tables/override", "tables/reviewitem"), Model(view=POSTED)
    ),
}


WRITTEN = ("casino/person",)  # of all else the admin has no history, and leads to the row


def rows() -> dict[str, Row]:
    """The table, with the six addresses of each model in the admin."""
    full = dict(TABLE)
    for name, model in MODELS.items():
        some = _some_id(name)
        there = 200 if some is not None else 302  # without a row the admin goes back to its index and says so
        some = some or 0
        full |= {
            f"admin/{name}/": Row(roles=model.view),
            f"admin/{name}/add/": Row(roles=model.add),
            f"admin/{name}/<path:object_id>/history/": Row(
                roles=model.view, status=200 if name in WRITTEN else 302, path=f"admin/{name}/{some}/history/"
            ),
            f"admin/{name}/<path:object_id>/delete/": Row(roles=NOBODY, path=f"admin/{name}/{some}/delete/"),
            f"admin/{name}/<path:object_id>/change/": Row(
                roles=model.view, status=there, path=f"admin/{name}/{some}/change/"
            ),
            f"admin/{name}/<path:object_id>/": Row(roles=ADMIN, status=302, path=f"admin/{name}/{some}/"),
        }
    return full


def _some_id(name: str) -> object:
    for model in admin.site._registry:
        if f"{model._meta.app_label}/{model._meta.model_name}" == name:
            return model._default_manager.values_list("pk", flat=True).first()
    return None


def patterns(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    """Every pattern of the project, as one line, but the API's own, of which tests/casino/api/test_walk.py has the table."""
    for pattern in resolver.url_patterns:
        whole = prefix + str(pattern.pattern)
        if whole.startswith("api/") and hasattr(getattr(pattern, "callback", None), "view_class"):
            continue
        if isinstance(pattern, URLPattern):
            yield "admin/^(?P<app_label>…)/$" if "(?P<app_label>" in whole else whole
        else:
            yield from patterns(pattern, whole)


@pytest.fixture
def everybody(db: None, settings) -> dict[str, Client]:
    plain_settings(settings)
    house = make_house()
    stock_house(house)
    boss = devices.dealer(house, "p.boss", "pit_boss")
    tablet, _ = devices.enrol(devices.make_table(house), boss)
    device_sign_in(device=tablet, username=boss.username, pin=devices.PIN)
    clients = {role: people.signed_in(people.make(house, f"x.{role.replace('_', '')}", role)) for role in CODES}
    return clients | {"anonymous": Client()}


def call(client: Client, pattern: str, row: Row) -> int:
    response = getattr(client, row.method)(f"/{row.path or pattern}")
    return response.status_code


def test_every_address_is_in_the_table_and_nothing_else(everybody: dict[str, Client]) -> None:
    assert sorted(patterns(get_resolver())) == sorted(rows())


@pytest.mark.timeout(400)  # half a minute, but on a machine that does other things besides
def test_everybody_gets_what_the_table_says(everybody: dict[str, Client]) -> None:
    wrong = []
    for pattern, row in rows().items():
        if row.path == "" and ("<" in pattern or "(" in pattern):
            wrong.append(f"{pattern}: give a path for it")
        for who, client in everybody.items():
            if pattern == "sign-out/" and who != "anonymous":
                continue  # it would end the session that the rest of the walk needs; tests/casino/people signs out
            if who == "anonymous":
                expected = row.anonymous
            elif row.public or who in row.roles:
                expected = row.status
            else:
                expected = row.refused
            got = call(client, pattern, row)
            if got != expected:
                wrong.append(f"{who} {row.method} /{row.path or pattern}: {got} instead of {expected}")
    assert wrong == []


def test_anonymous_is_sent_to_the_sign_in_page_and_nowhere_else(everybody: dict[str, Client]) -> None:
    for pattern, row in rows().items():
        if not row.public and row.anonymous == 302:
            address = f"/{row.path or pattern}"
            location = getattr(everybody["anonymous"], row.method)(address)["Location"]
            assert location == f"/sign-in/?next={address}", address


def test_half_signed_in_gets_no_further_than_his_step(everybody: dict[str, Client]) -> None:
    house = Person.objects.filter(roles=["croupier"]).get().house
    newcomer = people.make(house, "n.eu", "manager", enrolled=False)
    client = Client()
    people.sign_in(client, newcomer, code_given="")
    for step, later in (
        ("sign-in/password/", "sign-in/authenticator/"),
        ("sign-in/authenticator/", "sign-in/password/"),
    ):
        until = timezone.now() + timedelta(days=1) if step == "sign-in/password/" else None
        Person.objects.filter(pk=newcomer.pk).update(initial_password_until=until)
        for pattern, row in rows().items():
            if not row.public and pattern != step and row.anonymous == 302:
                response = getattr(client, row.method)(f"/{row.path or pattern}")
                assert (response.status_code, response["Location"]) == (302, f"/{step}"), pattern
        assert client.get(f"/{later}")["Location"] == f"/{step}"
        assert client.get(f"/{step}").status_code == 200
        assert client.get("/metrics").status_code == 401


def test_home_of_each_role_opens_to_that_role_alone(everybody: dict[str, Client]) -> None:
    for role in CODES:
        opened = {who for who, client in everybody.items() if client.get(f"/home/{role}/").status_code == 200}
        assert opened == {role}
