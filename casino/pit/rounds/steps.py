"""What the steps about a round have in common."""

from typing import Any

from casino.games import round_screens_of
from casino.people.pages.steps import Step
from casino.people.permissions import RUN_FLOOR
from payouts.rules.plain import Json
from tables.models import Round


class RoundStep(Step[Round]):
    """A step about a round."""

    permission, subject = RUN_FLOOR, "round"

    @property
    def round(self) -> dict[str, Any]:
        """Which one."""
        return {"house_id": self.row.house_id, "round_id": self.row.pk}

    @property
    def ids(self) -> dict[str, Any]:
        """Which one, and who does it."""
        return self.round | {"person_id": self.person.pk}

    @property
    def placed(self) -> list[Json] | None:
        """What should have come after the lock; None where that stays as it is."""
        return round_screens_of(self.row.table.game).form_placed(self.row, self.data)

    @property
    def result(self) -> dict[str, Json]:
        """The result that was entered."""
        return round_screens_of(self.row.table.game).form_result(self.row, self.data)
