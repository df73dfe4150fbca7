"""`make demo`: an evening with a double royal on the house of this folder, told step by step; the
house is started if none runs.
"""

import http.client
import os
import signal
import subprocess
import sys
import threading
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from casino.launcher.errors import StartError
from casino.launcher.places import LEFT
from casino.launcher.processes import die_with_parent
from casino.simulate.demo import evening

LAST_LINE = b"Logs:"  # of what the house says when it is ready


def demo(root: Path) -> int:
    """Play the demo; gives the exit status of the evening. Raises StartError where no house comes
    up.
    """
    # whoever ends it finds the floor in order
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    left = root / "var" / LEFT
    seed, speed, take = (os.environ.get(name, "") for name in ("SEED", "SPEED", "TAKE"))
    address = running(root)
    if address:
        return evening(address, left, seed, speed, take=take == "1")
    with own_house(root) as address:
        status = evening(address, left, seed, speed, take=take == "1")
        sys.stdout.write(
            f"\nThe house runs on at {address}/ for you to look around. Stop: Ctrl-C\n"
        )
        sys.stdout.flush()
        try:
            signal.pause()
        except KeyboardInterrupt:
            sys.stdout.write("\n")
    return status


def running(root: Path) -> str:
    """The address of this folder's house, if it runs and answers; else nothing."""
    try:
        words = (root / "var" / "run.lock").read_text().split()
    except OSError:
        return ""
    return words[0].rstrip("/") if words and answers(words[0]) else ""


def answers(address: str) -> bool:
    """Whether a house answers there; an audit that found something does not keep anybody from
    playing.
    """
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(address).netloc, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


@contextmanager
def own_house(root: Path) -> Iterator[str]:
    """Start the house of this folder, and stop it at the end; gives its address. Raises
    StartError."""
    process = subprocess.Popen(
        [sys.executable, "-m", "casino.launcher", "run"],
        cwd=root,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the evening first
        preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509  (there are no threads yet)
    )
    rest = threading.Thread(target=relay, args=(process,), daemon=True)
    try:
        relay(process, until=LAST_LINE)
        address = running(root)
        if not address:
            raise StartError(
                "No house came up for the demo.",
                "What it says above tells why; `make run` alone starts it.",
            )
        rest.start()
        yield address
    finally:
        with process:  # waits, and closes its output
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            process.wait()
            if rest.ident is not None:
                rest.join()


def relay(process: "subprocess.Popen[bytes]", until: bytes | None = None) -> None:
    """Pass on what the house says, as far as a line that begins so, or to its end."""
    assert process.stdout is not None
    for line in process.stdout:
        sys.stdout.buffer.write(line)
        sys.stdout.flush()
        if until is not None and line.startswith(until):
            return
