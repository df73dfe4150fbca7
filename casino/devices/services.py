"""Devices of tables and jackpots: enrolled by a one-time code, revoked by hand. Each act with its
event, in the same transaction.

Note [Two halves of a code]: whoever types a code has proved nothing yet, so there is nobody to
charge a wrong try to. The first half finds the code, the second proves it: a wrong second half
counts against that code, and the fifth ends it.
"""

import hashlib
import re
import secrets
from collections.abc import Mapping
from datetime import timedelta
from hmac import compare_digest
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac

from casino.devices.heard import may_hold_rounds
from casino.devices.models import DISPLAY, FEED, Device, DeviceCode, DeviceSession
from casino.devices.refusals import (
    DeviceJackpotUnknown,
    DeviceRevoked,
    DeviceTableUnknown,
    DeviceUnknown,
    DeviceUnsent,
    EnrolmentCodeRefused,
)
from casino.people.events import request_id
from casino.people.models import Person
from casino.people.permissions import ENROL_DEVICE
from casino.people.refusals import NotAllowed
from casino.people.services import READABLE
from jackpot.models import Jackpot, Phase
from payouts.errors import mark
from payouts.rules.plain import check_name, check_text
from payouts.services import event_record
from tables.models import Table

CODE_MINUTES = 10
CODE_TRIES = 5
HALF = 4
ENROLLED_ANEW = mark("enrolled anew")


def tables_of(by: Person) -> QuerySet[Table]:
    """The tables whose devices `by` may see; all of them for a manager of the installation."""
    tables = Table.objects.select_related("house", "pit").order_by(
        "house__name", "pit__position", "position", "name"
    )
    return tables if by.house_id is None else tables.filter(house_id=by.house_id)


def jackpots_of(by: Person) -> QuerySet[Jackpot]:
    """The jackpots that `by` may enrol displays for: a retired one shows nothing any more."""
    jackpots = (
        Jackpot.objects.exclude(phase=Phase.RETIRED)
        .select_related("house")
        .order_by("house__name", "name")
    )
    return jackpots if by.house_id is None else jackpots.filter(house_id=by.house_id)


def devices_of(by: Person) -> QuerySet[Device]:
    """The devices that `by` may see."""
    devices = Device.objects.select_related(
        "table", "jackpot", "house", "enrolled_by", "revoked_by"
    )
    return devices if by.house_id is None else devices.filter(house_id=by.house_id)


def device_code_make(*, kind: str, place_id: UUID, name: str, by: Person) -> tuple[DeviceCode, str]:
    """A code that makes a tablet the table's, or a display the jackpot's, under this name. Shown
    once: eight characters, good once and for 10 minutes.

    Whatever code the same name at the same place had before is good no more. Raises NotAllowed,
    DeviceTableUnknown, DeviceJackpotUnknown, TextRefused.
    """
    name = _checked(by, name)
    with transaction.atomic():
        return _code_make(_place(by, kind, place_id), name, by)


def _code_make(place: Table | Jackpot, name: str, by: Person) -> tuple[DeviceCode, str]:
    open_ones = DeviceCode.objects.filter(ended_at=None)
    open_ones.filter(expires_at__lte=Now()).update(ended_at=Now(), ended_as="expired")
    open_ones.filter(**_at(place), name=name).update(ended_at=Now(), ended_as="replaced")
    handle = _letters()
    while open_ones.filter(handle=handle).exists():
        handle = _letters()
    text = handle + _letters()
    code = DeviceCode.objects.create(
        house_id=place.house_id,
        **_at(place),
        name=name,
        handle=handle,
        proof=_proof(text),
        made_by=by,
        expires_at=Now() + timedelta(minutes=CODE_MINUTES),
    )
    _record("device.code_made", code, by=by, after=_place_data(place) | {"name": name})
    return code, f"{text[:HALF]}-{text[HALF:]}"


def device_enrol(*, kind: str, code: str, token: str = "") -> tuple[Device, str]:
    """Make the caller the tablet or display that the code was made for, and give its token: shown
    to nobody, kept nowhere but in its cookie. `token`: the demo's (`demo_display`); else nobody
    knows it before.

    A device of the same kind and name at the place is revoked. Raises EnrolmentCodeRefused.
    """
    text = re.sub(r"[\s-]", "", code).lower()
    if not re.fullmatch(f"[{READABLE}]{{{2 * HALF}}}", text):
        raise EnrolmentCodeRefused(minutes=CODE_MINUTES)
    with transaction.atomic():
        found = DeviceCode.objects.select_for_update(of=("self",)).select_related(
            "table", "jackpot", "made_by"
        )
        of_kind = found.filter(jackpot__isnull=kind != DISPLAY)  # a display's code makes no tablet
        row = of_kind.filter(handle=text[:HALF], ended_at=None).first()
        enrolled = _use(row, text, kind, token) if row else None
    if enrolled is None:  # after the commit: a wrong try counts
        raise EnrolmentCodeRefused(minutes=CODE_MINUTES)
    return enrolled


def feed_enrol(*, place_id: UUID, name: str, by: Person) -> tuple[Device, str]:
    """A shoe or shuffler of the table and its token, to be put into it by hand and shown once.

    A feed of the same name at the table is revoked. Raises NotAllowed, DeviceTableUnknown,
    TextRefused.
    """
    name = _checked(by, name)
    with transaction.atomic():
        return _enrol(_place(by, FEED, place_id), FEED, name, by, None)


