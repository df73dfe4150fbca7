"""The catalogues: whole, in step with the code, and in the spelling of each language."""

import gettext
import io
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import CommandError, call_command

from casino.management.commands import messages
from casino.ops.checks import check_catalogues
from casino.text.catalogues import compile_outdated, outdated
from tests.turns import each

OTHERS = [language for language, _ in settings.LANGUAGES if language != "en"]
NAMED = re.compile(r"%\((\w+)\)")


def catalogue(language: str, root: Path | None = None) -> Catalog:
    path = (root or settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.po"
    return read_po(io.BytesIO(path.read_bytes()), locale=language)


def entries(catalog: Catalog) -> Iterator[tuple[Message, str]]:
    """Each entry with each of its translations (several where there is a plural)."""
    for message in catalog:
        if message.id:
            texts = message.string if isinstance(message.string, list | tuple) else (message.string,)
            yield from ((message, text) for text in texts)


def test_catalogues_are_whole_and_what_the_code_says():
    """Nothing to extract, nothing empty or fuzzy, placeholders equal: the command's own check."""
    call_command("messages", "--check")


@each("language", OTHERS)
def test_every_sentence_can_be_filled_in(language):
    """A lone % or a placeholder that was translated would break a page only when somebody is refused."""
    wrong = []
    for message, text in entries(catalogue(language)):
        source = messages._source(message)
        names = set(NAMED.findall(source))
        if "%" not in source:
            fine = "%" not in text
        else:
            try:
                filled = text % {name: f"<{name}>" for name in names}
            except (KeyError, TypeError, ValueError):
                filled = ""
            fine = bool(filled) and all(f"<{name}>" in filled for name in names)
        if not fine:
            wrong.append((source, text))
    assert wrong == []


def test_no_template_sets_a_colon_of_its_own():
    """Between two things that are shown stands the colon of the language (`|colon`): in French with a space before it."""
    sentences = re.compile(
        r"{% (?:blocktranslate.*?{% endblocktranslate|comment.*?{% endcomment) %}|<style.*?</style>", re.DOTALL
    )
    found = []
    for path in sorted((settings.BASE_DIR / "templates").rglob("*.html")):
        plain = sentences.sub("", path.read_text(encoding="utf-8"))
        found += [(path.name, one[0]) for one in re.finditer(r".{,40}(?:%\}|\}\}|</\w+>): ", plain)]
    assert found == []


FRENCH_SPACE = "\u202f"  # narrow and not broken: before : ; ? » and after «
SPELLING = {
    "de": {r"ß": "ss in Switzerland", r"[„“”\"]\w": "quotation marks are « »", r"«\s|\s»": "no space inside « »"},
    "fr": {
        r"'": "the apostrophe is ’",
        rf"(?<!{FRENCH_SPACE})[:;?»](?=$|[\s<.,)])": "a narrow no-break space before : ; ? »",
        rf"«(?!{FRENCH_SPACE})": "a narrow no-break space after «",
        r"(\)s|\}|\d) (s|h|%%)(?=$|[^\w])": "a narrow no-break space before a unit",
    },
    "it": {r"'": "the apostrophe is ’", r"«\s|\s»": "no space inside « »"},
}


@each(("language", "wrong"), [("fr", r"depuis|dès|jusqu’à"), ("it", r"[dD]all?[ae]?|[dD]elle|fino a|entro le")])
def test_what_comes_before_a_time_fits_it(language, wrong):
    """`time` is a time of day. `when` may begin with a day, `since` and its like bring their word along: no bare word before."""
    bare = re.compile(rf"\b({wrong}) %\((when|since|until|of|at|asked)\)")
    assert [text for _, text in entries(catalogue(language)) if bare.search(text)] == []


# One word per thing (docs/GLOSSARY.md): people reject what others ask for, the system refuses what cannot be, the pit dismisses
# an entry. Each in the words of the other two is another thing.
NO = {
    r"\breject|turn(ed)? \S* ?down": {
        "de": r"[aA]bgelehnt|[aA]blehn|lehnt",
        "fr": r"[rR]ejet",
        "it": r"[rR]espin|[rR]igett",
    },
    r"\brefus": {"de": r"abgewiesen", "fr": r"refus", "it": r"rifiut"},
    r"\bdismiss": {"de": r"[vV]erw[eio]rf", "fr": r"[éÉ]cart", "it": r"[sS]cart"},
}


@each("language", OTHERS)
def test_who_says_no_has_one_word(language):
    wrong = []
    for message, text in entries(catalogue(language)):
        said = {thing for thing, words in NO.items() if re.search(words[language], text)}
        meant = {thing for thing in NO if re.search(thing, messages._source(message), re.IGNORECASE)}
        if meant != said:
            wrong.append((message.id, text))
    assert wrong == []


@each("language", OTHERS)
def test_spelling(language):
    wrong = []
    for message, text in entries(catalogue(language)):
        plain = re.sub(r"<[^>]*>", "", text)  # attributes of tags are no words
        if message.id == "Congratulations!":  # a jackpot was won: here, and nowhere else
            plain = plain.rstrip("!").rstrip()
        for pattern, why in {
            **SPELLING[language],
            r"!": "no exclamation marks",
            r"  |^\s|\s$": "stray spaces",
            r"(.{20,})\1": "said twice",
        }.items():
            if re.search(pattern, plain):
                wrong.append(f"{why}: {text}")
    assert wrong == []


# One thing has one word: who reads "partie" in one place and "manche" in another looks for the difference.
A_ROUND = {"de": "runde", "fr": "manche", "it": r"\bman[oi]\b"}
NOT_A_ROUND = {"fr": r"(?<!qu’en )(?<!fait pas )(?<!%\(count\)s )\bparties?\b", "it": r"\bpartit[ae]\b"}


@each("language", OTHERS)
def test_a_round_is_called_by_one_word(language):
    wrong = []
    for message, text in entries(catalogue(language)):
        says_round = re.search(r"\brounds?\b", NAMED.sub("", messages._source(message)), re.IGNORECASE)
        if says_round and not re.search(A_ROUND[language], text, re.IGNORECASE):
            wrong.append(f"no {A_ROUND[language]}: {text}")
        if language in NOT_A_ROUND and re.search(NOT_A_ROUND[language], text, re.IGNORECASE):
            wrong.append(f"another word: {text}")
    assert wrong == []


# What is named in English, by what it is named in each language (docs/GLOSSARY.md); and words that are of another thing or of none.
THINGS = {
    r"\bclaim": {"de": r"[mM]eld", "fr": r"nnonc", "it": r"nnunc"},
    r"\bprizes?\b": {"de": r"[pP]reis", "fr": r"\b[pP]rix\b", "it": r"\b[pP]remi"},
    r"\bawards?\b": {"de": r"uszahlung", "fr": r"ttribution", "it": r"ssegnazion"},
    r"\bposted tables?\b": {"de": r"Aush[aä]ng", "fr": r"[tT]ableaux? affiché", "it": r"[tT]abell[ae] espost"},
    r"\bseeds?\b": {"de": r"Startwert", "fr": r"[vV]aleurs? de départ", "it": r"[vV]alor[ei] inizial"},
    r"\btrays?\b": {"de": r"Tray", "fr": r"[pP]lateau", "it": r"[vV]assoi"},
    r"\bgaming days?\b": {"de": r"Spieltag", "fr": r"[jJ]ournées? de jeu", "it": r"[gG]iornat[ae] di gioco"},
    r"\btechnician\b": {"de": r"Technik", "fr": r"[tT]echnique", "it": r"[tT]ecnica"},
}
NEVER = {
    "de": r"nterzeichn|Resultat|usbezahlt|Zuteilung|Tableau|\bCoins?\b|\bFloor\b|\b[dD]as Pit\b|Gast (zu )?setzen"
    r"|usgehängte Tabelle",
    "fr": r"clarifi|tables liées|compteur|[rR]âtelier|quinte royale(?! commune)",
    "it": r"scala reale|gettoni|contatore|affiss|database|apparecchio",
}
# Who is addressed is "lei", small within a sentence; what is to be done stands in the infinitive, not as "annulla" or "scegliete".
ADDRESS = (
    r"\S(?<![.:?;]) (Lei|Su[oaei]{1,2})\b|\w[aei]tene?\b"
    r"|^(Annulla|Riapri|Correggi|Esci|Svuota|Chiudi|Registra|Scegli|Prendi|Conferma|Cancella|Chiama|Mostra)\b"
)


@each("language", OTHERS)
def test_a_thing_has_one_word(language):
    wrong = []
    for message, text in entries(catalogue(language)):
        source = NAMED.sub("", messages._source(message))
        for thing, words in THINGS.items():
            if re.search(thing, source, re.IGNORECASE) and not re.search(words[language], text):
                wrong.append(f"{thing} is {words[language]}: {text}")
        if re.search(NEVER[language], text):
            wrong.append(f"another word: {text}")
    assert wrong == []


def test_italian_has_one_form_of_address():
    assert [text for _, text in entries(catalogue("it")) if re.search(ADDRESS, text)] == []


def test_a_new_sentence_is_empty_in_every_language(tmp_path, settings):
    settings.LOCALE_PATHS = [tmp_path]
    call_command("messages", stderr=io.StringIO())
    for language in OTHERS:
        assert {text for _, text in entries(catalogue(language, tmp_path))} == {""}


DAMAGE = {
    "empty": ('msgstr "Prüfen Sie Ihre Eingabe und versuchen Sie es noch einmal."', 'msgstr ""'),
    "fuzzy": ('msgid "This was refused."', '#, fuzzy\nmsgid "This was refused."'),
    "placeholders differ": ("%(name)s: erledigt.", "%(nom)s: erledigt."),
    "the catalogue is not what the code says": ('msgid "This was refused."', 'msgid "This was not refused."'),
}


def complaints() -> set[str]:
    try:
        call_command("messages", "--check")
    except CommandError as error:
        return set(str(error).splitlines())
    return set()


@each("why", DAMAGE)
def test_the_check_finds(why, tmp_path, settings):
    root = shutil.copytree(settings.BASE_DIR / "casino" / "locale", tmp_path / why)
    settings.LOCALE_PATHS = [root]
    known = complaints()  # of a sentence that is new in the code and not translated yet; it must not hide the damage
    path = root / "de" / "LC_MESSAGES" / "django.po"
    before, after = DAMAGE[why]
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")
    assert [line for line in complaints() - known if line.startswith(f"de: {why}")]


def german(locale: Path) -> str:
    """What gettext, by what is compiled there, says of a refusal."""
    with (locale / "de" / "LC_MESSAGES" / "django.mo").open("rb") as compiled:
        return gettext.GNUTranslations(compiled).gettext("This was refused.")


@pytest.fixture
def locale(tmp_path: Path) -> Path:
    """The translations as a clone has them."""
    return shutil.copytree(settings.LOCALE_PATHS[0], tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))


