"""Every page about something that has a number × every role of the office × the number of another house's: no page, no word,
nothing written. Which pages there are the project says itself, so nobody adds one without its row here.
"""

import re
from collections.abc import Callable
from uuid import UUID, uuid4

from django.apps import apps
from django.test import Client
from django.urls import get_resolver

from casino.devices.models import Device
from casino.people.models import Person
from casino.pit.floor import table
from casino.pit.jackpots import views
from payouts.models import Account, CommandKey, PostedTable, Transfer
from tests.casino.api.callers import OFFICE
from tests.casino.api.ground import Ground, everything, undone
from tests.casino.devices.devices import PIN
from tests.casino.test_walk import MODELS, patterns
from tests.floor import POSTED
from tests.turns import each

# Asked for by a device's cookie, whoever is signed in: tests/casino/devices/test_tablet.py, tests/casino/display/test_pages.py.
OF_DEVICES = ("tablet/", "display/")
# Of no house: what was found of another one is not shown (tests/casino/audit/test_verify_page.py).
OF_ALL = ("audit/verify/",)
THEIRS: dict[str, Callable[[Ground], object]] = {
    "cage/chips/asked/": lambda g: g.foreign.chips_asked.pk,
    "cage/differences/asked/": lambda g: g.foreign.difference_asked.pk,
    "cage/differences/": lambda g: g.foreign.difference.pk,
    "cage/drops/": lambda g: g.foreign.drop.place_id,
    "cage/inventory/asked/": lambda g: g.foreign.inventory_asked.pk,
    "cage/settlements/": lambda g: g.foreign.settled_session.pk,
    "posted-tables/": lambda g: PostedTable.objects.filter(house=g.foreign.house)[0].pk,
    "approval-rules/asked/": lambda g: g.foreign.rule_asked.pk,
    "people/asked/": lambda g: g.foreign.to_sign.pk,
    "people/sign-ins/": lambda g: g.foreign.to_see.pk,
    "jackpots/asked/": lambda g: g.foreign.jackpot_asked.pk,
    "seals/asked/": lambda g: g.foreign.to_continue.pk,
    "transfers/asked/": lambda g: g.foreign.reversal_asked.pk,
    "tables/asked/": lambda g: g.foreign.change_asked.pk,
    "floor/set-up/tables/": lambda g: g.foreign.table.pk,
    "pins/": lambda g: g.foreign.dealer.pk,
    "devices/": lambda g: g.foreign.display.pk,
    "floor/to-clarify/": lambda g: g.foreign.clarify.pk,
    "floor/tables/": lambda g: g.foreign.table.pk,
    "floor/rounds/": lambda g: g.foreign.locked,
    "floor/hands/": lambda g: g.foreign.hand.pk,
    "floor/jackpots/": lambda g: g.foreign.jackpot.pk,
    "pit/alerts/": lambda g: g.foreign.alert.pk,
    "pit/calls/": lambda g: g.foreign.table.pk,
    "pit/jackpots/": lambda g: g.foreign.jackpot.pk,
    "floor/slips/": lambda g: g.foreign.slip.pk,
    "audit/accounts/": lambda g: Account.objects.filter(house=g.foreign.house)[0].pk,
    "audit/transfers/": lambda g: Transfer.objects.filter(house=g.foreign.house)[0].pk,
    "audit/rounds/": lambda g: g.foreign.locked,
    "audit/hands/": lambda g: g.foreign.hand.pk,
    "audit/hits/": lambda g: g.foreign.claim.hit_id,
    "audit/people/": lambda g: g.foreign.dealer.pk,
    "audit/devices/": lambda g: g.foreign.display.pk,
    "audit/posted/": lambda g: PostedTable.objects.filter(house=g.foreign.house)[0].pk,
    "audit/reports/runs/": lambda g: g.foreign.report.pk,
}
STEPS = {
    "cage/differences/": ("explain",),
    "cage/drops/": ("take", "enter", "agree", "give-up"),
    "floor/to-clarify/": ("take", "dismiss", "close"),
    "floor/tables/": tuple(table.STEPS),
    "floor/set-up/tables/": ("change", "request"),
    "floor/rounds/": ("settle", "withdraw", "void", "call", "void-ask", "irregularity", "override"),
    "floor/hands/": ("correct", "void", "sign", "reject"),
    "floor/jackpots/": tuple(views.STEPS),
    "floor/slips/": ("pay", "take-back"),
}
NUMBERED = sorted(
    one
    for one in patterns(get_resolver())
    if re.search("<(uuid|int):", one) and not one.startswith(("admin/", *OF_ALL))
)
PAGES = [one for one in NUMBERED if not one.startswith(OF_DEVICES)]


