"""The schema: without warnings, valid, whole, with an example that is really taken for every command."""

import io
import json
from typing import Any
from urllib.parse import unquote

import pytest
from django.core.management import CommandError, call_command
from drf_spectacular.drainage import GENERATOR_STATS, warn
from drf_spectacular.settings import spectacular_settings
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from casino.api import urls
from casino.api.docs import _schema
from casino.api.examples import example_of


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


def resolved(schema: Any) -> Any:
    """The schema with its components inside, for a validator that knows no document around it."""
    if isinstance(schema, dict) and "$ref" in schema:
        return resolved(_schema()["components"]["schemas"][unquote(schema["$ref"]).rpartition("/")[2]])
    if isinstance(schema, dict):
        return {name: resolved(part) for name, part in schema.items()}
    return [resolved(part) for part in schema] if isinstance(schema, list) else schema


def check(value: Any, schema: Any) -> None:
    Draft202012Validator(resolved(schema), format_checker=Draft202012Validator.FORMAT_CHECKER).validate(value)


def test_a_warning_would_be_found(monkeypatch, tmp_path):
    """The control: one warning, and the command fails."""
    monkeypatch.setattr(spectacular_settings, "POSTPROCESSING_HOOKS", [_warning])
    try:
        with pytest.raises(CommandError, match="warn"):
            call_command("spectacular", "--fail-on-warn", "--file", str(tmp_path / "schema.yaml"), stderr=io.StringIO())
    finally:
        GENERATOR_STATS.reset()


def _warning(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    warn("something is not described")
    return result


def test_every_address_is_described():
    described = {path.removeprefix("/api/").replace("{", "<uuid:").replace("}", ">") for path in _schema()["paths"]}
    assert described == {str(one.pattern) for one in urls.urlpatterns} - {"schema/", "docs/"}


def test_every_example_is_what_its_schema_says():
    shown = 0
    for name, operation in operations().items():
        asked = operation.get("requestBody", {"content": {}})["content"]
        answered = {
            (code, kind): one
            for code, answer in operation["responses"].items()
            for kind, one in answer["content"].items()
        }
        assert answered["200", "application/json"]["examples"], name
        for content in [*asked.values(), *answered.values()]:
            for example in content.get("examples", {}).values():
                check(example["value"], content["schema"])
                shown += 1
    assert shown > 80


def test_a_wrong_example_would_be_found():
    with pytest.raises(ValidationError):
        check(
            example_of(_schema()["components"]["schemas"]["Round"], _schema()["components"]["schemas"])
            | {"state": "odd"},
            {"$ref": "#/components/schemas/Round"},
        )


def test_every_operation_says_who_may_ask_and_what_is_refused():
    for name, operation in operations().items():
        assert operation["security"], name
        wanted = {"200", "400", "401", "403", "404", "503"} | (
            {"409", "413", "415", "422"} if operation["method"] == "post" else set()
        )
        assert set(operation["responses"]) == wanted, name
        assert operation["summary"], name
