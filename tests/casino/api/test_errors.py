"""The list of refusals: what the code says, complete, each once, in four languages, with rules that there are."""

import re
from collections import Counter

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from casino.text.refusal_list import page, refusals
from tests.meta.test_catalogues import OTHERS, catalogue
from tests.turns import each


def test_the_page_is_what_the_code_says() -> None:
    call_command("errors", "--check")


def test_a_stale_page_is_found_and_written_anew(settings, tmp_path) -> None:
    settings.BASE_DIR = tmp_path
    (tmp_path / "docs").mkdir()
    with pytest.raises(CommandError, match="stale"):
        call_command("errors", "--check")
    call_command("errors")
    call_command("errors", "--check")
    stale = tmp_path / "docs" / "errors.md"
    stale.write_text(stale.read_text().replace("404", "405"))
    with pytest.raises(CommandError, match="stale"):
        call_command("errors", "--check")


def test_every_code_stands_there_once() -> None:
    codes = Counter(kind.code for kind in refusals())
    text = page()
    assert len(codes) > 150
    assert [code for code, count in codes.items() if count > 1] == []
    assert [code for code in codes if not re.fullmatch(r"[a-z][a-z_]*\.[a-z][a-z_]*", code)] == []
    assert [code for code in codes if f"| `{code}` |" not in text] == []


def test_every_rule_is_in_the_rules() -> None:
    rules = (settings.BASE_DIR / "docs" / "rules.md").read_text()
    assert [kind.code for kind in refusals() if kind.rule and not re.search(rf"\b{kind.rule}\b", rules)] == []


@each("language", OTHERS)
def test_every_sentence_and_remedy_is_said_in_every_language(language: str) -> None:
    found = catalogue(language)
    texts = {text for kind in refusals() for text in (kind.sentence, kind.remedy)}
    assert sorted(text for text in texts if not (found.get(text) and found.get(text).string)) == []