def _use(code: DeviceCode, text: str, kind: str, token: str) -> tuple[Device, str] | None:
    """Take a code, whose row is locked, or charge the try."""
    if not DeviceCode.objects.filter(pk=code.pk, expires_at__gt=Now()).exists():
        DeviceCode.objects.filter(pk=code.pk).update(ended_at=Now(), ended_as="expired")
        return None
    maker = code.made_by
    if not compare_digest(bytes(code.proof), _proof(text)):
        tries = code.tries + 1
        spent = {"ended_at": Now(), "ended_as": "spent"} if tries >= CODE_TRIES else {}
        DeviceCode.objects.filter(pk=code.pk).update(tries=tries, **spent)
        _record(
            "device.code_spent" if spent else "device.code_refused", code, after={"tries": tries}
        )
        return None
    # they may not any more
    if not maker.has_perm(ENROL_DEVICE) or maker.house_id not in (None, code.house_id):
        return None
    DeviceCode.objects.filter(pk=code.pk).update(ended_at=Now(), ended_as="used")
    return _enrol(code.place, kind, code.name, maker, code, token)


def _enrol(
    place: Table | Jackpot,
    kind: str,
    name: str,
    by: Person,
    code: DeviceCode | None,
    token: str = "",
) -> tuple[Device, str]:
    # The place's row makes two enrolments under one name follow each other.
    type(place).objects.select_for_update(no_key=True).get(pk=place.pk)
    before = Device.objects.select_for_update(no_key=True).filter(
        **_at(place), kind=kind, name=name, revoked_at=None
    )
    for old in before:
        _revoke(old, by, ENROLLED_ANEW)
    token = token or secrets.token_urlsafe(32)
    device = Device.objects.create(
        house_id=place.house_id,
        **_at(place),
        kind=kind,
        name=name,
        token_hash=token_hash(token),
        code=code,
        enrolled_by=by,
    )
    after = _place_data(place) | {
        "kind": kind,
        "name": name,
        "code": str(code.pk) if code else None,
    }
    _record("device.enrolled", device, by=by, after=after)
    return device, token


def token_hash(token: str) -> bytes:
    """What is stored of a token. Its 256 random bits need no slow hash."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


def in_service(tokens: Mapping[UUID, str], kind: str) -> list[UUID]:
    """Of the devices that a browser says it is, by id with their tokens: those that are. One
    statement, however many it says.
    """
    rows = Device.objects.filter(pk__in=list(tokens), kind=kind, revoked_at=None).values_list(
        "pk", "token_hash"
    )
    known = {pk for pk, hashed in rows if bytes(hashed) == token_hash(tokens[pk])}
    return [pk for pk in tokens if pk in known]


def device_revoke(*, device_id: UUID, reason: str, by: Person, lost: bool = False) -> None:
    """Take a device out of service for ever; who is signed in on it is signed out with the next
    request. `lost`: what a tablet has not sent is given up.

    Raises NotAllowed, DeviceUnknown, DeviceRevoked, DeviceUnsent, TextRefused.
    """
    if not by.has_perm(ENROL_DEVICE):
        raise NotAllowed
    reason = check_text(reason.strip(), "reason", least=3, most=200)
    with transaction.atomic():
        device = (
            devices_of(by).select_for_update(of=("self",), no_key=True).filter(pk=device_id).first()
        )
        if device is None:
            raise DeviceUnknown
        if device.revoked_at:
            raise DeviceRevoked
        unsent = may_hold_rounds(device)
        if unsent and not lost:
            raise DeviceUnsent(place=device.table.name if device.table else "")
        _revoke(device, by, reason, after={"given_up": True} if unsent else None)


def _revoke(device: Device, by: Person, reason: str, after: object = None) -> None:
    DeviceSession.objects.filter(device=device, ended_at=None).update(
        ended_at=Now(), ended_as="revoked", ended_by_id=by.pk
    )
    Device.objects.filter(pk=device.pk).update(
        revoked_at=Now(), revoked_by_id=by.pk, revoked_reason=reason
    )
    _record("device.revoked", device, by=by, reason=reason, after=after)


def _checked(by: Person, name: str) -> str:
    if not by.has_perm(ENROL_DEVICE):
        raise NotAllowed
    return check_name(name.strip(), "name", most=40)


def _place(by: Person, kind: str, place_id: UUID) -> Table | Jackpot:
    tables = tables_of(by).filter(retired=False)
    found = (jackpots_of(by) if kind == DISPLAY else tables).filter(pk=place_id).first()
    if found is None:
        raise DeviceJackpotUnknown if kind == DISPLAY else DeviceTableUnknown
    return found


def _at(place: Table | Jackpot) -> dict[str, Any]:
    return {"jackpot" if isinstance(place, Jackpot) else "table": place}


def _place_data(place: Table | Jackpot) -> dict[str, str | None]:
    return {kind: str(one.pk) for kind, one in _at(place).items()}


def _letters() -> str:
    return "".join(secrets.choice(READABLE) for _ in range(HALF))


def _proof(text: str) -> bytes:
    """Keyed, because eight characters alone are soon tried against a stolen table."""
    return salted_hmac("casino.devices.code", text, algorithm="sha256").digest()


def _record(
    name: str,
    subject: Device | DeviceCode,
    *,
    by: Person | None = None,
    after: object = None,
    reason: str = "",
) -> None:
    event_record(
        name,
        subject,
        actor_id=by.pk if by else None,
        after=after,
        reason=reason,
        request_id=request_id(),
    )
