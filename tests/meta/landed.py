"""Migrations and SQL files that houses have run, with their digests: `landed.txt`, one `<sha256>  <path>` a line.

    make landed     # at a release: adds the files that are new since the last one

A landed file is never edited: a database that has run it would not run it again, and would differ from a new one for ever.
"""

import hashlib
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("landed.txt")
CHANGED = (
    "{}: houses have run this file as it was. Bring it back, and put the change into a new file with the next number:"
    " a function as CREATE OR REPLACE with the same signature in <name>_v<n>.sql, read by a new migration."
)


def digest(path: str) -> str:
    """SHA-256 of a file of the project, in hex; empty if there is no such file."""
    file = ROOT / path
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else ""


def listed() -> dict[str, str]:
    """Digest by path, as noted at the last release."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return {path: noted for noted, _, path in (line.partition("  ") for line in lines)}


def changed() -> list[str]:
    """A sentence for each landed file that is not what it was."""
    return [CHANGED.format(path) for path, noted in listed().items() if digest(path) != noted]


def present() -> list[str]:
    """Every migration and SQL file of the project."""
    found = [*ROOT.glob("*/migrations/[0-9]*.py"), *ROOT.glob("*/sql/*.sql")]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def main() -> None:
    """Note the files that are new; change no line that is there."""
    if wrong := changed():
        sys.exit("\n".join(wrong))
    noted = listed()
    new = [path for path in present() if path not in noted]
    noted |= {path: digest(path) for path in new}
    LIST.write_text("".join(f"{noted[path]}  {path}\n" for path in sorted(noted)), encoding="utf-8")
    print(*(f"landed: {path}" for path in new or ["nothing new"]), sep="\n")


if __name__ == "__main__":
    main()
