"""Who works at a tablet's table."""

from casino.games import screens_of
from casino.people.models import Person
from casino.people.permissions import DEAL, RUN_FLOOR
from tables.models import Table
from tables.services.counts.parts import CHIPS


def works_at(person: Person, table: Table) -> bool:
    """Whether the round is shown to this person: who has the table, and a supervisor, where the
    game is entered on a tablet.
    """
    if not screens_of(table.game).TABLET:
        return False
    session = table.session
    return session is not None and (session.croupier_id == person.pk or person.has_perm(RUN_FLOOR))


def counts_at(person: Person, table: Table) -> bool:
    """Whether this person may count the tray here: of a table that names its chips."""
    versions = table.session.versions if table.session else table.posted
    if table.retired or CHIPS not in versions:
        return False
    return person.has_perm(DEAL) or person.has_perm(RUN_FLOOR)
