"""`manage.py messages`: keep the catalogues of casino/locale in step with the code, without gettext
on the machine.

Extracts from Python and templates, merges into each `django.po`, compiles it. `--check` writes
nothing and fails if anything would change, or an entry is empty, fuzzy, or would break its
placeholders. `--compile` does nothing else: for a deployment. There is no English catalogue: the
sentences of the code are English.
"""

import io
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_python
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation.template import templatize

from casino.text.catalogues import compile_outdated

APPS = ("casino", "tables", "jackpot", "payouts")
KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "mark": None,
}
_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")


class Command(BaseCommand):
    """Bring the catalogues up to date, or say what is not."""

    help = "Extract, merge and compile the catalogues of casino/locale."
    requires_system_checks = []  # it works without a database

    def add_arguments(self, parser: CommandParser) -> None:
        """What it is told."""
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing; fail if anything is missing or stale",
        )
        parser.add_argument(
            "--compile", action="store_true", help="only compile what was translated since"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it for each language."""
        locale: Path = settings.LOCALE_PATHS[0]
        if options["compile"]:
            compile_outdated(locale)
            return
        wrong: list[str] = []
        template = extract(settings.BASE_DIR)
        for language in (language for language, _name in settings.LANGUAGES if language != "en"):
            po = locale / language / "LC_MESSAGES" / "django.po"
            wrong += self._language(language, po, template, write=not options["check"])
        if not options["check"]:
            compile_outdated(locale)
        elif wrong:
            raise CommandError(
                "\n".join(
                    [*wrong, "Run `manage.py messages`, translate what is empty, run it again."]
                )
            )
        for line in wrong:
            self.stderr.write(line)

    def _language(
        self, language: str, po: Path, template: Catalog, *, write: bool
    ) -> Iterator[str]:
        """Merge one catalogue; give what is wrong with it."""
        before = po.read_bytes() if po.exists() else b""
        catalog = read_po(io.BytesIO(before), locale=language)
        # A copy: `update` puts the template's own entries in, and a language must not be filled
        # with another one's words.
        catalog.update(deepcopy(template), no_fuzzy_matching=True, keep_user_comments=False)
        catalog.obsolete.clear()
        text = _po(catalog)
        if write:
            po.parent.mkdir(parents=True, exist_ok=True)
            po.write_bytes(text)
        elif text != before:
            yield f"{language}: the catalogue is not what the code says."
        yield from (f"{language}: {why}: {message.id!r}" for message, why in _faults(catalog))


def extract(root: Path) -> Catalog:
    """All sentences of the project as an empty catalogue, in a stable order."""
    found: dict[tuple[str | None, Any], None] = {}
    for path in sorted(_sources(root)):
        for message, context in _messages(path):
            found.setdefault((context, message))
    catalog = Catalog(project="Saalchef", fuzzy=False)
    for context, message in found:
        catalog.add(message, context=context)
    return catalog


def _sources(root: Path) -> Iterator[Path]:
    for app in APPS:
        yield from (path for path in (root / app).rglob("*.py") if "migrations" not in path.parts)
    yield from (root / "templates").rglob("*.html")


def _messages(path: Path) -> Iterator[tuple[Any, str | None]]:
    """The sentences of one file, each with its context."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        source = templatize(source, origin=str(path))
    found: Iterable[Any] = extract_python(io.BytesIO(source.encode()), KEYWORDS, [], {})
    for _line, keyword, arguments, _comments in found:
        texts = arguments if isinstance(arguments, tuple) else (arguments,)
        context = texts[0] if keyword.startswith(("pgettext", "npgettext")) else None
        texts = texts[1:] if context else texts
        if not texts or not isinstance(texts[0], str) or not texts[0]:
            continue  # a variable, not a sentence: what it holds was marked where it stands
        plural = keyword.startswith(("ngettext", "npgettext"))
        yield (tuple(texts[:2]) if plural else texts[0]), context


def _faults(catalog: Catalog) -> Iterator[tuple[Message, str]]:
    for message in catalog:
        if not message.id:
            continue
        strings = message.string if isinstance(message.string, list | tuple) else (message.string,)
        if not all(strings):
            yield message, "empty"
        elif message.fuzzy:
            yield message, "fuzzy"
        elif any(_placeholders(str(text)) != _placeholders(_source(message)) for text in strings):
            yield message, "placeholders differ"


def _source(message: Message) -> str:
    return message.id[0] if isinstance(message.id, list | tuple) else message.id


def _placeholders(text: str) -> set[str]:
    return set(_PLACEHOLDER.findall(text))


def _po(catalog: Catalog) -> bytes:
    """As text; without header dates and line numbers, which would change with every run."""
    buffer = io.BytesIO()
    write_po(buffer, catalog, width=120, omit_header=True, no_location=True)
    return _header(catalog) + buffer.getvalue()


def _header(catalog: Catalog) -> bytes:
    lines: Iterable[str] = (
        'msgid ""',
        'msgstr ""',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        f'"Language: {catalog.locale_identifier}\\n"',
        f'"Plural-Forms: {catalog.plural_forms}\\n"',
        "",
        "",
    )
    return "\n".join(lines).encode()
