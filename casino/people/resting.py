"""Who rests: whose sign-in, roles or house another person set within a day. The database decides
(`casino/sql/person_v2.sql`).
"""

from django.db import connection
from django.db.models import BooleanField, Func

from casino.people.models import Person
from payouts.models import House

# A house is exempt until its first lock, so that its first people can sign its rules on the first
# evening.
NOTICES: dict[str, str] = {
    "nobody_rests_before_the_first_lock": """
        SELECT id::text AS house_id, name AS house FROM payouts_house
            WHERE NOT house_has_locked_v1(id)
    """,
}


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
