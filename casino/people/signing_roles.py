"""A role that signs is given by two: one manager asks for it, another signs. When,
`casino/sql/person_v4.sql` decides.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db import connection

from casino.people.events import record
from casino.people.models import Person
from payouts.models import Approval
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.plain import Json
from payouts.services import (
    approval_kill_of_person,
    approval_request,
    approval_sign,
    approval_signed,
    approval_use,
)

# Roles, house and whether somebody may sign in count for what is signed: who changes them beside
# the services is found. Demo people are not real, and each start brings them back to what they
# should be.
AUDITS: dict[str, str] = {
    "people_stand_as_the_log_says": """
        SELECT p.id::text AS person_id, p.username FROM casino_person p
        CROSS JOIN LATERAL (
            SELECT e.after FROM payouts_event e WHERE e.subject_kind = 'person'
                AND e.subject_id = p.id::text
                AND e.name IN ('person.bootstrapped', 'person.created', 'person.changed')
                    ORDER BY e.id DESC LIMIT 1) said
        LEFT JOIN LATERAL (
            SELECT CASE e.name WHEN 'person.created' THEN coalesce((e.after ->> 'active')::boolean,
                true)
                ELSE e.name = 'person.activated' END AS active
            FROM payouts_event e WHERE e.subject_kind = 'person' AND e.subject_id = p.id::text
                AND e.name IN ('person.created', 'person.activated', 'person.deactivated')
            ORDER BY e.id DESC LIMIT 1) let_in ON true
        WHERE NOT p.is_demo AND (to_jsonb(p.roles), p.house_id::text, p.is_active) IS DISTINCT FROM
            (said.after -> 'roles', said.after ->> 'house', coalesce(let_in.active, true))
    """,
}
ACTION = "person.sign_role"
LOST_ROLE = "who asked for it or signed it lost the role"


def particulars(person: Person) -> dict[str, Json]:
    """What the log keeps of a person."""
    return {
        "username": person.username,
        "full_name": person.full_name,
        "house": str(person.house_id) if person.house_id else None,
        "roles": list(person.roles),
        "language": person.language,
    }


def must_ask(person: Person, after: Person) -> bool:
    """Whether `person` may stand as `after` only once another manager has signed for it. One
    statement.
    """
    if after.house_id is None or not after.is_active:
        return False
    had = person.roles if person.is_active and person.house_id == after.house_id else []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sign_role_asks_v1(%s, %s, %s, %s)",
            [person.pk, after.house_id, list(after.roles), had],
        )
        return bool(cursor.fetchone()[0])


def sign_role_request(*, person: Person, after: Person, by: Person) -> Approval:
    """Ask that the person may stand as `after`. Who they are and how they stand now is signed with
    it. Raises as the request.
    """
    return approval_request(
        house_id=after.house_id,  # type: ignore[arg-type]  # `must_ask` wants one
        action=ACTION,
        subject_kind="person",
        subject_id=person.pk,
        payload=_payload(person, _standing(after)),
        requester_id=by.pk,
        excluded=[person.pk],
    )


def sign_role_sign(
    *,
    approval_id: UUID,
    house_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> Approval:
    """Sign it; with the last signature the person stands as was signed, in the same transaction.

    Raises ApprovalUnknown, as `approval_sign`, and ApprovalChanged where they do not stand any more
    as whoever asked saw them.
    """
    asked = Approval.objects.filter(pk=approval_id, house_id=house_id, action=ACTION).first()
    if asked is None:
        raise ApprovalUnknown
    # The person before the approval, as who changes them does.
    person = Person.objects.select_for_update(of=("self",), no_key=True).get(pk=asked.subject_id)
    approval = approval_sign(
        approval_id=approval_id,
        house_id=house_id,
        payload_hash=payload_hash,
        signer_id=signer_id,
        signer_roles=signer_roles,
        method=method,
    )
    if approval_signed(approval) >= approval.signers:
        _give(approval, person, Person.objects.get(pk=signer_id))
        approval.refresh_from_db()
    return approval


def _give(approval: Approval, person: Person, signer: Person) -> None:
    after = approval.payload["after"]
    approval_use(
        approval_id=approval.pk,
        house_id=approval.house_id,
        action=ACTION,
        subject_kind="person",
        subject_id=person.pk,
        payload=_payload(person, after),
        actor_id=signer.pk,
    )
    before, was_active, moved = (
        particulars(person),
        person.is_active,
        str(person.house_id) != after["house"],
    )
    person.house_id, person.roles, person.is_active = UUID(after["house"]), after["roles"], True
    person.save(update_fields=["house", "roles", "is_active"])
    if particulars(person) != before:
        record("person.changed", person=person, by=signer, before=before, after=particulars(person))
    if not was_active:
        record("person.activated", person=person, by=signer)
    if moved or set(before["roles"]) - set(person.roles):  # type: ignore[arg-type]  # a list of codes
        left = [] if moved else person.roles
        approval_kill_of_person(person_id=person.pk, roles_left=left, reason=LOST_ROLE)


def _payload(person: Person, after: Json) -> dict[str, Json]:
    told: dict[str, Json] = {
        "person": str(person.pk),
        "username": person.username,
        "full_name": person.full_name,
    }
    return told | {"before": _standing(person), "after": after}


def _standing(person: Person) -> dict[str, Json]:
    """Of which house, with which roles, and whether they may sign in."""
    house = str(person.house_id) if person.house_id else None
    return {"house": house, "roles": list(person.roles), "active": person.is_active}
