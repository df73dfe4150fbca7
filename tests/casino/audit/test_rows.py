"""The books in the admin as an auditor reads them: every kind of row, by name, in his language, in the house's money and time."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.apps import apps
from django.contrib import admin
from django.db import connection, models
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from casino.admin.book_admin import BookAdmin
from casino.devices.models import DeviceSession
from casino.management.commands.messages import APPS
from casino.ops.models import AuditRun, VerifyRun
from casino.people.models import Person
from casino.pit.models import Alert
from casino.pit.shifts import shift_take_over
from jackpot.models import Fed, SignOfLife, Standstill
from payouts.models import Approval, Inventory, Seal, SealedRows, Transfer
from payouts.services import chips_request, chips_sign
from tables import services
from tables.models import (
    BegunHand,
    Hand,
    HandIrregularity,
    HandOverride,
    HandPot,
    HandSeat,
    HandShare,
    PokerStay,
    ReviewItem,
    StackCount,
    TableSession,
)
from tests.casino.pit.desk import since
from tests.cast import TABLE
from tests.counts import counted_twice, played_on
from tests.databases import app_may
from tests.floor import done, stakes_for
from tests.poker import deal, of_stay, poker_table, sit
from tests.poker import opened as opened_table

LANGUAGES = ("en", "de", "fr", "it")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
REPR = re.compile(r"celery@|<\w+: |<\w+ object|\{'|\[\{|\bNone\b|\bTrue\b|\bFalse\b|datetime\.|UTC|\+00:00")
TYPED = {"misdeal", "tablet"}  # by people of the test
BY_ID = {"id", "key", "request_id", "session_id", "statement"}  # what is an id, or kept word by word
SAID = re.compile(r'<div class="flex-container[^"]*">\s*<label>(.*?)</label>\s*<div class="readonly">(.*?)</div>', re.S)


def text(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html))).strip()


def address(model: type[models.Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def promised() -> set[type[models.Model]]:
    """What `docs/FLOOR.md` promises, all rows of floor and jackpot, and whatever the database guards or seals hold besides."""
    own = {model for model in apps.get_models() if model._meta.app_label in APPS and model._meta.managed}
    return {one for one in own if one._meta.app_label in ("tables", "jackpot") or hasattr(one, "sealed")}


def test_every_kind_of_row_is_there_to_be_read_and_to_nobody_to_be_written(desk):
    request = RequestFactory().get("/")
    request.user = desk.auditor
    wrong = []
    for model in promised():
        shown = admin.site._registry.get(model)
        if not isinstance(shown, BookAdmin):
            wrong.append(f"{model._meta.label} is not in the admin")
        elif not shown.has_view_permission(request) or shown.has_change_permission(request):
            wrong.append(f"{model._meta.label} is not to be read, or to be written")
    assert wrong == []


class Reader:
    """Lists and rows in one language, and what is wrong with them."""

    def __init__(self, desk, language: str) -> None:
        self.desk, self.language, self.wrong = desk, language, []
        with translation.override(language):
            catalog = translation.trans_real.translation(language)._catalog  # type: ignore[attr-defined]
        self.words = {}
        for key, said in catalog.items():
            if isinstance(key, str) and key and isinstance(said, str):
                self.words.setdefault(key.rpartition("\x04")[2].lower(), set()).add(said.lower())
        self.said = {one for several in self.words.values() for one in several}

    def get(self, path: str) -> str:
        Person.objects.filter(pk=self.desk.auditor.pk).update(language=self.language)
        response = self.desk.client.get(path, headers={"accept-language": self.language})
        assert response.status_code == 200, path
        return response.content.decode()

    def english(self, words: str) -> bool:
        """Whether the words are those of the code where the catalogue has others."""
        own = words.lower().rstrip(":").strip()
        if own in TYPED:
            return False
        return self.language != "en" and own in self.words and own not in self.said

    def raw(self, cell: str) -> bool:
        """Whether an id stands for a name; those that the test made up have none."""
        made_up = {str(TABLE), *map(str, self.desk.lived.displays)}
        return bool(set(UUID.findall(cell)) - made_up)

    def check(self, where: str, label: str, cell: str) -> None:
        if self.english(label) or re.search(r"[_]|\bminor\b", label) or not label:
            self.wrong.append(f"{where}: the label {label!r}")
        if self.english(cell):
            self.wrong.append(f"{where}, {label}: {cell!r} is English")
        if found := REPR.search(cell):
            self.wrong.append(f"{where}, {label}: {found[0]!r} in {cell[:80]!r}")

    def data(self, where: str, name: str, cell: str) -> None:
        """What is kept as data, line by line: each field by its words."""
        for line in re.findall(r'<span class="data">(.*?)</span>', cell, re.S):
            for label in re.findall(r"^ *([^:\n]+?)\s?:(?: |$)", unescape(line), re.M):
                own = label.lower() if label.lower() in self.said else label.rstrip("0123456789 ").lower()
                if self.english(own) or "_" in own or (own not in self.said and self.language != "en"):
                    self.wrong.append(f"{where}, {name}: the label {label!r}")

    def list(self, model: type[models.Model]) -> None:
        where = f"{self.language} {model.__name__}"
        page = self.get(address(model, "changelist")).partition('id="changelist')[2]
        heads = [text(one) for one in re.findall(r'<div class="text">(.*?)</div>', page, re.S)]
        for one in re.findall(
            r"<details data-filter-title[^>]*>\s*<summary>(.*?)</summary>(.*?)</details>", page, re.S
        ):
            for choice in re.findall(r"<a[^>]*>(.*?)</a>", one[1], re.S):
                self.check(f"{where} filter", text(one[0]), text(choice))
        for row in re.findall(r"<tr>(.*?)</tr>", page.partition("<tbody>")[2], re.S):
            cells = [text(one) for one in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)]
            for head, cell in zip(heads, cells, strict=True):
                self.check(where, head, cell)
                if self.raw(cell) and model.__name__ != "CommandKey":
                    self.wrong.append(f"{where}, {head}: an id for a name: {cell}")

    def row(self, model: type[models.Model], row: models.Model) -> None:
        where = f"{self.language} {model.__name__} {row.pk}"
        page = self.get(address(model, "change", row.pk)).partition("<main")[2]
        title = text(re.search(r"<h2>(.*?)</h2>", page, re.S)[1])  # type: ignore[index]
        self.check(where, "title", title)
        if self.raw(title) and model.__name__ != "CommandKey":
            self.wrong.append(f"{where}: called {title!r}")
        names = re.findall(r'class="form-row field-(\w+)"', page)
        found = [(text(label), text(cell), cell) for label, cell in SAID.findall(page)]
        for name, (label, cell, kept) in zip(names, found, strict=True):
            self.check(where, label, cell)
            self.data(where, name, kept)
            if self.raw(cell) and name not in BY_ID:
                self.wrong.append(f"{where}, {name}: an id for a name: {cell[:150]}")
            value = getattr(row, name, None)
            figures = set(re.findall(r"[0-9.’]+", cell))
            if name.endswith("_minor") and value is not None and ("CHF" not in cell or str(abs(value)) in figures):
                self.wrong.append(f"{where}, {name}: {value} is shown as {cell}")
            if hasattr(value, "astimezone"):
                local = value.astimezone(ZoneInfo(self.desk.house.time_zone))
                if f"{local:%d.%m.%Y %H:%M}" not in cell:
                    self.wrong.append(f"{where}, {name}: {local} is shown as {cell}")


def overrule(desk) -> None:
    """Management pays a guest beside the result of a round."""
    lived, line = desk.lived, desk.corrected.lines.filter(revision=desk.corrected.revision)[0]
    paid = {"box": line.box, "guest_id": line.guest_id, "amount_minor": 500, "reason": "misdeal"}
    about = {"house_id": desk.house.pk, "round_id": desk.corrected.pk, "person_id": lived.reto.pk}
    asked = done(services.override_request, **about, **paid)
    signs = {"signer_id": lived.ines.pk, "signer_roles": lived.ines.roles, "method": asked.method}
    seen = {"approval_id": asked.pk, "payload_hash": asked.payload_hash}
    done(services.override_sign, house_id=desk.house.pk, **seen, **signs)


def fill(desk) -> None:
    """A row of what the desk's house has none of."""
    lived, house, now = desk.lived, {"house": desk.house}, timezone.now()
    round_id = lived.start(2)
    done(services.card_feed_record, house_id=desk.house.pk, round_id=round_id, cards={"board": "2h 3h 4h"})
    exposed = {"kind": "cards_exposed", "decision": "burnt", "box": 1, "card": "Ah", "reason": "misdeal"}
    by = {"house_id": desk.house.pk, "round_id": round_id, "person_id": lived.reto.pk, "supervisor": True}
    done(services.irregularity_record, **by, **exposed)
    overrule(desk)
    person = {"table_id": lived.tables[0].pk, "croupier_id": lived.martina.pk, "actor_id": lived.reto.pk}
    done(services.table_hand_over, house_id=desk.house.pk, **person)
    poker = opened_table(lived, poker_table(lived))
    stay = sit(lived, 1, poker)
    deal(lived, stay, sit(lived, 2, poker))
    of_stay(lived, stay, "stay_away")
    of_stay(lived, stay, "stay_leave", counted_minor=100_00)
    potted(desk, stay)
    played_on(lived, counted_twice(lived), lived.bea)
    chips(desk)
    opened = [{"what": "Table", "place": "UTH 1", "since": now.isoformat()}]
    done(shift_take_over, house_id=desk.house.pk, person_id=lived.reto.pk, seen=0, was_open=lambda: opened, note="")
    Alert.objects.create(**house, kind="tablet_offline", subject="s", data=since(lived.tables[0]))
    AuditRun.objects.create(seconds=1.234, ok=True, breaches=[])
    amounts = {"entry_id": 7, "balance_after_minor": 150_000, "transfer_id": 12}
    AuditRun.objects.create(
        seconds=2, ok=False, breaches=[{"audit": "entries_sum_to_zero_per_transfer", "rows": [amounts]}]
    )
    ends = {"expires_at": now + timedelta(hours=1), "idle_at": now + timedelta(minutes=9)}
    DeviceSession.objects.create(device=desk.tablet, person=lived.martina, **ends)
    Fed.objects.create(epoch=lived.now().epoch, upto=2, coins=2, minor=123_450)
    with app_may("INSERT", "payouts_seal"), app_may("INSERT", "payouts_sealedrows"):
        seal = Seal.objects.create(number=1, taken_at=now, statement='{"number":1}', signature=b"s" * 64)
        holds = {"columns": ["id"], "last": 7, "keys": b"", "leaves": b""}
        SealedRows.objects.create(seal=seal, table="tables_round", **holds)
    for kind in ("sweep", "alerts"):
        SignOfLife.objects.create(kind=kind, at=now, worker="celery@one")
    Standstill.objects.create(jackpot=lived.jackpot, since=now, failures=3, error="OperationalError: gone")
    stakes = {"stakes": stakes_for(lived.guests[0][:2], coins=1)}
    came = {"kind": "lock", "payload": stakes, "payload_hash": b"h" * 32, "code": "round.not_running"}
    ReviewItem.objects.create(**house, table=lived.tables[0], round_id=desk.corrected.pk, sent_by=lived.martina, **came)
    VerifyRun.objects.create(asked_by=desk.auditor)


