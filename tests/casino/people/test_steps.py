"""Steps of the pages: what they all keep to."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import casino
from casino.people.pages import fields
from casino.people.pages.steps import Step


def every(step: type) -> Iterator[type]:
    """The step's heirs, and theirs."""
    for heir in step.__subclasses__():
        yield heir
        yield from every(heir)


def test_fields_refuse_and_never_collect_errors():
    """A field of Django's own would put its sentence into `errors`, which no page shows."""
    for module in pkgutil.walk_packages(casino.__path__, "casino."):
        if module.name.startswith(("casino.pit", "casino.rulesets", "casino.audit", "casino.devices", "casino.home")):
            importlib.import_module(module.name)
    steps: set[type[Any]] = {*every(Step)}
    theirs = {
        f"{step.__module__}.{step.__qualname__}: {name}"
        for step in steps
        for name, field in step.base_fields.items()
        if type(field).clean.__module__ != fields.__name__
    }
    assert len({step.__module__ for step in steps}) >= 12  # they share names
    assert not theirs
