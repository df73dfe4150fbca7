"""Whether somebody restored these books from a backup, or had a standby take over, and has not said
so.

The books keep which server they lie on (`jackpot.models.Incarnation`): a cluster made anew has
another identifier, every recovery from a backup and every promotion a new timeline. Beyond that,
heads of seals kept elsewhere know what books lack that were set back by a copy of their files. What
nothing tells: `docs/OPERATIONS.md`, Restoring.
"""

from datetime import datetime
from pathlib import Path

from django.conf import settings

from casino.ops.seals import Lost, head_lost
from jackpot.selectors.jackpots import Server, servers

RESTORED = (
    "If a backup was restored run `manage.py restored`: jackpots wait until two people have"
    " compared the slips."
)
SUPERSEDED = "Start on that server, and make this one a standby of it anew."
PROMOTED = "If a standby has taken over and nothing is lost run `manage.py promoted`."


def lost() -> Lost | None:
    """What was sealed and is not in these books, as far as heads are kept in a folder that can be
    read here.
    """
    if not settings.SEAL_HEADS:
        return None
    try:
        return head_lost(Path(settings.SEAL_HEADS))
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
    ):  # the worker that keeps heads there says what is wrong with it
        return None


def unexplained_loss() -> tuple[str, str] | None:
    """Why nobody may serve from these books before people have said what happened, and what to do;
    None if they may.
    """
    known, now = servers()
    if gap := lost():
        return _lost(gap, now)
    if known == now:
        return None
    if now.succeeds(known):
        sentence = f"The books go on in {_place(now)}; they are known to lie in {_place(known)}."
        return sentence, f"{RESTORED} {PROMOTED}"
    sentence = f"The books lie in {_place(now)}; they are known to lie in {_place(known)}."
    return sentence, RESTORED


def _lost(gap: Lost, now: Server) -> tuple[str, str]:
    """The sentence and the remedy where heads know of a seal that the books lack."""
    if gap.server and gap.server.succeeds(now):
        sentence = (
            f"Another server went on with these books, in {_place(gap.server)}, and kept the head"
            f" of seal {gap.seal}; this one stands in {_place(now)}."
        )
        return sentence, SUPERSEDED
    at = f"{datetime.fromisoformat(gap.taken_at):%Y-%m-%d %H:%M} UTC"
    sentence = (
        f"The books in {_place(now)} were set back: they lack seal {gap.seal} of {at}, whose head"
        f" {settings.SEAL_HEADS} keeps."
    )
    return sentence, RESTORED


def _place(server: Server) -> str:
    return f"timeline {server.timeline} of the cluster {server.system_identifier} of PostgreSQL"
