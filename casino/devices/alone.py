"""Whether a tablet was left alone, as the server knows it.

Note [The page first]: the page counts every touch, asks for the PIN after `idle_minutes` of the
floor rules, and tells of its touches, or that a round or hand runs on it, once a minute. The server
counts commands and what is so told, and waits GRACE_S longer: where the page lives, it is the first
to ask. What was queued is taken at any time, and is no sign of anybody.
"""

from django.db.models.functions import Now

from casino.devices.models import DeviceSession
from casino.devices.refusals import DeviceIdle
from casino.devices.signin import Seat, device_idle, passed_s
from tables.models import Round, Table
from tables.rules.floor import IDLE_MINUTES
from tables.services.parts import rules_of

NOTED_S = 60  # how often at most it is written down that a tablet is used
GRACE_S = 300  # notes that come late, and the minute between two of them


def idle_s(table: Table) -> int:
    """After how many seconds a tablet that nobody touches asks for the PIN; by default where the
    table is closed.
    """
    minutes = rules_of(table.session.versions).floor.idle_minutes if table.session else IDLE_MINUTES
    return minutes * 60


def unused_s(session: DeviceSession) -> float:
    """How long ago a person last did something on the tablet."""
    return passed_s(session, since=session.used_at or session.began_at)


def is_left(seat: Seat) -> bool:
    """Whether the tablet waits for the PIN of its person: since its page says so, or because nobody
    has used it for long while no round runs at its table. That is written down.
    """
    session = seat.session
    if session is None or session.idle_at is not None:
        return seat.is_idle
    table = seat.device.own_table
    unused = unused_s(session)
    if unused <= GRACE_S or unused <= idle_s(table) + GRACE_S or _runs(table):
        return False
    device_idle(session=session)
    return True


def tablet_use(seat: Seat) -> None:
    """A person does something on the tablet: it is in use from now on. Raises DeviceIdle."""
    if is_left(seat):
        raise DeviceIdle
    session = seat.session
    if session and unused_s(session) >= NOTED_S:
        DeviceSession.objects.filter(pk=session.pk, ended_at=None, idle_at=None).update(
            used_at=Now()
        )


def _runs(table: Table) -> bool:
    return Round.objects.filter(table_id=table.pk, state=Round.State.LOCKED).exists()
