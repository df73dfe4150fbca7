"""What screens are told while Redis or PostgreSQL hangs, is dead, or comes back."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from asgiref.sync import async_to_sync
from channels_redis.core import RedisChannelLayer
from django.conf import settings
from django.db import connection
from redis import Redis

from tests.casino.live.conftest import web_process
from tests.casino.live.places import closed_with, idle, next_of, until
from tests.casino.ops.own_servers import wait_for
from tests.databases import superuser

PROMISED_S = 1.5  # what a screen without hints lags behind, at most
COINS = 5  # a busy machine makes one or the other late; a process that waits for Redis makes all of them late


@pytest.fixture
def socket(place, web_by_hints) -> Iterator[object]:
    device, cookies = place.display()
    with web_by_hints.socket(f"/ws/display/?device={device.pk}", cookies) as socket:
        next_of(socket)
        yield socket


def prefix() -> str:
    return settings.CHANNEL_LAYERS["default"]["CONFIG"]["prefix"]


def tell(url: str, jackpot_id: object) -> None:
    """Send the hint that a command gives after its commit."""
    layer = RedisChannelLayer(hosts=[{"address": url}], prefix=prefix())

    async def send() -> None:
        await layer.group_send("jackpots", {"type": "jackpot.changed", "jackpot": str(jackpot_id)})
        await layer.close_pools()

    async_to_sync(send)()


def seconds_until_told(socket, amount: str) -> float:
    began = time.monotonic()
    until(socket, lambda told: told.get("text") == amount)
    return time.monotonic() - began


def hears_a_hint(socket, place, url: str) -> None:
    """The screen shows what changed because of a hint; this process reads by itself only every ten minutes."""
    amount = place.coin()
    tell(url, place.jackpot.pk)
    until(socket, lambda told: told.get("text") == amount)


def test_hint_is_faster_than_any_read(place, socket, own_redis):
    hears_a_hint(socket, place, own_redis.redis.url)


def test_hint_is_heard_after_a_long_silence(place, socket, own_redis):
    idle(socket)
    hears_a_hint(socket, place, own_redis.redis.url)


def test_redis_that_lost_everything_is_subscribed_to_again(place, socket, own_redis):
    url = own_redis.redis.url
    own_redis.signal(own_redis.redis, signal.SIGKILL)
    assert next_of(socket, "heartbeat")["stale"] is False
    own_redis.start_redis()
    with Redis.from_url(url) as link:
        link.flushall()
        wait_for(lambda: bool(link.zcard(f"{prefix()}:group:jackpots")), 30)
    hears_a_hint(socket, place, url)


def test_redis_that_hangs_is_heard_again(place, socket, own_redis):
    with own_redis.stopped(own_redis.redis):
        assert next_of(socket, "heartbeat")["stale"] is False
        assert next_of(socket, "heartbeat")["stale"] is False
    hears_a_hint(socket, place, own_redis.redis.url)


@pytest.mark.parametrize("harm", ["stopped", "killed"])
def test_values_arrive_without_redis(place, own_redis, harm):
    device, cookies = place.display(f"Ohne Redis {harm}")
    with (
        web_process(place, REDIS_URL=own_redis.redis.url) as web,
        web.socket(f"/ws/display/?device={device.pk}", cookies) as socket,
    ):
        next_of(socket)
        with without_redis(own_redis, harm):
            assert min(seconds_until_told(socket, place.coin()) for _ in range(COINS)) < PROMISED_S
            with web.socket(f"/ws/display/?device={device.pk}", cookies) as another:
                assert next_of(another)
        failing = web.log.read_text().count("live_failing")
        assert 1 <= failing <= 3, web.log.read_text()  # told once for each path, not once a second


@contextmanager
def without_redis(own_redis, harm: str) -> Iterator[None]:
    if harm == "stopped":
        with own_redis.stopped(own_redis.redis):
            yield
        return
    own_redis.signal(own_redis.redis, signal.SIGKILL)
    try:
        yield
    finally:
        own_redis.start_redis()


@contextmanager
def without_database(name: str) -> Iterator[None]:
    """Nobody gets a connection to it, and those that there were are cut."""
    with superuser("postgres") as link:
        link.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        link.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
    connection.close()  # this test's own was cut as well
    try:
        yield
    finally:
        with superuser("postgres") as link:
            link.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


def test_sockets_outlive_the_database_and_say_that_they_are_old(place, web):
    device, cookies = place.display("Datenbank")
    with web.socket(f"/ws/display/?device={device.pk}", cookies) as socket:
        first = next_of(socket)
        with without_database(place.database):
            told = until(socket, lambda told: told.get("stale") is True)
            assert told["type"] == "heartbeat"
            with web.socket(f"/ws/display/?device={device.pk}", cookies) as another:
                assert closed_with(another) == 1013
        until(socket, lambda told: told.get("stale") is False)
        amount = place.coin()
        assert until(socket, lambda told: told.get("text") == amount)["version"] > first["version"]
    assert "Traceback" not in web.log.read_text()
