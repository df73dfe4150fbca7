"""A tablet that nobody has touched for long, on a page that sees no touch."""

from casino.devices import signin
from casino.devices.alone import idle_s, is_left
from casino.devices.door import DeviceRequest
from casino.tablet.works import works_at


def was_left(request: DeviceRequest) -> bool:
    """Whether the tablet waits for the PIN, also since who has not the table signed in long ago: no
    page here sees a touch.
    """
    if is_left(request.seat):
        return True
    session, table = request.seat.session, request.device.own_table
    if (
        session is None
        or works_at(session.person, table)
        or signin.signed_in_s(session) <= idle_s(table)
    ):
        return False
    signin.device_idle(session=session)
    return True