def addresses(ground: Ground, page: str) -> list[str]:
    """The page of another house's thing, with each step that it knows."""
    place = next(place for place in THEIRS if page.startswith(place))
    pk = str(THEIRS[place](ground))
    path = re.sub("<(uuid|int):(pk|other)>", pk, page)
    return [path.replace("<slug:step>", step) for step in (STEPS[place] if "<slug:step>" in page else ("",))]


@each("page", PAGES)
def test_nobody_reaches_what_another_house_has(ground: Ground, page: str) -> None:
    """`devices/…/revoke/` is done already for what is not there: it answers as for a device that is out of service."""
    approval, claim, slip = ground.foreign.approval, ground.foreign.claim, ground.foreign.slip
    said = {
        "reason": "seen on camera",
        "entry_level": "fast",
        "croupier": str(ground.foreign.dealer.pk),
        "secret": "271828",
    }
    said |= {"approval": str(approval.pk), "seen": bytes(approval.payload_hash).hex(), "revision": "1", "note": "seen"}
    said |= {"claim": str(claim.pk), "slip": str(slip.pk), "guest": str(ground.foreign.guest.pk), "box": "1"}
    with undone():
        before = everything()
        for path in addresses(ground, page):
            for role in OFFICE:
                client = ground.offices[role].client
                for answer in (client.get(f"/{path}"), client.post(f"/{path}", said | {"key": str(uuid4())})):
                    fine = {302} if page.endswith("revoke/") else set()
                    assert answer.status_code in {403, 404, 405} | fine, (role, path, answer.status_code)
                    assert b"Casino Elsewhere" not in answer.content
        assert everything() == before
        assert Device.objects.get(pk=ground.foreign.display.pk).revoked_at is None


def test_the_ids_are_of_things_that_are_there(ground: Ground) -> None:
    """So a page that would be shown to its own house is what was refused above."""
    floor = ("floor/tables/", "floor/rounds/", "floor/hands/", "floor/to-clarify/", "floor/jackpots/", "pit/jackpots/")
    for place in (
        *floor,
        "tables/asked/",
        "people/asked/",
        "approval-rules/asked/",
        "transfers/asked/",
        "cage/differences/",
        "cage/settlements/",
    ):
        page = ground.foreign_boss.client.get(f"/{place}{UUID(str(THEIRS[place](ground)))}/")
        assert page.status_code == 200, place
    assert len(PAGES) >= 20
    with undone():
        alert = ground.foreign.alert
        assert ground.foreign_boss.client.post(f"/pit/alerts/{alert.pk}/acknowledge/").status_code == 200


# Forms of pages without a number that name a thing of another house.
FORMS: dict[str, Callable[[Ground], dict[str, object]]] = {
    "devices/code/": lambda g: {"table": g.foreign.table.pk, "name": "Tablet"},
    "devices/feed/": lambda g: {"table": g.foreign.table.pk, "name": "Shoe"},
    "devices/display/": lambda g: {"jackpot": g.foreign.jackpot.pk, "name": "Entrance"},
    "floor/set-up/table/": lambda g: {"pit": g.foreign.pit.pk, "name": "UTH 9", "game": "uth", "boxes": "5", **POSTED},
    "floor/set-up/link/": lambda g: {"linked": g.foreign.shut.pk, "jackpot": g.floor.jackpot.pk},
    "floor/set-up/link/ to a jackpot": lambda g: {"linked": g.closed.pk, "jackpot": g.foreign.jackpot.pk},
    "floor/set-up/parameters/": lambda g: {"changed": g.foreign.jackpot.pk, "offline_linked": "play_flagged"},
}


@each("form", FORMS)
def test_no_form_takes_what_another_house_has(ground: Ground, form: str) -> None:
    said = {name: str(value) for name, value in FORMS[form](ground).items()}
    with undone():
        before = everything()
        for role in OFFICE:
            answer = ground.offices[role].client.post(f"/{form.split()[0]}", said | {"key": str(uuid4())})
            assert answer.status_code in {403, 404, 422}, (role, answer.status_code)
            assert b"Casino Elsewhere" not in answer.content
        assert everything() == before


@each("page", [one for one in NUMBERED if one.startswith(OF_DEVICES)])
def test_no_page_of_a_device_opens_to_who_has_not_its_cookie(ground: Ground, page: str) -> None:
    """Whoever is signed in at the office, and whatever other device the browser is."""
    own, theirs = (ground.tablet.device, ground.foreign.tablet)
    if page.startswith("display/"):
        own, theirs = ground.display, ground.foreign.display
    browsers = {role: ground.offices[role].client for role in OFFICE}
    browsers |= {"another table's tablet": ground.other.client, "nobody": Client()}
    with undone():
        before = everything()
        for device in (own, theirs):
            path = page.replace("<uuid:device_id>", str(device.pk))
            for who, client in browsers.items():
                for answer in (client.get(f"/{path}"), client.post(f"/{path}", {"username": "martina", "pin": PIN})):
                    assert answer.status_code in {401, 403, 405}, (who, path, answer.status_code)
        assert everything() == before


