"""What piled up while no worker ran is dropped by the first that starts; in a file of its own: no other worker takes of it."""

import redis
from django.conf import settings

from casino.celery import PILE, _drop_what_piled_up, app
from jackpot.tasks import sweep
from tests.turns import each


@each(("waiting", "left"), [(PILE, PILE), (PILE + 1, 0)])
def test_worker_that_starts_drops_what_a_night_piled_up(waiting: int, left: int) -> None:
    key = f"{settings.INSTANCE}:celery"
    with redis.Redis.from_url(settings.REDIS_URL) as link:
        link.delete(key)
        for _ in range(waiting):
            app.send_task(sweep.name, expires=2)
        _drop_what_piled_up()
        assert link.llen(key) == left
        link.delete(key)
