"""Houses."""

import re
import zoneinfo
from datetime import time
from functools import cache
from uuid import UUID

from payouts.db.constraints import refusing, require_transaction
from payouts.errors import Refused, mark
from payouts.models import House
from payouts.rules.ledger.postings import check_actor
from payouts.rules.plain import check_name
from payouts.services.approved import approval_rules_begin
from payouts.services.event import event_record


class HouseRefused(Refused):
    """A house's particulars make no sense."""

    code = "house.refused"
    sentence = mark("%(field)s: %(why)s.")
    remedy = mark("Give a new name, a currency such as CHF, and a time zone such as Europe/Zurich.")


class GamingDayChangeRefused(HouseRefused):
    """The gaming day would change while the house plays."""

    code = "house.gaming_day_change"
    rule = "HSE-1"
    sentence = mark("The gaming day cannot change at %(given)s.")
    remedy = mark(
        "Give a time of day when the house is closed, from 04:00 to 12:00, such as 06:00."
    )


def house_create(
    *,
    name: str,
    currency: str,
    locale: str = "de-CH",
    time_zone: str = "Europe/Zurich",
    gaming_day_change: str = "06:00",
    actor_id: UUID | None = None,
) -> House:
    """Open the books of a house, with the approval matrix that it starts from.

    `gaming_day_change` is local time, between the last closing and the first opening of any day
    (HSE-1). Raises HouseRefused, GamingDayChangeRefused, TextRefused.
    """
    require_transaction()
    check_name(name, "name", least=2, most=80)
    check_actor(actor_id)
    if not (isinstance(currency, str) and re.fullmatch(r"[A-Z]{3}", currency)):
        raise HouseRefused(field="currency", why=mark("not three capital letters"))
    if not (isinstance(locale, str) and re.fullmatch(r"[a-z]{2}-[A-Z]{2}", locale)):
        raise HouseRefused(field="locale", why=mark("not a language and a country, such as de-CH"))
    if not isinstance(time_zone, str) or time_zone not in _time_zones():
        raise HouseRefused(field="time_zone", why=mark("not a time zone"))
    change = _change_time(gaming_day_change)
    with refusing({"payouts_house_name_key": HouseRefused(field="name", why=mark("taken"))}):
        house = House.objects.create(
            name=name,
            currency=currency,
            locale=locale,
            time_zone=time_zone,
            gaming_day_change=change,
        )
    approval_rules_begin(house_id=house.pk, actor_id=actor_id)
    event_record(
        "house.created",
        house,
        actor_id=actor_id,
        after={
            "name": name,
            "currency": currency,
            "locale": locale,
            "time_zone": time_zone,
            "gaming_day_change": gaming_day_change,
        },
    )
    return house


@cache  # Python reads a directory of 600 files for it
def _time_zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


def _change_time(given: object) -> time:
    """From 04:00, when the latest houses have closed and no clock is put back any more, to 12:00,
    when the first open.
    """
    if not (
        isinstance(given, str) and re.fullmatch(r"(0[4-9]|1[01]):[0-5][0-9]|12:00", given, re.ASCII)
    ):
        raise GamingDayChangeRefused(given=str(given)[:20])
    return time.fromisoformat(given)
