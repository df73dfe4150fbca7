"""Books that were set back by a copy of their files are told by the heads of seals that are kept elsewhere."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db.models.functions import Now

from casino.ops import restores
from casino.ops.checks import unsafe_database
from casino.ops.models import SealRun
from casino.ops.seals import AGAIN, FILE, head_lost, seals_take, stored_heads
from casino.ops.verify import verify_all
from jackpot.services.continuation import ACTION, continue_sign
from payouts import seal_keys
from payouts.findings import Breach
from payouts.models import Approval, House, Seal
from payouts.models.approval import WAITING
from payouts.rules.seal import head_of
from payouts.seal_keys import LAST
from payouts.services import approval_reject, approval_signed
from tests.cast import make_house, make_person
from tests.databases import module_database, superuser
from tests.floor import done
from tests.restores import known_as

FORGED = {
    "payouts_sealedrows": "DELETE FROM payouts_sealedrows",
    "payouts_seal": "DELETE FROM payouts_seal",
    "payouts_event": "UPDATE payouts_event SET reason = 'another past'",
}


SIGNED_BY_SQL = (
    "ALTER TABLE payouts_approval DISABLE TRIGGER ALL",
    "ALTER TABLE payouts_approvalsignature DISABLE TRIGGER ALL",
    "UPDATE payouts_approval SET state = 'used', closed_at = clock_timestamp() WHERE id = %(approval)s",
    """INSERT INTO payouts_approvalsignature (approval_id, signer_id, payload_hash, method, mac)
        SELECT id, unnest(ARRAY[%(signer)s, %(other)s]), payload_hash, method, sha256('made up') FROM payouts_approval
        WHERE id = %(approval)s""",
)


@pytest.fixture
def heads(settings, tmp_path: Path) -> Path:
    settings.SEAL_KEY_PATH = tmp_path / "key.pem"
    settings.SEAL_HEADS = str(tmp_path / "heads")
    seal_keys.make(settings.SEAL_KEY_PATH)
    return tmp_path / "heads"


@pytest.fixture
def set_back(own_database: str, heads: Path) -> Iterator[str]:
    """The books as they were after their first seal; their second one was sealed in what is lost."""
    make_house()
    seals_take()
    with module_database("backup", own_database) as backup:
        pass_over(own_database)
        make_house("Another")
        seals_take()
        pass_over(backup)
        yield backup


def pass_over(database: str) -> None:
    """Go on in another database."""
    from tests.databases import use

    use(database)


def folder_failed() -> str:
    return SealRun.objects.get(pk="folder").failed


def misfits(heads: Path) -> list[Breach]:
    """What a verification finds amiss with the chain, by the heads that were kept."""
    checked = verify_all(keys=heads.parent, heads=heads, processes=1, progress=lambda _done, _of: None)
    [chain] = [check for check in checked if check.name == "seals_are_a_chain"]
    return chain.breaches


def signed_by_two() -> None:
    """Two people of each house sign from which seal it goes on, and nothing is sealed before."""
    houses = list(House.objects.order_by("name"))
    for number, house in enumerate(houses):
        for role in ("auditor", "manager"):
            assert seals_take() == 0
            [approval] = Approval.objects.filter(WAITING, house=house, action=ACTION)
            person = make_person(f"{role}.{number}", role, house=house)
            done(
                continue_sign,
                approval_id=approval.pk,
                house_id=house.pk,
                payload_hash=bytes(approval.payload_hash),
                signer_id=person.pk,
                signer_roles=person.roles,
                method="totp",
            )
    assert (Approval.objects.filter(action=ACTION).count(), seals_take()) == (len(houses), 1)


def test_seals_that_were_made_anew_are_signed_by_nobody(own_database: str, heads: Path) -> None:
    """Whoever owns the database empties both tables of seals and says that it was restored: nothing starts, nothing is signed."""
    make_house()
    seals_take()
    with superuser() as link:
        for table, change in FORGED.items():
            link.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
            link.execute(change)
    assert "database.restored" in [unsafe.code for unsafe in unsafe_database()]
    assert (seals_take(), Seal.objects.count(), Approval.objects.count()) == (0, 0, 0)
    assert SealRun.objects.get(pk="seal").failed == "Seal 1, the last that was signed here, is not in these books."
    call_command("restored")
    assert seals_take() == 0
    [approval] = Approval.objects.filter(WAITING, action=ACTION)
    manager = make_person("manager", "manager")
    ids = {"approval_id": approval.pk, "house_id": approval.house_id, "person_id": manager.pk}
    done(approval_reject, **ids, person_roles=manager.roles, reason="nobody restored anything")
    assert (seals_take(), Approval.objects.filter(WAITING).count()) == (0, 0)  # nobody is asked for it again
    values = {"approval": approval.pk, "signer": manager.pk, "other": make_person("auditor", "auditor").pk}
    with superuser() as link:
        for change in SIGNED_BY_SQL:
            link.execute(change, values)
    assert approval_signed(Approval.objects.get(state="used")) == 0
    assert seals_take() == 0


def test_what_somebody_rejected_is_asked_for_again_when_restored_is_said_once_more(set_back: str) -> None:
    call_command("restored")
    assert seals_take() == 0
    approval = Approval.objects.filter(WAITING, action=ACTION)[0]
    manager = make_person("manager", "manager", house=approval.house)
    ids = {"approval_id": approval.pk, "house_id": approval.house_id, "person_id": manager.pk}
    done(approval_reject, **ids, person_roles=manager.roles, reason="by mistake")
    assert (seals_take(), Approval.objects.filter(WAITING).count()) == (0, 0)
    call_command("restored")
    assert (seals_take(), Approval.objects.filter(WAITING).count()) == (0, 1)


def test_a_seal_that_another_key_signed_is_not_gone_on_from(own_database: str, heads: Path, settings) -> None:
    make_house()
    seals_take()
    own, settings.SEAL_KEY_PATH = settings.SEAL_KEY_PATH, heads.parent / "other" / "key.pem"
    seal_keys.make(settings.SEAL_KEY_PATH)
    make_house("Another")
    seals_take()
    settings.SEAL_KEY_PATH = own
    assert (seals_take(), Seal.objects.count()) == (0, 2)
    assert "not in these books" in SealRun.objects.get(pk="seal").failed


def test_books_that_were_set_back_serve_when_it_is_said(set_back: str, heads: Path, capsys) -> None:
    gone = head_lost(heads)
    assert gone is not None
    assert (gone.seal, gone.head) == (2, stored_heads(heads)[2])
    lines = (heads / FILE).read_text().splitlines()
    later = json.loads(lines[-1])
    (heads / FILE).write_text("\n".join([*lines[:-1], json.dumps(later | {"timeline": later["timeline"] + 1}), ""]))
    [superseded] = unsafe_database()
    assert superseded.sentence.startswith("Another server went on with these books, in timeline")
    assert superseded.remedy == restores.SUPERSEDED  # it offers no `manage.py restored`
    (heads / FILE).write_text("\n".join([*lines, ""]))

    [found] = unsafe_database()
    assert (found.code, "they lack seal 2 of 20" in found.sentence) == ("database.restored", True)
    assert "manage.py promoted" not in found.remedy
    known_as("timeline = timeline - 1")
    with pytest.raises(CommandError, match="something was lost"):
        call_command("promoted")
    last = (heads.parent / LAST).read_text()
    make_house("Third")
    seals_take()
    failed = SealRun.objects.get(pk="seal").failed  # who serves on meanwhile is told by /readyz
    assert failed == "Seal 2, the last that was signed here, is not in these books."
    (heads.parent / LAST).unlink()
    seals_take()
    assert "they lack seal 2, whose head the folder keeps" in folder_failed()
    (heads.parent / LAST).write_text(last)

    call_command("restored")
    assert f"Lost: what was sealed up to {gone.taken_at} (seal 2)." in capsys.readouterr().out
    assert unsafe_database() == []
    signed_by_two()
    make_house("Fourth")
    SealRun.objects.filter(pk="folder").update(at=Now() - AGAIN)
    seals_take()
    assert folder_failed() == ""
    newest = Seal.objects.order_by("-number")[0]
    assert stored_heads(heads) | {newest.number: head_of(newest.statement)} == stored_heads(heads)
    assert unsafe_database() == []


def test_a_server_behind_the_heads_is_sent_away_though_it_has_every_seal(own_database: str, heads: Path) -> None:
    """Who took over has sealed nothing yet, but kept the head of a seal that both have."""
    make_house()
    seals_take()
    line = json.loads((heads / FILE).read_text().splitlines()[-1])
    (heads / FILE).write_text(json.dumps(line | {"timeline": line["timeline"] + 1}) + "\n")
    for known in (0, 1):
        known_as(f"timeline = timeline + {known}")
        [check] = unsafe_database()
        assert (check.sentence[:44], check.remedy) == (
            "Another server went on with these books, in ",
            restores.SUPERSEDED,
        )


def test_heads_of_what_a_restore_lost_are_named_until_two_have_signed(set_back: str, heads: Path) -> None:
    lost = [{"seal": 2, "why": "is missing"}]
    assert misfits(heads) == lost
    call_command("restored")
    assert misfits(heads) == lost
    signed_by_two()
    assert misfits(heads) == []


def test_a_folder_that_tells_nothing_holds_nothing_up(set_back: str, heads: Path, settings) -> None:
    whole = (heads / FILE).read_text()
    first, second = whole.splitlines()
    odd = [json.dumps(json.loads(second) | part) for part in ({"timeline": None}, {"taken_at": "soon"})]
    for text in (
        "",
        first + "\n",
        first + "\n" + second[:9],
        "nothing\nat all\n",
        "{}\n{}\n",
        *(f"{line}\n" for line in odd),
    ):
        (heads / FILE).write_text(text)  # none, no more than ours, half a line, spoiled
        assert restores.lost() is None, text
    (heads / FILE).unlink()
    assert restores.lost() is None
    (heads / FILE).write_text(whole)
    assert restores.lost() is not None
    settings.SEAL_HEADS = ""
    assert restores.lost() is None
