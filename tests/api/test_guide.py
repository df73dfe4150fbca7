"""docs/API.md: its curl commands are sent as they stand there, and what it says of refusals is what the API says."""

import json
import re
import shlex
from uuid import uuid4

import pytest
from django.conf import settings

from casino.api.docs import _schema
from tests.api.callers import Callers
from tests.api.test_schema import check

GUIDE = (settings.BASE_DIR / "docs" / "API.md").read_text("utf-8")
COMMANDS = re.search(r"```sh\n(.*?)```", GUIDE, re.DOTALL)[1].replace("\\\n", " ")


def test_the_curl_commands_are_taken(callers: Callers) -> None:
    guest = callers.floor.open()[0]
    round_id = str(uuid4())
    values = {
        "HOUSE": "",
        "TABLE": str(callers.floor.table.pk),
        "ROUND": round_id,
        "GUEST": str(guest.pk),
        "COOKIE": "x",
    }
    values["DEVICE"] = str(callers.tablet.device.pk)
    answered = []
    for line in COMMANDS.splitlines():
        if not line.startswith("curl"):
            continue
        for name, value in values.items():
            line = line.replace(f"${name}", value)
        words = shlex.split(line)
        address = next(word for word in words if word.startswith("/api/")).removeprefix("/api/")
        headers = dict(words[at + 1].split(": ") for at, word in enumerate(words) if word == "-H")
        assert "$" not in line
        assert headers["X-Saalchef-Device"] == values["DEVICE"]
        if "-X" not in words:
            answered.append(callers.tablet.get(address))
            continue
        assert words[words.index("-X") + 1] == "POST"
        body = words[words.index("-d") + 1]
        answered.append(callers.tablet.raw(address, body.encode(), headers["Idempotency-Key"]))
    assert [status for status, _body in answered] == [200, 200, 200, 200], answered
    assert (answered[2][1]["answer"]["revision"], answered[3][1]["source"]) == (2, "cards")


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


@pytest.mark.parametrize(
    "path", re.findall(r"`((?:rounds|tables|approvals|to-clarify|hits|claims|slips|jackpots)/[^`]*/)`", GUIDE)
)
def test_addresses_named_are_addresses_of_the_api(path: str) -> None:
    known = {re.sub(r"\{\w+\}", "{}", one.removeprefix("/api/")) for one in _schema()["paths"]}
    assert re.sub(r"\{\w+\}", "{}", path) in known


def test_codes_named_are_codes_of_the_project() -> None:
    errors = (settings.BASE_DIR / "docs" / "errors.md").read_text("utf-8")
    named = set(re.findall(r"`((?:command|uth|round|request|jackpot|slip)\.[a-z_]+)`", GUIDE))
    assert len(named) >= 4
    assert [code for code in named if f"| `{code}` |" not in errors] == []
