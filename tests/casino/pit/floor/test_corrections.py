"""A correction that touches the jackpot says so to who signs it, and a hit that waits for one says so too."""

from html import unescape
from uuid import UUID

import pytest

from casino.people.models import Person
from jackpot.models import Claim, Slip
from jackpot.services.claims import DROPPED
from payouts.models import Approval
from tables import services
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.casino.pit.floor.test_jackpot import HitDesk
from tests.floor import done
from tests.jackpot.linked import CHECKLIST, dull, royal
from tests.worlds import world

WARNED = "Whoever signs it takes part in the round, and may then neither verify the win nor sign its payment."


def named() -> HitDesk:
    found = HitDesk()
    names = {"boss": "Anna Boss", "second": "Bruno Boss", "manager": "Carla Chief"}
    for who, name in names.items():
        Person.objects.filter(pk=found.people[who].pk).update(full_name=name)
    kept = [found.people[who].pk for who in names]
    Person.objects.filter(house=found.house, roles__overlap=["pit_boss", "manager"]).exclude(pk__in=kept).update(
        is_active=False
    )
    return found


pytestmark = [world(named), pytest.mark.usefixtures("own_database")]


def ask(desk: HitDesk, who: str, round_id: UUID, result: object) -> Approval:
    """Ask for the correction of a settled round as the person does."""
    prepared = services.round_evaluate(house_id=desk.house.pk, round_id=round_id, result=result, state="settled")
    by = {"person_id": desk.people[who].pk, "reason": "seen on camera"}
    return done(services.round_correction_request, prepared=prepared, **by)


def sign(desk: HitDesk, who: str, asked: Approval) -> None:
    fields = {"approval": asked.pk, "seen": bytes(asked.payload_hash).hex(), "secret": desk.pin(who)}
    desk.post(who, f"rounds/{asked.subject_id}/sign/", **fields)


def untrue(desk: HitDesk) -> UUID:
    """A hit whose only claim was rejected; gives a round that ran beside it and won nothing."""
    beside, claiming = desk.start(0), desk.start(1)
    desk.end(1, claiming, royal("d"))
    desk.end(0, beside, dull())
    desk.advance()
    desk.step("boss", "refuse", claim=Claim.objects.get().pk, reason="a misread card")
    return beside


def award(desk: HitDesk) -> None:
    """Two people verify the only claim and sign its payment."""
    desk.step("boss", "verify", claim=Claim.objects.get().pk, **CHECKLIST)
    desk.advance()
    asked = desk.asked()
    for who in ("boss", "second"):
        desk.sign_as(who, asked)
    desk.advance()


def test_who_asks_for_a_correction_reads_before_what_one_that_claims_costs_and_who_then_is_left(desk: HitDesk) -> None:
    """Not where the round has no coin, nor who took part in it anyway."""
    plain = desk.start(0, coins=0)
    desk.end(0, plain, dull())
    beside = untrue(desk)
    barred = (
        "If the new result claims the jackpot, whoever asks for it takes part in the round,"
        " and may then neither verify the win nor sign its payment."
    )
    left = (
        "Once you have asked for it, too few are left to sign the payment."
        " Needs one of the roles: Pit boss, Manager. Able now: Anna Boss."
        " Carla Chief: asked for a correction of the round Set up what is missing"
    )

    def told(round_id: UUID) -> tuple[bool, bool]:
        said = words(desk.get("manager", f"rounds/{round_id}/"))
        return barred in said, left in said

    assert (told(plain), told(beside)) == ((False, False), (True, False))
    Person.objects.filter(pk=desk.people["second"].pk).update(is_active=False)
    assert told(beside) == (True, True)
    sign(desk, "boss", ask(desk, "manager", beside, dull()))
    assert told(beside) == (False, False)


def test_correction_that_claims_warns_who_signs_it_and_who_then_is_left(desk: HitDesk) -> None:
    beside = untrue(desk)
    asked = ask(desk, "manager", beside, royal())
    said = words(desk.get("second", f"rounds/{beside}/"))
    assert f"This correction claims the jackpot: box 1, royal flush. {WARNED}" in said
    assert "1 Coin CHF 0.00 wins the jackpot" in said
    assert (
        "Once you have signed it, too few are left to sign the payment."
        " Needs one of the roles: Pit boss, Manager. Able now: Anna Boss."
        " Bruno Boss: signed a correction of the round Carla Chief: asked for a correction of the round"
        " Set up what is missing, or have somebody else" in said
    )
    for who in ("boss", "second"):
        desk.pin(who)
    said = words(desk.get("manager", f"rounds/{beside}/"))
    assert "You asked for it. Somebody else looks at it and signs." in said
    assert "Needs one of the roles: Pit boss, Manager. Able now: Anna Boss, Bruno Boss." in said
    sign(desk, "second", asked)
    assert Claim.objects.filter(round_id=beside).values_list("origin", "state").get() == ("corrected", "open")


