"""Nobody makes himself a second signer: who was made anew by another signs nothing for a day."""

import pytest
from django.utils import timezone

from casino import services
from casino.proofs import resting, run_signed
from casino.refusals import SignerResting
from payouts.models import Event
from tests.cast import make_house
from tests.conftest import superuser
from tests.people import people

ACTS = {
    "password": lambda person, by: services.password_reset(person=person, by=by),
    "authenticator": lambda person, by: services.second_factor_reset(person=person, by=by),
    "roles": lambda person, by: change(person, by, role_codes=["auditor", "technician"]),
    "let in again": lambda person, by: [
        services.active_set(person=person, active=active, by=by) for active in (False, True)
    ],
}


def change(person, by, **changes: object) -> None:
    values = {"full_name": person.full_name, "house": person.house, "role_codes": person.roles, "language": ""}
    services.particulars_set(person=person, by=by, **(values | changes))


@pytest.mark.parametrize("act", ACTS)
def test_who_was_made_anew_by_another_signs_nothing(house, manager, act):
    signer = people.make(house, "anna.muster", "auditor")
    assert not resting(signer)
    ACTS[act](signer, manager)
    signer.refresh_from_db()
    assert resting(signer)
    done = []
    for method in ("pin", "totp"):
        with pytest.raises(SignerResting) as refused:
            run_signed(
                f"a-key-for-{method}", b"x" * 32, person=signer, method=method, secret="1", work=lambda: done.append(1)
            )
        assert "24" in refused.value.text()
    assert (done, signer.sign_in_failures) == ([], 0)


def test_new_person_rests_and_his_own_changes_do_not_matter(house, manager):
    made, _password = services.person_create(
        username="neu.muster", full_name="Neu Muster", house=house, role_codes=["auditor"], by=manager
    )
    assert resting(made)
    assert not resting(manager)
    services.password_own(person=manager, password="Lampe Keller Wiese 7")
    change(manager, manager, language="fr")
    assert not resting(manager)


def test_new_name_gives_nobody_a_signature(house, manager):
    signer = people.make(house, "anna.muster", "auditor")
    change(signer, manager, full_name="Anna Meier-Muster")
    assert Event.objects.filter(name="person.changed").count() == 1
    assert not resting(signer)


def test_rest_ends_after_a_day(own_database):
    house = make_house()
    manager, signer = people.make(house, "mara.muster", "manager"), people.make(house, "anna.muster", "auditor")
    services.password_reset(person=signer, by=manager)
    assert resting(signer)
    with superuser(own_database) as link:  # the log cannot be changed otherwise
        link.execute("ALTER TABLE payouts_event DISABLE TRIGGER append_only_row")
        link.execute("UPDATE payouts_event SET at = at - interval '24 hours'")
    assert not resting(signer)
    assert Event.objects.latest("id").at < timezone.now()
