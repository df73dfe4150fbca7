"""Folders of the tests' servers: in memory where there is room, private, cleared away once their process is gone."""

import fcntl
import os
import tempfile
from types import SimpleNamespace

import pytest

from tests import memory
from tests.turns import each


@pytest.fixture
def shm(tmp_path, monkeypatch):
    """A folder in place of the memory's, roomy, and one in place of the disk's; nothing that this process holds is let go."""
    place, disk = tmp_path / "shm", tmp_path / "disk"
    place.mkdir()
    disk.mkdir()
    monkeypatch.setattr(memory, "MEMORY", place)
    monkeypatch.setattr(memory, "_held", [])
    monkeypatch.setattr(memory, "_roomy", lambda: True)
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(disk))
    yield place
    for lock in memory._held:
        os.close(lock)


def test_what_a_killed_run_left_is_cleared_away_and_a_living_ones_is_not(shm):
    left, lives, others = shm / f"{memory.PREFIX}left", shm / f"{memory.PREFIX}lives", shm / "somebody-else"
    for folder in (left, lives, others):
        (folder / "base").mkdir(parents=True)
    lock = os.open(lives, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    made = memory.new_folder()
    os.close(lock)
    assert {folder.name for folder in shm.iterdir() if folder.is_dir()} == {lives.name, others.name, made.name}
    assert (lives / "base").is_dir()
    assert made.stat().st_mode & 0o777 == 0o700


def test_two_runs_keep_out_of_each_others_way(shm):
    first = memory.new_folder()
    assert memory.new_folder() != first
    assert first.is_dir()


def test_without_room_it_is_on_the_disk(shm, monkeypatch):
    monkeypatch.setattr(memory, "_roomy", lambda: False)
    assert memory.new_folder().parent == shm.parent / "disk"
    assert list(shm.iterdir()) == []


def test_who_names_a_place_gets_it(shm, monkeypatch):
    monkeypatch.setenv("TMPDIR", "named")
    assert memory.new_folder().parent == shm.parent / "disk"  # tempfile has read TMPDIR before


@each(("free", "wanted"), [(memory.ROOM, True), (memory.ROOM - 1, False)])
def test_room_is_what_a_process_needs(tmp_path, monkeypatch, free, wanted):
    monkeypatch.setattr(memory, "MEMORY", tmp_path)
    monkeypatch.setattr(memory.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    monkeypatch.setattr(memory.Path, "read_text", lambda _: f"MemTotal: 1 kB\nMemAvailable: {1 << 30} kB")
    monkeypatch.setattr(memory.os, "statvfs", lambda _: SimpleNamespace(f_flag=0))
    assert memory._roomy() is wanted
    monkeypatch.setattr(memory.os, "statvfs", lambda _: SimpleNamespace(f_flag=os.ST_NOEXEC))
    assert memory._roomy() is False


def test_without_such_a_folder_there_is_no_room(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "MEMORY", tmp_path / "none")
    assert memory._roomy() is False
