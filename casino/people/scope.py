"""Row scope: whom a person may reach."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

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


def name_for(by: Person, person: Person) -> str:
    """What `person` is called before `by`, where something is of the whole installation: people of
    other houses have no name there.
    """
    return person.full_name if in_scope(by, person) else _("not of this house")
