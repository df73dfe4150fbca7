"""docs/API.md: what it says of refusals, addresses and codes is what the API says. Its commands: `test_guide_run`."""

import json
import re
from uuid import uuid4

from django.conf import settings

from casino.api.docs import _schema
from tests.casino.api.callers import Callers
from tests.casino.api.test_schema import check
from tests.turns import each

GUIDE = (settings.BASE_DIR / "docs" / "API.md").read_text("utf-8")


def test_the_refusal_shown_is_the_one_that_comes(callers: Callers) -> None:
    shown = json.loads(re.search(r"```json\n(.*?)```", GUIDE, re.DOTALL)[1])
    check(shown, {"$ref": "#/components/schemas/Problem"})
    guest = callers.floor.open()[0]
    stakes = [{"box": 1, "guest": str(guest.pk), "kind": kind, "amount_minor": 1501} for kind in ("ante", "blind")]
    path = f"tables/{callers.floor.table.pk}/rounds/{uuid4()}/lock/"
    status, came = callers.tablet.post(path, {"stakes": stakes})
    assert status == shown["status"]
    assert {name: came[name] for name in ("code", "rule", "detail")} == {
        name: shown[name] for name in ("code", "rule", "detail")
    }
    assert came["title"].replace("\xa0", " ") == shown["title"]
    assert set(shown["data"]) == set(came["data"])


@each(
    "path",
    re.findall(r"`((?:rounds|tables|approvals|to-clarify|hits|claims|slips|stays|hands|jackpots)/[^`]*/)`", GUIDE),
)
def test_addresses_named_are_addresses_of_the_api(path: str) -> None:
    known = {re.sub(r"\{\w+\}", "{}", one.removeprefix("/api/")) for one in _schema()["paths"]}
    assert re.sub(r"\{\w+\}", "{}", path) in known


def test_codes_named_are_codes_of_the_project() -> None:
    errors = (settings.BASE_DIR / "docs" / "errors.md").read_text("utf-8")
    named = set(re.findall(r"`((?:command|uth|poker|round|request|jackpot|slip)\.[a-z_]+)`", GUIDE))
    assert len(named) >= 4
    assert [code for code in named if f"| `{code}` |" not in errors] == []
