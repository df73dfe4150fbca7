"""Rounds that a table played without the server: taken in order, each once; a refused one waits for
the pit, or stays with the tablet where it is no round of the game; the next go on.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.late import NOT_OF_THE_ROUND, check_reckoned, described, review_record
from casino.api.rounds import TableRound
from casino.api.schemas import openapi, rounds
from casino.api.schemas.read import read_body
from casino.devices.api import EVENT, EVENT_MOST
from casino.text.problems import problem_body
from casino.text.request_errors import FieldWrong
from payouts.commands import run_once
from payouts.errors import Refused, mark
from payouts.rules.plain import Json
from payouts.services import Subject, event_record
from tables.errors import TableUnknown
from tables.models import Round, Table
from tables.services import round_take_queued

ROUNDS = mark("a list of 1 to 50 rounds, each once")


class QueuedRounds(TableRound):
    """Rounds that were queued."""

    body_most = 1_000_000
    takes_queued = True

    @openapi.command(
        "rounds_queued",
        "Rounds that the table played without the server, in their order (no coins); each is taken"
        " once, under `key:round`",
        rounds.QueuedAnswer,
        rounds.Queued,
        {
            "rounds": [
                {
                    "round": openapi.ID,
                    "stakes": [
                        {"box": 1, "guest": openapi.ID, "kind": "ante", "amount_minor": 1500},
                        {"box": 1, "guest": openapi.ID, "kind": "blind", "amount_minor": 1500},
                    ],
                    "result": {"boxes": {"1": {"play": 1, "result": "lose"}}},
                }
            ]
        },
        bare=True,
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        """Take them. A refusal of the whole request comes before the first round is taken."""
        house = self.scope.house()
        self.scope.check_table(table_id)
        if not Table.objects.filter(pk=table_id, house_id=house).exists():
            raise TableUnknown
        read = _read(self.sent(request, rounds.Queued)["rounds"])
        prints = [self.print_for("round.queued", {"table": table_id}, raw) for _one, raw in read]
        key, event = self.key(request), request.headers.get(EVENT, "")[:EVENT_MOST]
        taken = [
            self._take(f"{key}:{one['round']}", asked, table_id, one, raw, event)
            for asked, (one, raw) in zip(prints, read, strict=True)
        ]
        return Response({"rounds": taken})

    def _take(
        self,
        key: str,
        asked: bytes,
        table_id: UUID,
        one: rounds.QueuedRound,
        raw: Mapping[str, Any],
        event: str,
    ) -> dict[str, Any]:
        round_id: UUID = one["round"]

        def work() -> Json:
            known = Round.objects.filter(pk=round_id).exists()
            round_ = round_take_queued(
                house_id=self.scope.house(),
                table_id=table_id,
                person_id=self.scope.actor,
                supervisor=self.scope.supervisor,
                round_id=round_id,
                stakes=one["stakes"],
                placed=one["placed"],
                result=one["result"],
                entered=self.scope.entered,
            )
            if not known:
                self._note(event, round_id, one)
            return {"known": known, "round": round_}

        answer: dict[str, Any] = {
            "round": str(round_id),
            "answer": None,
            "problem": None,
            "to_clarify": None,
        }
        try:
            done = run_once(key, asked, work)
        except NOT_OF_THE_ROUND:
            raise
        except Refused as refused:
            house = self.scope.person.house if self.scope.person else None
            try:
                entry = review_record(
                    self.scope, table_id, round_id, kind="queued", payload=raw, refused=refused
                )
            except Refused as unread:
                return answer | {"outcome": "refused", "problem": problem_body(unread, house=house)}
            return answer | {
                "outcome": "to_clarify",
                "problem": problem_body(refused, house=house),
                "to_clarify": described(entry),
            }
        body: Any = done.body
        outcome = "known" if done.replayed or body["known"] else "taken"
        return answer | {"outcome": outcome, "answer": body["round"]}

    def _note(self, event: str, round_id: UUID, one: rounds.QueuedRound) -> None:
        """Write down when the device played it, and as its how many-th event: the server's clock
        knows only when it came.
        """
        device = self.scope.device
        event_record(
            "round.played_offline",
            Subject("round", round_id),
            house_id=self.scope.house(),
            actor_id=self.scope.actor,
            after={
                "device": str(device.pk) if device else None,
                "event": event,
                "locked_at": one["locked_at"],
            },
        )


def _read(raw: list[Any]) -> list[tuple[rounds.QueuedRound, Mapping[str, Any]]]:
    """The rounds as they are read and as they came. Raises FieldWrong and what `read_body`
    raises."""
    if not 1 <= len(raw) <= rounds.ROUNDS_MOST:
        raise FieldWrong(name="rounds", value=len(raw), expected=ROUNDS)
    read = [(read_body(rounds.QueuedRound, one), one) for one in raw]
    for round_, _raw in read:
        check_reckoned(round_["reckoned"])
    if len({one["round"] for one, _raw in read}) != len(read):
        raise FieldWrong(name="rounds", value=len(raw), expected=ROUNDS)
    return read
