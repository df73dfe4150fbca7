"""Guests at a table, as tokens: who sits or stands where, and whose box it is (BOX-1)."""

from uuid import UUID, uuid4

from django.db.models import Max
from django.db.models.functions import Now

from payouts.db.constraints import refusing, require_transaction
from payouts.services import event_record
from tables.errors import (
    BoxOutside,
    BoxOwned,
    CroupierWrong,
    GuestUnknown,
    HasChips,
    SeatWithoutBox,
)
from tables.models import Guest, PokerStay, Table, TableSession
from tables.services.parts import session_of, table_locked

_DISTANCE_MOST = 99


def guest_arrive(
    *,
    house_id: UUID,
    table_id: UUID,
    box: int | None = None,
    seated: bool = False,
    distance: int = 0,
    actor_id: UUID,
    croupier_id: UUID | None = None,
) -> Guest:
    """A guest comes to the table. `box`: the one they own, by sitting at it or by being declared
    its owner.

    `croupier_id`: who must have the table for this; None asks nobody (the pit). Raises
    TableUnknown, TableClosed, CroupierWrong, BoxOutside, BoxOwned, SeatWithoutBox.
    """
    require_transaction()
    table = table_locked(house_id, table_id, any_jackpot=True)
    session = session_of(table)
    _check_duty(session, croupier_id)
    _check_place(table, box, seated=seated, distance=distance)
    number = (
        Guest.objects.filter(session=session).aggregate(Max("number"))["number__max"] or 0
    ) + 1
    with refusing({"guest_one_owner_per_box": BoxOwned(box=box)}):
        guest = Guest.objects.create(
            id=uuid4(),
            house_id=house_id,
            session=session,
            number=number,
            box=box,
            seated=seated,
            distance=distance,
        )
    event_record("guest.arrived", guest, actor_id=actor_id, after=_place(guest))
    return guest


def guest_move(
    *,
    house_id: UUID,
    guest_id: UUID,
    box: int | None,
    seated: bool,
    distance: int,
    actor_id: UUID,
    croupier_id: UUID | None = None,
) -> Guest:
    """A guest takes another place, or gives up a box. `croupier_id` as in `guest_arrive`.

    Raises GuestUnknown, CroupierWrong, HasChips, BoxOutside, BoxOwned, SeatWithoutBox.
    """
    require_transaction()
    guest, table = _present(house_id, guest_id, croupier_id)
    _check_place(table, box, seated=seated, distance=distance)
    before = _place(guest)
    guest.box, guest.seated, guest.distance = box, seated, distance
    with refusing({"guest_one_owner_per_box": BoxOwned(box=box)}):
        guest.save(update_fields=["box", "seated", "distance"])
    event_record("guest.moved", guest, actor_id=actor_id, before=before, after=_place(guest))
    return guest


def guest_leave(
    *, house_id: UUID, guest_id: UUID, actor_id: UUID, croupier_id: UUID | None = None
) -> Guest:
    """A guest leaves the table; what lies there of a running round stays theirs. `croupier_id` as
    in `guest_arrive`.

    Raises GuestUnknown, CroupierWrong, HasChips.
    """
    require_transaction()
    guest, _table = _present(house_id, guest_id, croupier_id)
    guest.left_at = Now()
    guest.save(update_fields=["left_at"])
    guest.refresh_from_db()
    event_record("guest.left", guest, actor_id=actor_id, before=_place(guest))
    return guest


def _check_duty(session: TableSession, croupier_id: UUID | None) -> None:
    if croupier_id is not None and session.croupier_id != croupier_id:
        raise CroupierWrong


def _present(house_id: UUID, guest_id: UUID, croupier_id: UUID | None) -> tuple[Guest, Table]:
    """A guest who is there, and their table, its row held."""
    there = Guest.objects.filter(pk=guest_id, house_id=house_id).select_related("session").first()
    if there is None:
        raise GuestUnknown
    table = table_locked(house_id, there.session.table_id, any_jackpot=True)
    guest = Guest.objects.filter(pk=guest_id, left_at=None, session_id=table.session_id).first()
    if guest is None:
        raise GuestUnknown
    _check_duty(session_of(table), croupier_id)
    if PokerStay.objects.filter(pk=guest_id).exists():
        raise HasChips(seat=guest.box)
    return guest, table


def _check_place(table: Table, box: int | None, *, seated: bool, distance: int) -> None:
    if box is not None and (type(box) is not int or not 1 <= box <= table.boxes):
        raise BoxOutside(layout=table.boxes, box=box)
    known = type(distance) is int and 0 <= distance <= _DISTANCE_MOST and type(seated) is bool
    if not known or (seated and box is None):
        raise SeatWithoutBox


def _place(guest: Guest) -> dict[str, object]:
    return {
        "number": guest.number,
        "box": guest.box,
        "seated": guest.seated,
        "distance": guest.distance,
    }
