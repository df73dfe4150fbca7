"""What was played, as those see it who only count: the view has each round as it stands, and nobody writes through it."""

import pytest
from django.db import ProgrammingError, connection, transaction

from tables.models import Play, Round
from tests.tables.played import Played

COLUMNS = (
    *("id", "house_id", "table_id", "session_id", "number", "state", "revision"),
    *("entry_level", "ended_at", "queued", "croupier_id"),
)


def test_each_round_is_a_play(played: Played) -> None:
    rounds = Round.objects.order_by("pk").values_list("locked_at", *COLUMNS)
    plays = Play.objects.order_by("pk").values_list("began_at", *COLUMNS)
    assert list(plays) == list(rounds)
    assert {one.state for one in Round.objects.all()} == {*Round.State.values}
    assert set(Play.objects.values_list("kind", flat=True)) == {"round"}


@pytest.mark.parametrize("write", ["DELETE FROM tables_play", "UPDATE tables_play SET queued = true"])
def test_nobody_writes_through_the_view(played: Played, write: str) -> None:
    refused = pytest.raises(ProgrammingError, match="permission denied for view tables_play")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(write)
