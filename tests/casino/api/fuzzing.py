"""What the fuzz tests send: anything the schema allows or forbids, salted with ids, stakes and words that mean something here."""

import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random  # noqa: TID251  (hypothesis chooses its seed)
from typing import Any

import schemathesis
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import strategies as st
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks

from casino.api.docs import _schema
from casino.people.roles import CODES
from tests.casino.api.callers import Caller
from tests.casino.api.ground import Ground, undone
from tests.casino.api.test_walk import SCOPES, callers, cash, ids

CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
SALT: dict[str, tuple[Any, ...]] = {
    "amount_minor": (500, 1500, 5000, 1501),
    "kind": ("ante", "blind", "trips", "coin", "play", "top_up", "tip"),
    "means": ("cash", "chips", "stack"),
    "seat": (1, 2, 9),
    "counted_minor": (0, 120_00),
    "rake_minor": (0, 5_00),
    "pot_minor": (50_00,),
    "variant": ("holdem",),
    "revision": (1, 2),
    "box": (1, 2, 3, 7, 8),
    "play": (0, 1, 2, 3, 4),
    "result": ("win", "lose", "tie", "fold"),
    "hand": ("flush", "full_house", "royal_flush", "high_card"),
    "board": ("Ah Kh Qh Jh 2c", "Ah Ad Kh 7c 2d"),
    "dealer": ("3c 4c", "Kd Ks"),
    "cards": ("As Kd", "Th 9h", "5c 5d"),
    "entry_level": ("fast", "full_cards", "jackpot_only"),
    "offline_linked": ("stop", "play_flagged"),
    "reason": ("misdeal",),
    "how": ("unpaid", "receivable", "loss"),
}


@contextmanager
def connection_kept() -> Iterator[None]:
    """Requests leave the connection open, as with Django's own test client: what they did is to be taken back."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


# Who is sent as, the ones who may do most more often.
NAMES = (*CODES, "feed", "half signed in", "nobody", "manager of all houses")
NAMES += 3 * ("pit_boss", "technician", "tablet of the croupier", "tablet of the pit boss", "feed")
_GENERATED = {"authorization", "cookie", "x-saalchef-device", "x-csrftoken"}


class Fuzz:
    """The schema, the house, and who calls; counts what was answered."""

    def __init__(self, ground: Ground) -> None:
        self.ground, self.ids = ground, ids(ground)
        for scope in ("poker", "raked"):
            self.ids[scope] = self.ids["own"] | self.ids[scope]
        self.schema = schemathesis.openapi.from_dict(_schema())
        self.schema.app = WSGIHandler()
        self.callers = callers(ground)
        self.examples = {
            f"{method.upper()} {path}": next(iter(asked["content"]["application/json"]["examples"].values()))["value"]
            for path, methods in _schema()["paths"].items()
            for method, operation in methods.items()
            if (asked := operation.get("requestBody"))
        }
        self.counted: Counter[tuple[str, int]] = Counter()
        self.known = {
            "guest": tuple(str(one.pk) for one in (*ground.guests[:2], *ground.others[:2], ground.foreign.guest)),
            "croupier": tuple(str(one.pk) for one in (ground.floor.nora, ground.floor.martina, ground.foreign.dealer)),
            "pit": (str(ground.floor.pit.pk), str(ground.foreign.pit.pk)),
            "jackpot": (str(ground.second.pk), str(ground.foreign.jackpot.pk)),
            "approval": (str(ground.approval.pk), str(ground.foreign.approval.pk)),
            "payload_hash": (bytes(ground.approval.payload_hash).hex(),),
            "display": tuple(str(one.pk) for one in (ground.display, ground.spare, ground.display_other)),
            "to": (str(ground.second.pk), str(ground.floor.jackpot.pk)),
            "cash_minor": (cash(ground.slip), 5),
            "table": (str(ground.floor.table.pk), str(ground.foreign.table.pk)),
            "dealt": ([str(stay.pk) for stay in ground.dealt],),
            **SALT,
        }

    def operations(self) -> Iterator[Any]:
        """Every operation of the schema."""
        for found in self.schema.get_all_operations():
            yield found.ok()

    def cases(self, operation: Any) -> st.SearchStrategy[Any]:
        """Requests to an operation, right and wrong ones."""
        kinds = [operation.as_strategy(generation_mode=GenerationMode.POSITIVE)]
        if operation.body or operation.query:
            kinds.append(operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))
        return st.one_of(kinds)

    def send(self, case: Any, name: str, draw: Random) -> None:
        """Send one request as one caller, check the answer, and take back what it did."""
        scope = draw.choice((*SCOPES, "poker", "raked", "own", "own", "own"))
        if draw.random() < 0.9:
            for part in case.path_parameters or {}:
                case.path_parameters[part] = str(self.ids[scope][part])
        positive = case.meta is None or case.meta.generation.mode is GenerationMode.POSITIVE
        if positive and case.body is not schemathesis.core.NOT_SET:
            known = self.examples.get(case.operation.label)
            case.body = self._salted(known if known and draw.random() < 0.5 else case.body, draw)
        headers, cookies = self._credentials(self.callers[name])
        if draw.random() < 0.95:  # proofs that the generator made up would hide who calls
            case.headers = {one: value for one, value in (case.headers or {}).items() if one.lower() not in _GENERATED}
            case.cookies = {}
        with undone():
            response = case.call(base_url="http://localhost", headers=headers, cookies=cookies)
        self.counted[name, response.status_code] += 1
        # Of queued rounds a wrong one is kept for the pit, and the next go on: the request as such is taken.
        batch = case.operation.label.endswith("/queued-rounds/") and response.status_code == 200
        wrong = not batch and self._is_wrong(case)
        case.validate_response(response, checks=[*CHECKS, checks.negative_data_rejection] if wrong else CHECKS)
        if name in ("nobody", "half signed in"):
            assert response.status_code in (401, 404), (case.operation.label, response.status_code)

    @staticmethod
    def _is_wrong(case: Any) -> bool:
        """Whether body or query break the schema; a wrong id or proof was replaced by a right one before it was sent."""
        made = case.meta.components if case.meta else {}
        parts = (ParameterLocation.BODY, ParameterLocation.QUERY)
        return any(part in made and made[part].mode is GenerationMode.NEGATIVE for part in parts)

    def _salted(self, value: Any, draw: Random) -> Any:
        """The body with some of its values replaced by ones that this house knows."""
        if isinstance(value, list):
            return [self._salted(one, draw) for one in value]
        if not isinstance(value, dict):
            return value
        return {
            name: draw.choice(self.known[name])
            if name in self.known and (name == "dealt" or not isinstance(one, dict | list)) and draw.random() < 0.8
            else self._salted(one, draw)
            for name, one in value.items()
        }

    @staticmethod
    def _credentials(caller: Caller) -> tuple[dict[str, str], dict[str, str]]:
        """Headers and cookies of a caller, with the token against forged forms as a page would send it."""
        token = secrets.token_hex(16)
        cookies = {name: morsel.value for name, morsel in caller.client.cookies.items()}
        return caller.headers | {"X-CSRFToken": token}, cookies | {settings.CSRF_COOKIE_NAME: token}