OWN: dict[str, Callable[[Ground], object]] = {
    "floor/to-clarify/": lambda g: g.clarify.pk,
    "floor/tables/": lambda g: g.floor.table.pk,
    "floor/rounds/": lambda g: g.floor.settled,
    "floor/jackpots/": lambda g: g.floor.jackpot.pk,
    "pit/calls/": lambda g: g.floor.table.pk,
}


@each("page", [one for one in PAGES if one.startswith(tuple(OWN))])
def test_who_is_of_no_house_reads_all_of_them_and_acts_in_none(ground: Ground, page: str) -> None:
    """A manager of all houses who is a pit boss too: every step is refused, and nothing is written."""
    place = next(place for place in OWN if page.startswith(place))
    pk, said = str(OWN[place](ground)), {"reason": "seen on camera", "entry_level": "fast", "result": "lose"}
    said |= {"croupier": str(ground.floor.nora.pk), "guest": str(uuid4()), "box": "1", "claim": str(ground.claim.pk)}
    steps = STEPS.get(place, ("",)) if "<slug:step>" in page else ("",)
    with undone():
        chief = Person.objects.get(username="c.leitung")
        chief.roles = ["manager", "pit_boss"]
        chief.save(update_fields=["roles"])
        before = everything()
        for step in steps:
            path = page.replace("<uuid:pk>", pk).replace("<slug:step>", step)
            answer = ground.chief.client.post(f"/{path}", said | {"key": str(uuid4())})
            assert answer.status_code in {403, 404, 405, 422}, (path, answer.status_code)
        assert everything() == before


# How a row says whose it is, where not by a column of its own.
BY = {"payouts/house": "pk", "payouts/entry": "account__house", "payouts/approvalsignature": "approval__house"}
BY |= {"casino/devicesession": "device__house", "payouts/approvallist": "approval__house"}
BY |= {"jackpot/fed": "epoch__house", "jackpot/standstill": "jackpot__house"}
# Of these the other house has no row yet.
RARE = {"casino/shifthandover", "jackpot/displaysession", "jackpot/fed", "jackpot/standstill", "jackpot/takenback"}
RARE |= {"tables/begunhand", "tables/handirregularity", "tables/handoverride", "tables/handpot", "tables/handseat"}
RARE |= {"tables/handshare", "tables/stackcount", "payouts/chipmove", "payouts/countback", "payouts/inventory"}
RARE |= {"tables/entryreversal", "tables/explanation"}
# Of no house: what the whole installation has in common.
COMMON = {"payouts/commandkey", "casino/auditrun", "casino/verifyrun", "payouts/seal", "payouts/sealedrows"}
COMMON |= {"jackpot/incarnation", "jackpot/signoflife"}


@each("name", sorted(set(MODELS) - COMMON))
def test_nobody_reads_a_row_of_another_house_in_the_admin(ground: Ground, name: str) -> None:
    """Neither in its list nor on a page of its own; who is of no house reads all of them."""
    rows = apps.get_model(*name.split("/")).objects.filter(**{BY.get(name, "house"): ground.foreign.house.pk})
    assert rows.exists() == (name not in RARE)
    if name in RARE:
        return
    pages = [f"/admin/{name}/{rows.order_by('pk')[0].pk}/{page}/" for page in ("change", "history")]
    for role in OFFICE:
        client = ground.offices[role].client
        assert {client.get(page).status_code for page in pages} <= {302, 403}, role  # to the index: no such row
        assert pages[0] not in client.get(f"/admin/{name}/").content.decode(), role
    read = [ground.chief.client.get(page).status_code for page in pages]
    written = name == "casino/person"  # a row of the books has no history: it leads back to the row
    assert read == ([200, 200 if written else 302] if "manager" in MODELS[name].view else [403, 403])


def test_keys_of_commands_are_read_by_nobody_of_a_house(ground: Ground) -> None:
    """They do not say of which house they are."""
    keys = list(CommandKey.objects.values_list("pk", flat=True))
    for role in OFFICE:
        answer = ground.offices[role].client.get("/admin/payouts/commandkey/")
        assert answer.status_code == (200 if role in MODELS["payouts/commandkey"].view else 403)
        assert not [one for one in keys if one in answer.content.decode()]
    shown = ground.chief.client.get("/admin/payouts/commandkey/").content.decode()
    assert [one for one in keys if one in shown]
