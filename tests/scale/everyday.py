"""What is of no round: people sign in or mistype, a manager changes what somebody may, an auditor looks. Events alone."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.scale.house import Weeks
from tests.scale.patterns import Pattern, Reader

SIGNED, CHANGED, LOOKED = ("sign_in.done", "sign_in.refused"), ("person",), ("report", "audit")
SIGN_INS, REFUSED = 6, 0.04  # of each table's people on a day; how many of them mistype
CHANGES, LOOKS = 8, 30  # on a day


class Everyday:
    """The events of the evening, to be written again for other people."""

    def __init__(self, reader: Reader, house: Weeks) -> None:
        self.people = [one.pk for one in house.dealers]
        auditor, dealer = str(house.auditor.pk), str(house.dealers[0].pk)
        rows = reader.link.execute(
            "SELECT id, name, subject_id FROM payouts_event WHERE actor_id = ANY (%s) ORDER BY id",
            [[house.auditor.pk, house.manager.pk]],
        ).fetchall()
        self.signed = {
            name: reader.event(pk, {auditor: "p"})
            for pk, name, subject in rows
            if name in SIGNED and subject == auditor
        }
        self.changed = [
            reader.event(pk, {dealer: "p"})
            for pk, name, subject in rows
            if name.partition(".")[0] in CHANGED and subject == dealer
        ]
        self.looked = [reader.event(pk, {}) for pk, name, _ in rows if name.partition(".")[0] in LOOKED]

    def of_a_day(self, chance: np.random.Generator, tables: int) -> Iterator[tuple[Pattern, dict[str, Any]]]:
        """Each event of a day, and who it is about."""
        for _ in range(SIGN_INS * tables):
            yield self.signed[SIGNED[int(chance.random() < REFUSED)]], self._person(chance)
        for _ in range(CHANGES // len(self.changed)):
            who = self._person(chance)  # in the end he may what he might
            yield from ((pattern, who) for pattern in self.changed)
        for number in range(LOOKS):
            yield self.looked[number % len(self.looked)], self._person(chance)

    def _person(self, chance: np.random.Generator) -> dict[str, Any]:
        return {"p": self.people[int(chance.integers(len(self.people)))]}