def test_translations_are_compiled_once_and_again_when_one_was_changed(locale: Path, settings: Any) -> None:
    settings.LOCALE_PATHS = [locale]
    [error] = check_catalogues()
    assert (error.msg, error.hint) == (
        "Translations are not compiled: de, fr, it.",
        "Run `manage.py messages --compile`.",
    )
    call_command("messages", "--compile")
    assert (german(locale), check_catalogues()) == ("Das wurde abgewiesen.", [])
    compiled = {path: path.stat() for path in locale.rglob("*.mo")}
    compile_outdated(locale)
    assert {path: path.stat() for path in compiled} == compiled
    po = locale / "de" / "LC_MESSAGES" / "django.po"
    po.write_text(po.read_text("utf-8").replace("Das wurde abgewiesen.", "Das ist abgewiesen."), "utf-8")
    assert outdated(locale) == [po]
    compile_outdated(locale)
    assert (german(locale), outdated(locale)) == ("Das ist abgewiesen.", [])


def test_who_reads_while_something_is_compiled_meets_a_whole_catalogue(locale: Path, monkeypatch: Any) -> None:
    compile_outdated(locale)
    os.utime(locale / "de" / "LC_MESSAGES" / "django.po")

    def half(target: Any, _catalog: Catalog) -> None:
        target.write(b"\xde\x12\x04\x95")
        assert german(locale) == "Das wurde abgewiesen."
        raise KeyboardInterrupt

    monkeypatch.setattr("babel.messages.mofile.write_mo", half)
    with pytest.raises(KeyboardInterrupt):
        compile_outdated(locale)
    assert german(locale) == "Das wurde abgewiesen."
    assert sorted(path.name for path in (locale / "de" / "LC_MESSAGES").iterdir()) == ["django.mo", "django.po"]
