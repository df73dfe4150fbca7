"""The schema: without warnings, valid, whole, with an example that is really taken for every command."""

import io
import json
from typing import Any

from django.core.management import call_command

from casino.api.docs import _schema


def operations() -> dict[str, dict[str, Any]]:
    found = {}
    for path, methods in _schema()["paths"].items():
        for method, operation in methods.items():
            found[operation["operationId"]] = operation | {"path": path, "method": method}
    return found


def test_schema_has_no_warning_and_is_valid(tmp_path):
    call_command(
        "spectacular", "--fail-on-warn", "--validate", "--file", str(tmp_path / "schema.yaml"), stderr=io.StringIO()
    )


def test_every_command_has_an_example_and_asks_for_a_key():
    for name, operation in operations().items():
        if operation["method"] != "post":
            continue
        content = operation["requestBody"]["content"]["application/json"]
        assert list(content["examples"]), name
        assert content["schema"]["additionalProperties"] is False, name
        keys = [one for one in operation["parameters"] if one["name"] == "Idempotency-Key"]
        assert [one["required"] for one in keys] == [True], name


def test_every_reference_leads_somewhere():
    text = json.dumps(_schema())
    for part in text.split('"$ref": "')[1:]:
        assert part.split('"')[0].removeprefix("#/components/schemas/") in _schema()["components"]["schemas"]
