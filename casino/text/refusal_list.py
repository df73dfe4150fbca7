"""Every refusal of the project as one page: code, HTTP status, rule, sentence and remedy
(`docs/errors.md`).
"""

import importlib
import pkgutil
from collections.abc import Iterator

from casino.text.problems import STATUS
from payouts.errors import Refused

APPS = ("casino", "tables", "jackpot", "payouts")
_WITHOUT = ("casino.launcher", "casino.management", "casino.asgi", "casino.wsgi", "casino.celery")

HEAD = """\
# Refusals

*Written by `manage.py errors`; do not edit.*

Whatever is refused leaves the API as a problem document (RFC 9457, `application/problem+json`):
`title` says what happened, `detail` what to do, both in the caller's language (German, English,
French, Italian); programs go by `code`, `rule` and `data`, which do not change with the language.
After a refusal nothing was written but what it says itself (`to_clarify`: kept for the pit) and a
wrong PIN or code, which is counted. What no row names is answered as `http.400`, `http.403` or
`http.500` (something broke on our side; nothing was written, ask again under the same key).

`%(name)s` stands for a value of `data`. A rule is one of [rules.md](rules.md).
"""


def refusals() -> list[type[Refused]]:
    """Every refusal that can be raised, by code; a class that only groups others is none."""
    for app in APPS:
        package = importlib.import_module(app)
        for module in pkgutil.walk_packages(package.__path__, f"{app}."):
            if not module.name.startswith(_WITHOUT) and ".migrations" not in module.name:
                importlib.import_module(module.name)
    found = {kind for kind in _below(Refused) if kind.__module__.partition(".")[0] in APPS}
    said = [kind for kind in found if kind.sentence != Refused.sentence]
    return sorted(
        (kind for kind in said if "code" in vars(kind)), key=lambda kind: (kind.code, kind.__name__)
    )


def page() -> str:
    """The whole page, in Markdown."""
    lines, group = [HEAD], ""
    for kind in refusals():
        noun = kind.code.partition(".")[0]
        if noun != group:
            group = noun
            lines += [
                "",
                f"## {noun}",
                "",
                "| code | HTTP | rule | says | what to do |",
                "| --- | --- | --- | --- | --- |",
            ]
        status = STATUS[kind.kind]
        says, to_do = (text.replace("|", "\\|") for text in (kind.sentence, kind.remedy))
        lines.append(f"| `{kind.code}` | {status} | {kind.rule or ''} | {says} | {to_do} |")
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def _below(kind: type[Refused]) -> Iterator[type[Refused]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)