def test_who_signed_the_correction_reads_why_he_neither_verifies_nor_signs_and_who_can(desk: HitDesk) -> None:
    beside = untrue(desk)
    sign(desk, "second", ask(desk, "manager", beside, royal()))
    claim = Claim.objects.get(round_id=beside)
    said = desk.said("second")
    assert (
        "You signed a correction of the round. Somebody else looks at the claim."
        " Needs one of the roles: Pit boss, Manager. Able now: Anna Boss." in said
    )
    desk.step("boss", "verify", claim=claim.pk, **CHECKLIST)
    desk.advance()
    said = desk.said("second")
    assert "You signed a correction of the round. Somebody else looks at it and signs." in said
    assert (
        "Too few can sign: payment of the jackpot. 2 people are needed for it. Able now: Anna Boss."
        " Bruno Boss: signed a correction of the round Carla Chief: asked for a correction of the round"
        " Set up what is missing, or have somebody else"
    ) in said
    desk.sign_as("boss", desk.asked())
    assert "Needs one of the roles: Pit boss, Manager. Nobody is able now." in desk.said("boss")
    Person.objects.filter(pk=people.make(desk.house, "reto.s", "pit_boss").pk).update(full_name="Reto Boss")
    assert "Needs one of the roles: Pit boss, Manager. Able now: Reto Boss." in desk.said("boss")


def test_hit_waits_for_a_correction_that_would_claim_and_leads_to_it(desk: HitDesk) -> None:
    """Before it is signed nobody is told that no claim is true, nor asked to reject the hit; where it is rejected they are."""
    beside = untrue(desk)
    board = desk.clients["boss"].get
    untold, reject = "No claim is true", "Reject the hit"
    assert untold in desk.said()
    assert reject in desk.said()
    asked = ask(desk, "manager", beside, royal())
    link = f'href="/floor/rounds/{beside}/#sign"'
    for page, says in (
        (desk.get("boss", desk.path), "A correction that claims the jackpot waits for its signature: UTH 1, round 1."),
        (
            board("/pit/", headers={"accept-language": "en"}).content.decode(),
            "A correction waits for its signature: UTH 1, round 1.",
        ),
    ):
        said = words(page)
        assert (says in said, link in page, untold in said, reject in said) == (True, True, False, False)
    fields = {"approval": asked.pk, "reason": "I misread the card", "secret": desk.pin("boss")}
    desk.post("boss", f"rounds/{beside}/reject/", **fields)
    assert untold in desk.said()


def test_signature_that_a_correction_keeps_back_says_so_until_it_is_decided(desk: HitDesk) -> None:
    beside, claiming = desk.start(0), desk.start(1)
    desk.end(1, claiming, royal("d"))
    desk.end(0, beside, dull())
    desk.advance()
    desk.verify_all()
    kept = (
        "an entry to be clarified, or a correction to be signed."
        " Take or dismiss what is to be clarified, sign or reject the corrections asked for; then sign here."
    )
    assert kept not in desk.said()
    asked = ask(desk, "manager", beside, royal())
    assert f"Of 1 round it is not clear yet how it ended: {kept}" in desk.said()
    fields = {"approval": asked.pk, "reason": "I misread the card", "secret": desk.pin("boss")}
    desk.post("boss", f"rounds/{beside}/reject/", **fields)
    assert kept not in desk.said()


def test_correction_that_changes_a_claim_says_what_becomes_of_it(desk: HitDesk) -> None:
    claiming, other = desk.start(0), desk.start(1)
    desk.end(0, claiming, royal())
    desk.end(1, other, dull())
    desk.advance()
    asked = ask(desk, "boss", claiming, dull())
    said = words(desk.get("second", f"rounds/{claiming}/"))
    assert "This correction drops claim 1." in said
    assert WARNED not in said
    desk.post("boss", f"rounds/{claiming}/reject/", approval=asked.pk, reason="I misread the card")
    asked = ask(desk, "boss", claiming, royal(boxes=2) | {"dealer": "3h 3d"})
    said = words(desk.get("second", f"rounds/{claiming}/"))
    assert f"box 1, royal flush. Claim 1 is then to be looked at anew. {WARNED}" in said
    desk.post("boss", f"rounds/{claiming}/reject/", approval=asked.pk, reason="I misread the card")
    assert desk.verify_all() == "verifying"


