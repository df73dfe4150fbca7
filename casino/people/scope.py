"""Row scope: whom a person may reach."""

from django.db.models import QuerySet

from casino.people.models import Person


def in_scope(by: Person, person: Person) -> bool:
    """Whether `person` is of the house of `by`; a person without house (manager of the
    installation) reaches everybody.
    """
    return by.house_id is None or by.house_id == person.house_id


def people_of(by: Person) -> QuerySet[Person]:
    """The people whom `by` may see."""
    people = Person.objects.select_related("house")
    return people if by.house_id is None else people.filter(house_id=by.house_id)
