"""Seals are written by a role of their own: who has the app role's password writes none, and so ends no sealing."""

import psycopg
import pytest
from celery.signals import worker_init
from django.conf import settings as configured
from django.db import connection, connections
from psycopg import sql

from casino.database import database_config
from casino.ops import startup
from casino.ops.models import SealRun
from casino.ops.seals import seals_take
from payouts import seal_keys
from payouts.db.guards import defend
from payouts.db.rights import needless_rights
from payouts.models import Seal
from tests.cast import make_house
from tests.databases import superuser
from tests.servers import servers

SEALER = configured.SEALER["USER"]
SEALS = "INSERT INTO payouts_seal (number, taken_at, statement, signature) VALUES (9, now(), '{}', '')"
ROWS = "INSERT INTO payouts_sealedrows (seal_id, \"table\", columns, keys, leaves) VALUES (1, 'x', '{}', '', '')"


@pytest.fixture
def house(own_database, settings, tmp_path):
    settings.SEAL_KEY_PATH = tmp_path / "key.pem"
    seal_keys.make(settings.SEAL_KEY_PATH)
    return make_house()


def refused(url: str, database: str, *statements: str) -> list[str]:
    """Those for which the role has no right; what it may is rolled back."""
    without = []
    with psycopg.connect(url, dbname=database) as link:
        for statement in statements:
            try:
                link.execute(statement)
            except psycopg.errors.InsufficientPrivilege:
                without.append(statement)
            link.rollback()
    return without


def test_who_serves_writes_no_seal_and_who_seals_writes_nothing_else(house, own_database):
    assert seals_take() == 1
    seals, others = (
        [SEALS, ROWS],
        [
            "INSERT INTO payouts_event (name, subject_kind, subject_id, reason, request_id) VALUES ('x', '', '', '', '')",
            "UPDATE payouts_approval SET state = 'used'",
            "UPDATE payouts_seal SET statement = ''",
            "DELETE FROM payouts_sealedrows",
            "TRUNCATE payouts_seal",
            "SELECT password FROM casino_person",
            "SELECT ledger_post_v1(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
            "SELECT command_answer_v2('x', '', '{}')",
        ],
    )
    assert refused(servers.app_url, own_database, *seals) == seals
    assert refused(servers.seal_url, own_database, SEALS, *others) == others
    assert needless_rights() == []
    with superuser() as link:
        link.execute(
            sql.SQL("GRANT INSERT ON payouts_seal TO {}").format(
                sql.Identifier(configured.DATABASES["default"]["USER"])
            )
        )
    assert needless_rights() == ["payouts_seal: INSERT"]


def test_what_is_missing_is_named_at_the_workers_start_and_where_seals_fail(house, settings, monkeypatch, caplog):
    """A house that upgrades has no such role yet: it goes on, and is told."""
    monkeypatch.setattr(startup, "refuse_unsafe_database", lambda: None)  # asked elsewhere

    def started() -> tuple[list[str], int, str]:
        caplog.clear()
        worker_init.send(sender=None)
        logged = [record.msg["sentence"] for record in caplog.records if "sealer_refused" in str(record.msg)]
        return logged, seals_take(), SealRun.objects.get(pk="seal").failed

    whole = settings.SEALER
    missing = {"is not set": {}, "does not exist": whole | {"USER": "nobody_at_all"}}
    for why, sealer in missing.items():
        settings.SEALER = sealer
        [sentence], count, failed = started()
        assert (why in sentence, count, failed[:150]) == (True, 0, sentence[:150])
    settings.SEALER = whole
    with superuser() as link:
        link.execute(sql.SQL("REVOKE INSERT ON payouts_seal FROM {}").format(sql.Identifier(SEALER)))
        [sentence], count, failed = started()
        assert ("it has no right to" in sentence, count, "permission denied" in failed) == (True, 0, True)
        link.execute(sql.SQL("GRANT INSERT ON payouts_seal TO {}").format(sql.Identifier(SEALER)))
    assert (started(), Seal.objects.count()) == (([], 1, ""), 1)


def test_the_owner_named_as_the_role_that_writes_seals_keeps_its_rights(
    house, own_database, settings, caplog, monkeypatch
):
    """Else the functions of the books, which are the owner's, could post nothing any more."""
    monkeypatch.setattr(startup, "refuse_unsafe_database", lambda: None)  # asked elsewhere
    settings.SEALER = database_config(servers.owner_url) | {"NAME": own_database}
    owner = type(connections["default"])({**connection.settings_dict, **settings.SEALER}, "default")
    defend(owner)
    assert refused(servers.owner_url, own_database, "UPDATE payouts_account SET version = version", SEALS) == []
    owner.close()
    worker_init.send(sender=None)
    [sentence] = [record.msg["sentence"] for record in caplog.records if "sealer_refused" in str(record.msg)]
    assert "it may do more than that" in sentence
