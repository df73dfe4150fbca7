"""Who is signed in on a device, by the device's token. Every call of a tablet asks first, so it is
one prepared statement: to write and plan five joined tables anew takes as long as locking a round.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model

from casino.devices.models import Device, DeviceSession
from casino.people.models import Person
from payouts.db.fast_calls import call
from payouts.models import House
from tables.models import Table

# not read: who is signed in needs to prove nothing more
_SECRET = {"token_hash", "password", "pin"}
_MODELS: dict[str, type[Model]] = {
    "s": DeviceSession,
    "d": Device,
    "t": Table,
    "h": House,
    "p": Person,
}
_FROM = (
    " FROM casino_devicesession s JOIN casino_device d ON d.id = s.device_id LEFT JOIN tables_table"
    " t ON t.id = d.table_id JOIN payouts_house h ON h.id = d.house_id JOIN casino_person p ON p.id"
    " = s.person_id WHERE d.token_hash = $1::bytea AND d.revoked_at IS NULL AND s.ended_at IS NULL"
)


def open_session(token_hash: bytes) -> tuple[DeviceSession, bool] | None:
    """The sign-in that is open on the device in service with this token, and whether its time is
    over; one statement.

    It comes with its person, device, house and table.
    """
    found = call(_statement(), [token_hash])
    if not found:
        return None
    *rows, read_at, over = json.loads(found[0])
    session, device, table, house, person = (
        _made(*made) for made in zip(_MODELS.values(), rows, strict=True)
    )
    device.house = house
    if device.table_id:
        device.table = table
    if person.house_id == device.house_id:
        person.house = house
    session.device, session.person = device, person
    session.read_at = datetime.fromisoformat(read_at)
    return session, over


def _columns(model: type[Model]) -> list[Any]:
    return [field for field in model._meta.concrete_fields if field.attname not in _SECRET]


@cache
def _statement() -> str:
    rows = (
        f"json_build_array({', '.join(f'{alias}.{field.column}' for field in _columns(model))})"
        for alias, model in _MODELS.items()
    )
    return (
        f"SELECT json_build_array({', '.join(rows)}, statement_timestamp(),"
        f" s.expires_at <= statement_timestamp()){_FROM}"
    )


def _made(model: type[Model], values: Sequence[Any]) -> Any:
    fields = _columns(model)
    plain = [field.to_python(value) for field, value in zip(fields, values, strict=True)]
    return model.from_db(DEFAULT_DB_ALIAS, [field.attname for field in fields], plain)
