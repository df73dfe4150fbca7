"""`make reset`: back to an empty house."""

import shutil
import sys
from pathlib import Path

from casino.launcher.embedded.remnants import end_remnants
from casino.launcher.errors import StartError
from casino.launcher.places import ELSEWHERE, LEFT, find_place, run_lock
from casino.launcher.terminal import Terminal


def reset(root: Path, terminal: Terminal, *, force: bool) -> None:
    """Delete the data of the embedded servers; packages, logs and secrets stay. Asks first. Raises
    StartError.
    """
    place = find_place(root)
    with run_lock(place.var):
        # of seals that go with the house; left, both would accuse the next one
        heads, last = place.var / "seals" / "heads", place.var / "seals" / "last.json"
        folders = [
            folder for folder in (place.postgres_data, place.redis_data, heads) if folder.exists()
        ]
        if folders and not force:
            _ask(folders)
        end_remnants(place)
        for folder in folders:
            shutil.rmtree(folder)
        (place.var / LEFT).unlink(missing_ok=True)
        last.unlink(missing_ok=True)
        if place.home.parent == ELSEWHERE:
            shutil.rmtree(place.home)  # with its copy of the programs
        terminal.say(
            "Deleted: " + ", ".join(map(str, folders))
            if folders
            else "There are no data to delete."
        )


def _ask(folders: list[Path]) -> None:
    names = " and ".join(map(str, folders))
    if not sys.stdin.isatty():
        raise StartError(
            f"This would delete {names} with all data of the house.", "Say so: make reset FORCE=1"
        )
    if input(f"Delete {names} with all data of the house? Type yes: ").strip().lower() != "yes":
        raise StartError("Nothing was deleted.", "Type yes to delete.")
