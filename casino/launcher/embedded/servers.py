"""The two embedded servers of a place."""

from casino.launcher.embedded.postgres import Postgres
from casino.launcher.embedded.postgres import find_programs as find_postgres
from casino.launcher.embedded.redis import Redis
from casino.launcher.embedded.redis import find_program as find_redis
from casino.launcher.places import Place


def embedded_postgres(place: Place) -> Postgres:
    """This place's PostgreSQL."""
    return Postgres(
        place.postgres_data,
        place.sockets(),
        find_postgres(place.home, place.account),
        place.account,
    )


def embedded_redis(place: Place) -> Redis:
    """This place's Redis."""
    return Redis(
        place.redis_data, place.sockets(), find_redis(place.home, place.account), place.account
    )
