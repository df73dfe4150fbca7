"""What was played, as those see it who only count: the view has each round as it stands, and nobody writes through it."""

import pytest
from django.db import OperationalError, connection, transaction

from tables.models import Hand, Play, Round
from tests.poker import deal, opened, poker_table, sit
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
    refused = pytest.raises(OperationalError, match=r'cannot .* view "tables_play"')
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(write)


def test_a_hand_is_a_play(played: Played) -> None:
    hand = deal(
        played, *(sit(played, seat, table) for table in [opened(played, poker_table(played))] for seat in (1, 2))
    )
    values = Hand.objects.values_list("ended_at", *COLUMNS)
    assert list(Play.objects.filter(kind="hand").values_list("began_at", *COLUMNS)) == list(values)
    assert values.get()[1] == hand.pk
