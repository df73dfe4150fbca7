"""What houses have run stays as it was: their databases will not run it again."""

from pathlib import Path

import pytest

from tests.meta import landed


def test_no_landed_migration_or_sql_file_was_changed() -> None:
    assert landed.changed() == []


def test_list_holds_the_first_migration_of_each_app_and_each_path_once() -> None:
    lines = landed.LIST.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(landed.listed())
    first = [path for path in landed.present() if "/migrations/0001_" in path]
    assert len(first) == 4
    assert set(first) <= set(landed.listed())


def test_change_is_named_with_the_way_out_and_new_files_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(landed, "ROOT", tmp_path)
    monkeypatch.setattr(landed, "LIST", tmp_path / "landed.txt")
    landed.LIST.touch()
    (tmp_path / "app/migrations").mkdir(parents=True)
    (tmp_path / "app/sql").mkdir()
    (tmp_path / "app/migrations/__init__.py").touch()
    (tmp_path / "app/migrations/0001_first.py").write_text("first")
    landed.main()
    (tmp_path / "app/sql/guard_v1.sql").write_text("guard")
    landed.main()
    assert capsys.readouterr().out == "landed: app/migrations/0001_first.py\nlanded: app/sql/guard_v1.sql\n"
    assert list(landed.listed()) == ["app/migrations/0001_first.py", "app/sql/guard_v1.sql"]
    assert landed.changed() == []

    before = landed.LIST.read_text()
    (tmp_path / "app/sql/guard_v1.sql").write_text("another guard")
    (tmp_path / "app/migrations/0001_first.py").unlink()
    with pytest.raises(SystemExit, match=r"0001_first\.py: houses have run.*\n.*guard_v1\.sql: .*new file"):
        landed.main()
    assert landed.LIST.read_text() == before