def test_why_a_claim_was_dropped_is_read_in_the_readers_language_wherever_it_stands(desk: HitDesk) -> None:
    """On the jackpot's page, at the audit desk with what was done about it, and in the admin."""
    called, other = desk.start(0), desk.start(1)
    desk.call(0, called)
    desk.end(0, called, dull())
    desk.end(1, other, dull())
    desk.advance()
    claim = Claim.objects.get()
    assert (claim.state, claim.reason) == ("dropped", DROPPED)
    pages = {
        "boss": [f"/floor/{desk.path}", f"/pit/{desk.path}"],
        "auditor": [f"/audit/hits/{claim.hit_id}/", f"/admin/jackpot/claim/{claim.pk}/change/"],
    }
    for language, reason in (
        ("de", "Das Ergebnis ihrer Runde meldet keinen Gewinn."),
        ("fr", "Le résultat de sa manche n’annonce aucun gain."),
        ("it", "Il risultato della sua mano non annuncia nessuna vincita."),
        ("en", "The result of its round does not claim."),
    ):
        for who, paths in pages.items():
            for path in paths:
                answer = desk.clients[who].get(path, headers={"accept-language": language})
                page = unescape(answer.content.decode())
                assert (reason in page, DROPPED in page) == (True, False), (language, path)


def test_correction_after_the_payment_says_that_it_makes_a_late_award(desk: HitDesk) -> None:
    overlooked, claiming = desk.start(0), desk.start(1)
    desk.end(1, claiming, royal("d"))
    desk.end(0, overlooked, dull())
    desk.advance()
    award(desk)
    ask(desk, "manager", overlooked, royal())
    said = words(desk.get("second", f"rounds/{overlooked}/"))
    late = "By this correction box 1 had won the jackpot that was paid since (royal flush): it is owed a late award."
    assert f"{late} {WARNED}" in said


def test_correction_that_takes_the_ground_from_an_award_or_gives_it_back_says_what_becomes_of_its_slip(
    desk: HitDesk,
) -> None:
    """Also that of a slip that was paid meanwhile; who signs it may sign the cancellation too, so nothing is said of that."""
    won, _ = desk.hit()
    award(desk)
    slip = Slip.objects.get()
    money = "CHF 10’002.00"
    lost = f"By this correction box 1 has not won the jackpot, but was awarded {money}"
    given = f"By this correction box 1 has won the {money} that it was awarded"
    unpaid = f"{lost}: slip 1 cannot be paid then. If the correction is right, have the slip cancelled."
    paid = (
        f"{lost}, and slip 1 is paid. If the correction is right, have the slip cancelled:"
        " the money is asked back, or the house bears the loss."
    )

    def told(result: object) -> str:
        asked = ask(desk, "manager", UUID(won), result)
        said = words(desk.get("second", f"rounds/{won}/"))
        assert WARNED not in said
        coins = "CHF 0.00 wins the jackpot" if result == royal() else "wins the jackpot CHF 0.00"
        assert f"1 Coin {coins}" in said
        desk.pin("boss")
        sign(desk, "boss", asked)
        return said

    def waits() -> set[bool]:
        """Whether start page and board say that the slip is to be cancelled, and lead there."""
        text = f"Slip 1 · {money} The round was corrected since and no longer gives it: cancel the slip"
        pages = [
            desk.clients["boss"].get(path, headers={"accept-language": "en"}) for path in ("/home/pit_boss/", "/pit/")
        ]
        texts = [page.content.decode() for page in pages]
        return {text in words(page) and f'href="/floor/{desk.path}#slip-1"' in page for page in texts}

    assert waits() == {False}
    assert unpaid in told(dull())
    assert waits() == {True}
    assert f"{given}: slip 1 can be paid again." in told(royal())
    assert waits() == {False}
    desk.post("cage", f"slips/{slip.pk}/pay/", cash_minor=1_000_200, secret=desk.pin("cage"))
    assert paid in told(dull())
    assert f"{given}: slip 1 was rightly paid." in told(royal())
