"""A guest's id is one id, however it is written: a lock asked for again in another writing is the same lock (BOX-1)."""

from uuid import uuid4

import pytest

from tables.errors import StakesWrong
from tables.services.rounds.lock import lock_print, read_stakes
from tests.turns import each

GUEST = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"


def stake(guest: object) -> dict[str, object]:
    return {"box": 1, "guest": guest, "kind": "ante", "amount_minor": 1000}


@each("written", [GUEST, GUEST.upper(), GUEST.replace("-", ""), "{" + GUEST + "}", "urn:uuid:" + GUEST])
def test_other_writings_are_the_same_guest(written):
    table = uuid4()
    [read] = read_stakes([stake(written)])
    assert read.guest == GUEST
    plain = lock_print(table, read_stakes([stake(GUEST)]), queued=False)
    assert lock_print(table, [read], queued=False) == plain


@each("written", [GUEST + "\n", GUEST[:-1], GUEST + "0", " " + GUEST, "", None, 7, GUEST.encode()])
def test_what_is_no_id_is_refused(written):
    with pytest.raises(StakesWrong):
        read_stakes([stake(written)])
