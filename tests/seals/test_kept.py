"""What the worker does each minute: seals are taken, heads are kept elsewhere; what fails is shown and holds nothing up."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import worker_init
from django.core.management import CommandError, call_command
from django.db import connections
from django.db.models.functions import Now

from casino.ops import seals, startup
from casino.ops.checks import LONE_HEADS, LONE_HEADS_HINT, check_heads
from casino.ops.models import SealRun
from casino.ops.seals import FILE, seals_take, stored_heads
from casino.tasks import seal as task
from payouts import seal_keys
from payouts.models import Seal
from payouts.rules.seal import head_of
from tests.cast import make_house, make_person


@pytest.fixture
def house(own_database, settings, tmp_path):
    settings.SEAL_KEY_PATH = tmp_path / "key.pem"
    settings.SEAL_HEADS = str(tmp_path / "heads")
    seal_keys.make(settings.SEAL_KEY_PATH)
    return make_house()


@pytest.fixture
def webhook(settings) -> Iterator[list[object]]:
    """A server of our own that keeps what is posted to it; an answer of 503 while `answers` says so."""
    posted: list[object] = []

    class Keeper(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            posted.append(json.loads(body))
            self.send_response(503 if len(posted) == 1 else 204)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Keeper)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    settings.SEAL_WEBHOOK = f"http://127.0.0.1:{server.server_port}/heads"
    yield posted
    server.shutdown()
    thread.join()
    server.server_close()


def runs() -> dict[str, tuple[int, bool]]:
    return {
        what: (number, bool(failed)) for what, number, failed in SealRun.objects.values_list("what", "number", "failed")
    }


def heads() -> dict[int, str]:
    return {one.number: head_of(one.statement) for one in Seal.objects.all()}


def test_a_seal_is_taken_by_the_clock_and_its_head_kept_elsewhere(house, webhook, tmp_path):
    task()
    assert runs() == {"seal": (1, False), "folder": (1, False), "webhook": (0, True)}  # the first post was refused
    assert "503" in SealRun.objects.get(pk="webhook").failed
    task()  # what failed is left alone for a minute
    assert len(webhook) == 1
    SealRun.objects.filter(pk="webhook").update(at=Now() - seals.AGAIN)
    task()  # nothing is new, so no seal; what failed is made good
    assert runs() == {"seal": (1, False), "folder": (1, False), "webhook": (1, False)}
    make_person("nora")
    make_house("Another")
    assert seals_take() == 1
    assert stored_heads(tmp_path / "heads") == heads()
    assert [one["seal"] for one in webhook] == [1, 1, 2]
    assert webhook[-1]["head"] == heads()[2]


def test_a_place_that_hangs_is_tried_by_one_worker_and_noted_when_its_time_is_up(house, settings, monkeypatch):
    """A webhook that sends a byte now and then, a folder of a machine that is gone: the floor's workers go on."""
    settings.SEAL_HEADS, settings.SEAL_WEBHOOK = "", "https://heads.example"
    tries = []

    def sealed() -> None:
        task()
        connections.close_all()

    def hang(newest: Seal) -> None:
        tries.append(newest.number)
        if len(tries) == 1:
            with ThreadPoolExecutor(1) as another:
                another.submit(sealed).result()  # nobody waits
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(seals, "_post", hang)
    task()
    assert (tries, runs()) == ([1], {"seal": (1, False), "webhook": (0, True)})
    assert task.soft_time_limit < 60


def test_nothing_new_is_sealed_every_ten_minutes(house, monkeypatch):
    assert [seals_take(), seals_take()] == [1, 0]
    monkeypatch.setattr(seals, "IDLE_S", 0)
    assert seals_take() == 1


def test_what_a_crash_left_in_the_folder_is_made_whole(house, settings, tmp_path):
    seals_take()
    path = tmp_path / "heads" / FILE
    path.write_text(path.read_text() + '{"seal": 2, "he')
    make_house("Another")
    seals_take()
    assert stored_heads(tmp_path / "heads") == heads()
    path.unlink()
    make_house("Third")
    seals_take()
    assert stored_heads(tmp_path / "heads") == heads()


def test_a_folder_or_a_key_that_is_missing_is_shown_and_raises_nothing(house, settings, tmp_path):
    settings.SEAL_HEADS = "/proc/none"
    assert seals_take() == 1
    assert runs() == {"seal": (1, False), "folder": (0, True)}
    settings.SEAL_HEADS = ""
    settings.SEAL_KEY_PATH.unlink()
    assert seals_take() == 0
    assert runs()["seal"] == (1, True)
    seal_keys.make(settings.SEAL_KEY_PATH)
    make_house("Another")
    assert seals_take() == 1
    assert runs() == {"seal": (2, False), "folder": (0, False)}


def test_the_key_is_made_once_and_replaced_on_demand(settings, tmp_path, capsys):
    settings.SEAL_KEY_PATH = tmp_path / "keys" / "key.pem"
    call_command("seal_key")
    first = settings.SEAL_KEY_PATH.read_bytes()
    with pytest.raises(CommandError, match="--replace"):
        call_command("seal_key")
    assert settings.SEAL_KEY_PATH.read_bytes() == first
    call_command("seal_key", "--replace")
    assert settings.SEAL_KEY_PATH.read_bytes() != first
    assert len(seal_keys.public_keys(tmp_path / "keys")) == 2
    settings.SEAL_KEY_PATH = tmp_path / "keys" / "key.pem" / "below"
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("seal_key")


def test_the_worker_warns_at_its_start_until_a_head_is_kept_elsewhere(settings, tmp_path, monkeypatch, caplog):
    """As does `manage.py check --deploy`."""
    monkeypatch.setattr(startup, "refuse_unsafe_database", lambda: None)  # asked elsewhere
    settings.SEAL_KEY_PATH = tmp_path / "key.pem"
    beside = tmp_path / "heads"
    beside.mkdir()
    warned = {}
    for heads, webhook in [
        ("", ""),
        (beside, ""),
        ("/proc", ""),
        ("", "https://heads.example"),
        (beside, "https://h.example"),
    ]:
        settings.SEAL_HEADS = str(heads)
        settings.SEAL_WEBHOOK = webhook
        caplog.clear()
        worker_init.send(sender=None)
        at_start = [
            (record.msg["sentence"], record.msg["remedy"])
            for record in caplog.records
            if "heads_lone" in str(record.msg)
        ]
        checked = [(warning.msg, warning.hint) for warning in check_heads()]
        assert at_start == checked
        warned[str(heads), webhook] = checked
    lone = [(LONE_HEADS, LONE_HEADS_HINT)]
    assert list(warned.values()) == [lone, lone, [], [], []]
