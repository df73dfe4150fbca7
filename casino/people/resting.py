"""Who rests: whose sign-in, roles or house another person set within a day, and who signs while no
second manager has seen what others set of their sign-in. The database decides
(`casino/sql/person_v10.sql`).
"""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import BooleanField, Func

from casino.people.events import record
from casino.people.models import Person
from payouts.models import Approval, Event, House
from payouts.models.approval import WAITING
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.plain import Json
from payouts.services import approval_request, approval_sign, approval_signed, approval_use

# A house is exempt until its first lock, so that its first people can sign its rules on the first
# evening.
NOTICES: dict[str, str] = {
    "nobody_rests_before_the_first_lock": """
        SELECT id::text AS house_id, name AS house FROM payouts_house
            WHERE NOT house_has_locked_v1(id)
    """,
}
ACTION = "person.credential"


class Setting(NamedTuple):
    """The newest event of a sign-in that nobody has seen, and who set it, each once."""

    event_id: int
    setters: list[UUID]


def resting(person: Person) -> bool:
    """Whether the person may not ask for what needs approval, sign, decide about claims or pay, in
    a house that has ever locked.

    Otherwise one manager alone could make themselves the second person. Read from the log, which
    nobody can change.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT person_rests_v1(%s, %s)", [person.pk, person.house_id])
        return bool(cursor.fetchone()[0])


def never_locked(by: Person) -> list[str]:
    """The names of the houses within reach of the person in which nobody rests yet."""
    locked = Func("pk", function="house_has_locked_v1", output_field=BooleanField())
    houses = House.objects.annotate(locked=locked).filter(locked=False).order_by("name")
    if by.house_id is not None:
        houses = houses.filter(pk=by.house_id)
    return list(houses.values_list("name", flat=True))


def unseen(person: Person) -> Setting | None:
    """What of a signer's sign-in a second manager has to see; None where nothing. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT max(id), array_agg(DISTINCT setter) FILTER (WHERE setter IS NOT NULL)"
            " FROM credential_unseen_v1(%(person)s, %(house)s)"
            " WHERE credential_rests_v1(%(person)s, %(house)s)",
            {"person": person.pk, "house": person.house_id},
        )
        [(event_id, setters)] = cursor.fetchall()
    return Setting(event_id, setters or []) if event_id is not None else None


def setting_event(person: Person) -> Event | None:
    """By which act of which other person a signer's sign-in was set, while nobody has seen it."""
    setting = unseen(person)
    if setting is None:
        return None
    names = ("person.created", "password.reset", "sign_in.second_factor_reset")
    rows = Event.objects.filter(subject_kind="person", subject_id=str(person.pk), name__in=names)
    return rows.filter(pk__lte=setting.event_id).select_related("actor").order_by("-pk").first()


def credential_request(person: Person) -> Approval | None:
    """Have a second manager see a signer's sign-in; None where nothing is to be seen, or it waits
    already.
    """
    setting = unseen(person)
    if setting is None or person.house_id is None:
        return None
    same = {"action": ACTION, "subject_kind": "person", "subject_id": str(person.pk)}
    payload = _payload(person, setting.event_id)
    if Approval.objects.filter(WAITING, **same, payload=payload).exists():
        return None
    return approval_request(
        house_id=person.house_id,
        action=ACTION,
        subject_kind="person",
        subject_id=person.pk,
        payload=payload,
        excluded={person.pk, *setting.setters},
    )


def credential_sign(
    *,
    approval_id: UUID,
    house_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> Approval:
    """Sign that it was seen; with the last signature its owner rests no more for it.

    Raises ApprovalUnknown, as `approval_sign`, and ApprovalChanged where it was set again since.
    """
    rows = Approval.objects.filter(pk=approval_id, house_id=house_id, action=ACTION)
    subject = rows.values_list("subject_id", flat=True).first()
    if subject is None:
        raise ApprovalUnknown
    # The person before the approval, as who sets a sign-in does.
    person = Person.objects.select_for_update(of=("self",), no_key=True).get(pk=subject)
    approval = approval_sign(
        approval_id=approval_id,
        house_id=house_id,
        payload_hash=payload_hash,
        signer_id=signer_id,
        signer_roles=signer_roles,
        method=method,
    )
    if approval_signed(approval) < approval.signers:
        return approval
    setting = unseen(person)
    payload = _payload(person, setting.event_id if setting else None)
    approval_use(
        approval_id=approval.pk,
        house_id=house_id,
        action=ACTION,
        subject_kind="person",
        subject_id=person.pk,
        payload=payload,
        actor_id=signer_id,
    )
    record("sign_in.seen", person=person, by=Person.objects.get(pk=signer_id), after=payload)
    approval.refresh_from_db()
    return approval


def _payload(person: Person, event_id: int | None) -> dict[str, Json]:
    return {
        "person": str(person.pk),
        "username": person.username,
        "full_name": person.full_name,
        "event": event_id,
    }
