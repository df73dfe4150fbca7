from collections.abc import Iterator

import pytest

from tests.databases import module_database, use
from tests.tables.played import Played
from tests.worlds import for_module

played = for_module(Played)


@pytest.fixture
def own_copy(played: Played, django_db_blocker: object) -> Iterator[str]:
    """A copy of the played floor's database, for what cannot be rolled back; gives its name."""
    with django_db_blocker.unblock():
        with module_database("played_copy", played.database) as name:
            yield name
        use(played.database)
