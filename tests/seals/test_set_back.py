"""Books that were set back by a copy of their files are told by the heads of seals that are kept elsewhere."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from casino.ops import restores
from casino.ops.checks import unsafe_database
from casino.ops.models import SealRun
from casino.ops.seals import FILE, head_lost, seals_take, stored_heads
from payouts import seal_keys
from payouts.models import Seal
from payouts.rules.seal import head_of
from tests.cast import make_house
from tests.databases import module_database
from tests.restores import known_as


@pytest.fixture
def heads(settings, tmp_path: Path) -> Path:
    settings.SEAL_KEY_PATH = tmp_path / "key.pem"
    settings.SEAL_HEADS = str(tmp_path / "heads")
    seal_keys.make(settings.SEAL_KEY_PATH)
    return tmp_path / "heads"


@pytest.fixture
def set_back(own_database: str, heads: Path) -> Iterator[str]:
    """The books as they were after their first seal; their second one was sealed in what is lost."""
    make_house()
    seals_take()
    with module_database("backup", own_database) as backup:
        pass_over(own_database)
        make_house("Another")
        seals_take()
        pass_over(backup)
        yield backup


def pass_over(database: str) -> None:
    """Go on in another database."""
    from tests.databases import use

    use(database)


def folder_failed() -> str:
    return SealRun.objects.get(pk="folder").failed


def test_books_that_were_set_back_serve_when_it_is_said(set_back: str, heads: Path, capsys) -> None:
    gone = head_lost(heads)
    assert gone is not None
    assert (gone.seal, gone.head) == (2, stored_heads(heads)[2])
    [found] = unsafe_database()
    assert (found.code, "they lack seal 2 of 20" in found.sentence) == ("database.restored", True)
    assert "manage.py promoted" not in found.remedy
    known_as("timeline = timeline - 1")
    with pytest.raises(CommandError, match="something was lost"):
        call_command("promoted")
    make_house("Third")
    seals_take()
    assert (
        "they lack seal 2, whose head the folder keeps" in folder_failed()
    )  # who serves on meanwhile is told by /readyz

    call_command("restored")
    assert f"Lost: what was sealed up to {gone.taken_at} (seal 2)." in capsys.readouterr().out
    assert unsafe_database() == []
    seals_take()
    make_house("Fourth")
    seals_take()
    assert folder_failed() == ""
    newest = Seal.objects.order_by("-number")[0]
    assert stored_heads(heads) | {newest.number: head_of(newest.statement)} == stored_heads(heads)
    assert unsafe_database() == []


def test_a_folder_that_tells_nothing_holds_nothing_up(set_back: str, heads: Path, settings) -> None:
    whole = (heads / FILE).read_text()
    first, second = whole.splitlines()
    for text in ("", first + "\n", first + "\n" + second[:9], second + "\n", "nothing\nat all\n", "{}\n{}\n"):
        (heads / FILE).write_text(text)  # none, no more than ours, half a line, of other books, spoiled
        assert restores.lost() is None, text
    (heads / FILE).unlink()
    assert restores.lost() is None
    (heads / FILE).write_text(whole)
    assert restores.lost() is not None
    settings.SEAL_HEADS = ""
    assert restores.lost() is None
