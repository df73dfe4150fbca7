"""Seals as a house takes them: its key, and the heads that it keeps elsewhere. By the clock
(`casino/tasks.py`).

A head is the digest of a seal's statement, and through the chain of all that was sealed before.
Whoever holds a head of yesterday can tell tomorrow whether yesterday was rewritten, even by
somebody who has the database and the key. So heads go to a folder (on another machine, where
possible) and to a webhook. Neither holds anything up: what fails is written down, shown by
`/readyz`, and made good by the next run.
"""

import fcntl
import json
import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import NamedTuple
from urllib.request import Request, build_opener

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models.functions import Now
from structlog import get_logger

from casino.database import alone
from casino.ops.models import SealRun
from jackpot.models import Incarnation
from jackpot.selectors.jackpots import Server, servers
from jackpot.services import continuation
from jackpot.services.continuation import SealsAstray
from payouts import seal_keys
from payouts.errors import Refused
from payouts.models import Seal
from payouts.rules.seal import head_of
from payouts.seal_keys import LastSigned
from payouts.services import seal_take

WORK_S = 30  # of one run: what is left after a long pause is sealed by the next ones
LIMIT_S = WORK_S + 15  # of one run with what is kept elsewhere
IDLE_S = 600  # without new rows a seal is taken so often, to show that nothing came
WEBHOOK_S = 5
AGAIN = timedelta(minutes=1)  # a place that failed is left alone so long: it would hold the next up
KEEP_LOCK = 7_202_611_281  # advisory: held by who keeps heads elsewhere
FILE, TAIL = "heads.jsonl", 4096  # a line is far shorter

log = get_logger(__name__)


def seals_take() -> int:
    """Seal all that was committed, then keep the heads elsewhere; gives how many seals were taken.
    What fails is written down.

    Raises nothing that a missing key, a full disk or a dead network can cause.
    """
    key, count, end = settings.SEAL_KEY_PATH, 0, monotonic() + WORK_S
    try:
        signer = seal_keys.signer(key)
        while taken := seal_take(signer=signer, idle_s=IDLE_S, check=continuation.check):
            seal_keys.remember(key, LastSigned(taken.seal.number, taken.statement.head()))
            count += 1
            if not taken.full or monotonic() > end:
                break
    except SealsAstray as astray:
        continuation.ask()
        _note("seal", astray.text())
        return count
    except (Refused, OSError) as failed:
        _note("seal", failed.text() if isinstance(failed, Refused) else str(failed))
        return count
    _note("seal", "")
    _keep("folder", settings.SEAL_HEADS, _keep_in_folder)
    _keep("webhook", settings.SEAL_WEBHOOK, _post)
    return count


def _keep(what: str, place: str, keep: Callable[[Seal], None]) -> None:
    """Have the newest head kept at a place, if there is one that it lacks, or the last try
    failed a minute ago.
    """
    newest = Seal.objects.order_by("-number").first()
    runs = SealRun.objects.filter(pk=what)
    if not place:
        runs.filter(failed__gt="").update(failed="")  # nobody asks for it any more
        return
    is_due = not runs.filter(failed__gt="", at__gt=Now() - AGAIN).exists()
    if newest and is_due and not runs.filter(number=newest.number, failed="").exists():
        with alone(KEEP_LOCK) as free:  # a place that hangs has one worker hang, not all
            if free:
                _try(what, newest, keep)


def _try(what: str, newest: Seal, keep: Callable[[Seal], None]) -> None:
    try:
        keep(newest)
    except (OSError, ValueError, SoftTimeLimitExceeded) as error:  # urllib's errors are OSErrors
        _note(what, f"{type(error).__name__}: {error}")
    else:
        _note(what, "")


def _note(what: str, failed: str) -> None:
    """Write down how a try went; the number moves only with success."""
    if failed:
        log.error("seal_failed", what=what, reason=failed)
    newest = Seal.objects.order_by("-number").values_list("number", flat=True).first() or 0
    row = SealRun(what=what, number=0 if failed else newest, at=Now(), failed=failed[:200])
    moved = ["at", "failed"] if failed else ["number", "at", "failed"]
    SealRun.objects.bulk_create(
        [row], update_conflicts=True, unique_fields=["what"], update_fields=moved
    )


def head_line(seal: Seal, server: Server) -> dict[str, object]:
    """What is kept of a seal: enough to know it again, and the server that it lies on."""
    return {
        "seal": seal.number,
        "taken_at": seal.taken_at.isoformat(),
        "head": head_of(seal.statement),
        **server._asdict(),
    }


def stored_heads(folder: Path) -> dict[int, str]:
    """The heads of a folder, by number; none where there is no file. Raises OSError, ValueError
    where it cannot be read.
    """
    path = folder / FILE
    if not path.exists():
        return {}
    with path.open(encoding="utf-8") as text:
        return {int(line["seal"]): str(line["head"]) for line in map(json.loads, text)}


class Lost(NamedTuple):
    """The newest head that a folder keeps, where it is of these books and they know nothing of it:
    they were set back. `server`: where it lay, None of heads from before that was kept.
    """

    seal: int
    taken_at: str
    head: str
    server: Server | None = None


def head_lost(folder: Path) -> Lost | None:
    """What these books have lost by the heads of a folder; None if nothing, and once `manage.py
    restored` has said that it is so.

    Also where they begin otherwise: seals that were made anew look like that, and other books; and
    where a server that took over has kept a head of ours, whatever it has sealed since.
    Raises OSError, ValueError, KeyError, TypeError where it cannot be read.
    """
    path = folder / FILE
    if not path.exists():
        return None
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
        last = file.read().rpartition(b"\n")[0].rpartition(b"\n")[2]
    if not last:
        return None
    newest = json.loads(last)
    if Incarnation.objects.filter(lost_head=newest["head"]).exists():
        return None
    server = None
    if "timeline" in newest:
        server = Server(int(newest["system_identifier"]), int(newest["timeline"]))
    if _is_ours(newest) and not (server and server.succeeds(servers()[1])):
        return None
    at = datetime.fromisoformat(newest["taken_at"])
    return Lost(newest["seal"], at.isoformat(), newest["head"], server)


def _is_ours(line: dict[str, object]) -> bool:
    statement = (
        Seal.objects.filter(number=int(str(line["seal"])))
        .values_list("statement", flat=True)
        .first()
    )
    return statement is not None and head_of(statement) == line["head"]


def _keep_in_folder(newest: Seal) -> None:
    """Add the heads that the folder lacks; on its disk when this returns. One writes at a time, and
    half a line is made whole.
    """
    folder = Path(settings.SEAL_HEADS)
    if lost := head_lost(folder):
        raise ValueError(
            f"these books were set back: they lack seal {lost.seal}, whose head the folder keeps"
        )
    folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    with (folder / FILE).open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - TAIL))
        lines, _, half = file.read().rpartition(b"\n")
        file.truncate(end - len(half))
        last = json.loads(lines.rpartition(b"\n")[2])["seal"] if lines else 0
        server = servers()[1]
        for seal in (
            Seal.objects.filter(number__gt=last, number__lte=newest.number)
            .order_by("number")
            .iterator(500)
        ):
            file.write(json.dumps(head_line(seal, server)).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _post(newest: Seal) -> None:
    """Send the newest head; it speaks for all before it."""
    body = json.dumps({"instance": settings.INSTANCE, **head_line(newest, servers()[1])}).encode()
    request = Request(settings.SEAL_WEBHOOK, body, {"Content-Type": "application/json"})  # noqa: S310  (http or https: settings)
    build_opener().open(request, timeout=WEBHOOK_S).close()
