"""Steps of the pages: what they all keep to."""

import importlib
import pkgutil
from collections.abc import Iterator

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
    steps = {step.__name__: step for step in every(Step)}
    theirs = {
        f"{name}.{field.__class__.__name__}"
        for name, step in steps.items()
        for field in step.base_fields.values()
        if type(field).clean.__module__ != fields.__name__
    }
    assert "_Open" in steps
    assert not theirs