def chips(desk) -> None:
    """Pieces that came into service."""
    lived, house_id = desk.lived, {"house_id": desk.house.pk}
    asking = {"kind": "issue", "pieces": {100_00: 50}, "reason": "misdeal", "requester_id": lived.ines.pk}
    request = done(chips_request, **house_id, **asking)
    signer = {"signer_id": lived.bea.pk, "signer_roles": lived.bea.roles, "method": "totp"}
    done(chips_sign, **house_id, approval_id=request.pk, payload_hash=bytes(request.payload_hash), **signer)


def potted(desk, stay: PokerStay) -> None:
    """What hands at *pots* have besides, beside the one that was dealt."""
    hand = Hand.objects.get(house=desk.house)
    reto = desk.lived.reto
    of_hand = {"house": desk.house, "hand": hand, "revision": 1}
    seat = {"stack_minor": 100, "ante_minor": 0, "live_minor": 50, "dead_minor": 0, "returned_minor": 0}
    seat |= {"won_minor": 95, "booked_minor": 45, "folded": False}
    HandSeat.objects.create(**of_hand, stay_id=stay.pk, seat=1, **seat)
    HandPot.objects.create(**of_hand, number=1, amount_minor=100, rake_minor=5, seats=[1])
    HandShare.objects.create(**of_hand, number=1, half="whole", seat=1, amount_minor=95, odd_minor=0)
    paid = {"won_minor": 0, "amount_minor": 5, "reason": "misdeal", "requested_by": reto}
    paid["approval_id"] = Approval.objects.filter(house=desk.house)[0].pk
    HandOverride.objects.create(**of_hand, stay_id=stay.pk, seat=1, **paid, transfer=Transfer.objects.earliest("pk"))
    of_session = {"house": desk.house, "session": hand.session}
    amiss = {"kind": "misdeal", "decision": "stands", "override": False, "reason": "misdeal", "recorded_by": reto}
    HandIrregularity.objects.create(**of_session, hand=hand, seat=1, **amiss)
    counted = {"last_hand": 1, "counted_minor": 100, "missing_minor": 0, "counted_by": reto}
    StackCount.objects.create(**of_session, **counted)
    table = desk.lived.tables[0]
    duty = TableSession.objects.get(table=table, closed_at=None).croupier_id
    by = {"house_id": desk.house.pk, "table_id": table.pk, "actor_id": duty}
    bought = done(services.buyin_enter, **by, buyin_id=uuid4(), amount_minor=200_00, box=2)
    done(services.tip_enter, **by, tip_id=uuid4(), amount_minor=20_00)
    mistake = {"house_id": desk.house.pk, "actor_id": reto.pk, "supervisor": True, "reason": "nobody bought"}
    done(services.buyin_take_back, **mistake, buyin_id=bought.pk)
    begun = {"hand_id": hand.pk, "number": 2, "after_hand": 1, "button": 1, "variant": "holdem"}
    BegunHand.objects.create(**of_session, **begun, dealt=[stay.pk], begun_by=reto, croupier=reto)


