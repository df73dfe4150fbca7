"""What we ship of others: named, licensed, unchanged."""

import hashlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "casino" / "static" / "casino"


def test_vendored_files_are_those_that_are_named() -> None:
    named = {}
    for line in (FOLDER / "VENDOR.txt").read_text().splitlines():
        parts = line.split(" | ")
        if len(parts) == 5 and parts[0] != "package":
            named[parts[3]] = parts[4]
    there = {str(path.relative_to(FOLDER)) for path in (FOLDER / "fonts").iterdir()} | {"icons.svg"}
    assert set(named) == there
    for name, digest in named.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, name


def test_every_licence_is_there_in_full() -> None:
    texts = {path.name: path.read_text() for path in (FOLDER / "LICENSES").iterdir()}
    assert set(texts) == {"Barlow-OFL.txt", "Inter-OFL.txt", "Marcellus-OFL.txt", "Tabler-MIT.txt"}
    assert "SIL OPEN FONT LICENSE" in texts["Barlow-OFL.txt"]
    assert "SIL OPEN FONT LICENSE" in texts["Inter-OFL.txt"]
    assert "SIL OPEN FONT LICENSE" in texts["Marcellus-OFL.txt"]
    assert "MIT License" in texts["Tabler-MIT.txt"]


def test_every_icon_used_is_in_the_sprite() -> None:
    pages = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    used = set(re.findall(r'\{% icon "([\w-]+)"', pages)) | set(re.findall(r'picture="([\w-]+)"', pages))
    there = set(re.findall(r'<symbol id="([\w-]+)"', (FOLDER / "icons.svg").read_text()))
    assert used
    assert used <= there


def test_every_font_face_has_its_file() -> None:
    faces = set(re.findall(r'url\("\.\./fonts/([\w.-]+)"\)', (FOLDER / "css" / "tokens.css").read_text()))
    assert faces == {path.name for path in (FOLDER / "fonts").iterdir()}
