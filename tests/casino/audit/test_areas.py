"""What audits are about, in words: for people who do not know them by their names."""

from django.utils import translation

from casino.records.findings import AREAS, WORDS, areas
from casino.records.labels import event
from casino.text.wording import worded
from payouts.audit import AUDITS, COMPUTED, REGISTERED


def test_every_audit_has_its_area():
    listed = {"guards_in_place", "rights_as_declared", "commits_are_durable"}
    assert {*AUDITS, *REGISTERED, *COMPUTED, *listed} <= set(AREAS)


def test_every_check_of_a_verification_is_a_sentence():
    """On the verify page; the check that a house's verification makes besides are tried there (`test_verify_page.py`)."""
    listed = {"guards_in_place", "rights_as_declared", "commits_are_durable"}
    checked = {*AUDITS, *REGISTERED, *COMPUTED, *listed}
    assert checked <= set(WORDS)
    assert [name for name in checked if "_" in WORDS[name] or not WORDS[name].endswith(".")] == []


def test_areas_are_named_once_and_in_the_language_of_the_page():
    found = ["entries_sum_to_zero_in_all", "balances_equal_entries", "meters_are_not_negative", "of_tomorrow"]
    with translation.override("fr"):
        assert areas(found) == "comptes et écritures, montants des jackpots, of_tomorrow"


def test_an_act_agrees_with_every_noun():
    with translation.override("fr"):
        assert event("claim.verified") == "Annonce\u202f: confirmation"
        assert event("device.enrolled") == "Appareil\u202f: enregistrement"
    assert event("nobody.knows") == "nobody.knows"


def test_days_of_a_range_are_written_as_people_write_them():
    sentence = "From %(first)s to %(last)s is no range of gaming days."
    with translation.override("en"):
        told = worded(sentence, {"first": "2026-11-22", "last": "2026-02-30"})
    assert told == "From 22.11.2026 to 2026-02-30 is no range of gaming days."
