"""Steps that nobody takes: worker and beat are dead, and the hub of the web process does them."""

from collections.abc import Iterator

import pytest

from jackpot.models import Jackpot
from tests.casino.live.conftest import web_process
from tests.casino.live.evening import FOLDS, Evening
from tests.casino.live.places import next_of, until
from tests.casino.ops.own_servers import wait_for
from tests.casino.people import people
from tests.databases import module_database


class Here(Evening):
    """An evening in a database of its own."""

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database = database

    def finish(self, other: object) -> None:
        """The last listed round ends, and nobody advances."""
        self.floor.settle(other, FOLDS, person_id=self.floor.nora.pk)


@pytest.fixture(scope="module")
def here(django_db_setup: None, django_db_blocker: object) -> Iterator[Here]:
    with django_db_blocker.unblock(), module_database("overdue") as name:
        yield Here(name)


def test_hint_of_a_claim_reaches_the_screens_and_the_hub_takes_the_step(here):
    """This process reads by itself only every ten minutes: what its screens hear sooner, they hear by hints."""
    boss = people.make(here.floor.house, "peter.p", "pit_boss")
    client = people.signed_in(boss)
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    with web_process(here, LIVE_READ_S="600") as web, web.socket("/ws/pit/", cookies) as socket:
        assert next_of(socket)["phase"] == "open"
        other = here.hit()
        draining = until(socket, lambda told: told.get("phase") == "draining")
        assert [row["round"] for row in draining["waiting_for"]["rounds"]] == [str(other)]
        here.finish(other)
        assert until(socket, lambda told: told.get("phase") == "verifying")["waiting_for"]["rounds"] == []


def test_step_is_taken_while_nobody_looks(here):
    here.verify()
    here.sign("first.overdue")
    here.sign("second.overdue")
    here.confirm()
    with web_process(here):
        here.finish(here.hit())
        wait_for(lambda: Jackpot.objects.get(pk=here.jackpot).phase == "verifying", 60)
