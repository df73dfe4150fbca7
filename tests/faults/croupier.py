"""What a croupier with a script tries at the tablet of his table, each thing with the code by which the house must refuse it.

What he does within his own rounds (locks while betting is closed, withdraws long after a lock) is with them, in `floor.py`.
"""

import json
import random  # noqa: TID251  (who tries what when comes from the seed)
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from casino.simulate.clients import Tally
from casino.simulate.plan import CORRECTED
from casino.simulate.tablet import SETTLED, Table
from tests.faults.attack import Browser, NotNow, Try
from tests.faults.attackers import Asked, first

WITHDREW = "withdrawn"  # the reason of a round that was voided by its withdrawal
CROUPIER, WITHDRAWS_LISTED = "croupier", "withdraws a round that a hit lists"
HANDED_OVER = ("round.croupier_wrong", "device.sign_in_required")


class Script:
    """A croupier's script, at the tablet of his table: `others` are tables that he has nothing to do with."""

    def __init__(
        self, table: Table, others: Sequence[Table], hit: Callable[[], Asked], tally: Tally, chance: random.Random
    ) -> None:
        self.table, self.others, self._hit, self.chance = table, others, hit, chance
        self.client = Browser(table.client.address, tally, "127.0.0.4")
        self.client.cookies, self.client.headers = dict(table.client.cookies), dict(table.client.headers)
        self.where = f"tables/{table.row['id']}"

    def tries(self) -> Sequence[Try]:
        """What he tries."""
        state, unknown, post = "round.state_refused", "round.unknown", self.client.post
        every = (
            Try("withdraws a round that has its result",
                lambda: post(f"{self.where}/rounds/{self._settled().id}/withdraw/"), state),
            Try(WITHDRAWS_LISTED, self._withdraws_listed, "round.stands",
                (state, "jackpot.round_claims"), soon=True),
            Try("settles a round again otherwise", self._settles_again, state),
            Try("puts a result right after the next lock", self._corrects, "round.approval_needed", ("round.changed",)),
            Try("adds a stake when the cards are out", self._late_stake, "round.id_taken"),
            Try("uses an old key for something else", self._old_key, "command.key_reused"),
            Try("settles a round of another table",
                lambda: post(f"rounds/{self._foreign()}/settle/", {"result": {"boxes": {}}}), unknown),
            Try("calls a royal flush at another table", lambda: post(f"rounds/{self._foreign()}/call/"), unknown),
            Try("takes a lock of another table back", lambda: post(f"rounds/{self._foreign()}/reopen/"), unknown),
            Try("withdraws a round of another table", lambda: post(f"{self._elsewhere()}/withdraw/"), "table.unknown"),
            Try("voids a round", lambda: post(f"rounds/{self._settled().id}/void/", {"reason": "a misdeal"}),
                "person.not_allowed"),
            Try("locks for another table", lambda: post(f"{self._elsewhere()}/lock/", {"stakes": []}), "table.unknown"),
        )  # fmt: skip
        return [replace(one, moved_on=(*one.moved_on, *HANDED_OVER)) for one in every]

    def _settled(self, *, before_the_last: bool = False) -> Any:
        """A round of his that has its result; `before_the_last`: and another was locked since."""
        played = list(self.table.played)
        last = max((at for at, one in enumerate(played) if not one.queued), default=0)
        rounds = [one for one in played[: last if before_the_last else None] if one.state == SETTLED and not one.queued]
        plain = [
            one for one in rounds if one.plan.mishap != CORRECTED and not one.plan.together
        ]  # nobody corrects them
        return self.chance.choice(plain[-5:]) if plain else first(())

    def _other(self) -> Table:
        return self.chance.choice(self.others)

    def _foreign(self) -> str:
        return str(first(reversed(list(self._other().played))).id)

    def _withdraws_listed(self) -> object:
        listed = self._hit()["rounds"]
        mine = first(one for one in listed if one["running"] and one["table"] == self.table.row["id"])
        answer = self.client.post(f"{self.where}/rounds/{mine['round']}/withdraw/")
        if self.client.get(f"rounds/{mine['round']}/")["reason"] not in ("", WITHDREW):
            raise NotNow  # the pit has voided it meanwhile, and said why: so it was answered
        return answer

    def _elsewhere(self) -> str:
        """A round that is none yet, at another table."""
        return f"tables/{self._other().row['id']}/rounds/{uuid.uuid4()}"

    def _otherwise(self, one: Any) -> Any:
        """A result that the cards do not say."""
        result = self.table.game.mistyped(self.table.level, self.table.rules, one.plan, one.outcome)
        if result is None:
            raise NotNow
        return result

    def _settles_again(self) -> object:
        one = self._settled()
        return self.client.post(f"rounds/{one.id}/settle/", {"result": self._otherwise(one)})

    def _corrects(self) -> object:
        one = self._settled(before_the_last=True)
        body = {"result": self._otherwise(one), "reason": "mistyped", "revision": one.revision}
        return self.client.post(f"rounds/{one.id}/correct/", body)

    def _more(self, one: Any) -> list[dict[str, Any]]:
        """The stakes of a round, and one step more on the first."""
        laid = self.table.stakes(one.plan)
        return [laid[0] | {"amount_minor": laid[0]["amount_minor"] + self.table.rules.step}, *laid[1:]]

    def _late_stake(self) -> object:
        one = self._settled()
        return self.client.post(f"{self.where}/rounds/{one.id}/lock/", {"stakes": self._more(one)})

    def _old_key(self) -> object:
        """Beside the history, which has one request under each key."""
        journal: Any = self.client.tally
        mine = [
            one for one in list(journal.commands.values()) if one.client is self.table.client and one.state == "done"
        ]
        lock = first(one for one in reversed(mine) if one.path.endswith("/lock/"))
        body = json.loads(lock.data)
        body["stakes"] = [*body["stakes"], *body["stakes"][:1]]
        headers = {"Content-Type": "application/json", "Idempotency-Key": lock.key}
        return self.client.ask(f"/api/{lock.path}", json.dumps(body).encode(), headers)