def some(model: type[models.Model]) -> list[models.Model]:
    """The first row and the last, and one of each kind, state or name that there is."""
    rows = model._default_manager.order_by("pk")
    found = {row.pk: row for row in (rows.first(), rows.last()) if row}
    for name in ("kind", "state", "name", "subject_kind", "action"):
        if any(field.name == name for field in model._meta.concrete_fields):
            for row in rows.order_by(name, "pk").distinct(name):
                found[row.pk] = row
    return list(found.values())


def test_every_list_and_row_is_read(desk):
    fill(desk)
    read, wrong = read_all(desk, "de")
    assert not wrong, "\n".join(wrong)
    read.add(Inventory)  # while tables play nobody takes one
    unread = sorted(model.__name__ for model in promised() - read)
    assert not unread, ", ".join(unread)


def test_every_list_is_read_in_the_other_languages(desk):
    fill(desk)
    wrong = [one for language in LANGUAGES if language != "de" for one in read_all(desk, language, most=2)[1]]
    assert not wrong, "\n".join(wrong)


def read_all(desk, language: str, most: int | None = None) -> tuple[set[type[models.Model]], list[str]]:
    """The models of which rows were read, and what was wrong with them. `most`: rows of each model."""
    reader, read = Reader(desk, language), set()
    for model in admin.site._registry:
        reader.list(model)
        for row in some(model)[:most]:
            reader.row(model, row)
            read.add(model)
    return read, reader.wrong


def test_the_number_of_statements_does_not_depend_on_the_rows(desk):
    """One statement for each kind of record that a list names, however many rows it has."""
    many = {}
    for size in (2, 50):
        for model, shown in admin.site._registry.items():
            before, shown.list_per_page = shown.list_per_page, size
            with CaptureQueriesContext(connection) as statements:
                assert desk.client.get(address(model, "changelist")).status_code == 200
            shown.list_per_page = before
            many.setdefault(model.__name__, []).append(len(statements))
    grown = {name: counts for name, counts in many.items() if counts[1] > counts[0]}
    kinds = {"Account": 2, "Approval": 3, "Event": 8, "Transfer": 4}  # what they are about is of many kinds
    assert all(two + kinds.get(name, 1) >= fifty for name, (two, fifty) in grown.items()), grown
    assert all(counts[1] <= 18 for counts in many.values()), many
