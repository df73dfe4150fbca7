"""The machine on trial: a guard of each kind is taken away, its harm is tried, and the machine must say so.

With every guard in its place the same try comes to what the model says.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from casino.people import services as people
from jackpot.services import advance, prizes_again, restored, standing
from tables.services.parts import dealt_by
from tables.services.rounds import settle, undo
from tests.databases import superuser
from tests.machines import tries
from tests.machines.asking import Patient
from tests.machines.evenings import EveningMachine
from tests.machines.guards import Guard, instead, trigger, written

Life = EveningMachine


# What is taken away
def alone(patch: pytest.MonkeyPatch) -> None:
    """The operator's setting that lets one manager give it."""
    with superuser() as link:
        link.execute(f"ALTER DATABASE {link.info.dbname} SET saalchef.signing_roles_alone = 'on'")


def authors(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(settle, "took_part", dealt_by)
    trigger("jackpot_claim", "claim_by_author")(patch)


GUARDS: dict[tries.Try, Guard] = {
    tries.who_rests_signs: trigger("payouts_approvalsignature", "person_rests"),
    tries.who_rests_pays: trigger("jackpot_slip", "person_rests"),
    tries.an_author_verifies: authors,
    tries.one_manager_gives_a_role_that_signs: alone,
    tries.a_manager_bars_the_other_and_gives_a_role_that_signs: written("could_sign_v1", "24 hours", "0 hours"),
    tries.a_signer_is_barred: instead(people, "approval_kill_of_person", lambda **_: 0),
    tries.what_was_looked_at_moves_on: instead(standing, "_seen", lambda *_: {}),
    tries.a_listed_round_is_withdrawn: instead(undo, "_check_undealt", lambda *_, **__: None),
    tries.a_prize_that_is_asked_for_is_asked_for_again: instead(
        prizes_again, "prizes_left", lambda jackpot_id: [(one, "") for one in prizes_again.WaitingPrize.objects.all()]
    ),
    tries.the_clock_is_set_back: instead(advance, "requests_in_order", lambda rows: rows.order_by("requested_at")),
    tries.asked_before_a_restore: instead(restored, "requests_outdate", lambda jackpot: None),
    tries.the_same_backup_is_restored_twice: written("incarnation_begin_v1", "greatest(", "least("),
}


@contextmanager
def life_of(world: Patient) -> Iterator[Life]:
    life = type("Run", (EveningMachine,), {"world": world, "seen": Counter()})()
    with closing(life.databases), closing(life.copy):
        yield life


@pytest.mark.usefixtures("by_rules_alone")
@pytest.mark.parametrize("tried", GUARDS, ids=lambda tried: str(tried.__name__))
def test_a_try_comes_to_what_the_model_says_and_the_machine_tells_when_its_guard_is_gone(
    patients: Patient, monkeypatch: pytest.MonkeyPatch, tried: tries.Try
) -> None:
    with life_of(patients) as life:
        tried(life)
        life.same()
    with life_of(patients) as life:
        GUARDS[tried](monkeypatch)
        with pytest.raises(AssertionError):
            tried(life)
            life.same()
