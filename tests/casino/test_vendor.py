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
    folders = [FOLDER / "fonts", FOLDER / "vendor"]
    there = {str(path.relative_to(FOLDER)) for folder in folders for path in folder.iterdir()} | {"icons.svg"}
    assert set(named) == there
    for name, digest in named.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, name


def test_every_licence_is_there_in_full() -> None:
    texts = {path.name: path.read_text() for path in (FOLDER / "LICENSES").iterdir()}
    fonts, scripts = (
        ("Barlow", "Inter", "Marcellus"),
        {
            "Preact-MIT.txt",
            "Signals-MIT.txt",
            "htm-Apache-2.0.txt",
            "idb-ISC.txt",
            "Idiomorph-0BSD.txt",
            "uPlot-MIT.txt",
        },
    )
    assert set(texts) == {f"{font}-OFL.txt" for font in fonts} | {"Tabler-MIT.txt"} | scripts
    assert "SIL OPEN FONT LICENSE" in texts["Barlow-OFL.txt"]
    assert "SIL OPEN FONT LICENSE" in texts["Inter-OFL.txt"]
    assert "SIL OPEN FONT LICENSE" in texts["Marcellus-OFL.txt"]
    assert "MIT License" in texts["Tabler-MIT.txt"]
    assert all("MIT License" in texts[f"{name}-MIT.txt"] for name in ("Preact", "Signals"))
    assert "Apache License" in texts["htm-Apache-2.0.txt"]
    assert "ISC License" in texts["idb-ISC.txt"]
    assert "BSD" in texts["Idiomorph-0BSD.txt"]
    assert "MIT License" in texts["uPlot-MIT.txt"]


def test_every_icon_used_is_in_the_sprite() -> None:
    pages = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    scripts = "".join(path.read_text() for path in (FOLDER / "tablet" / "app").glob("*.js"))
    used = set(re.findall(r'\{% icon "([\w-]+)"', pages)) | set(re.findall(r'picture="([\w-]+)"', pages + scripts))
    used |= set(re.findall(r'icon\("([\w-]+)"', scripts))
    there = set(re.findall(r'<symbol id="([\w-]+)"', (FOLDER / "icons.svg").read_text()))
    assert used
    assert used <= there


def test_every_font_face_has_its_file() -> None:
    faces = set(re.findall(r'url\("\.\./fonts/([\w.-]+)"\)', (FOLDER / "css" / "tokens.css").read_text()))
    assert faces == {path.name for path in (FOLDER / "fonts").iterdir()}
