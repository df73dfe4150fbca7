"""The five weeks, made once for both files of tests; nothing in them writes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

from payouts import seal_keys
from tests.casino.audit.reports.conftest import CHEAP
from tests.databases import module_database
from tests.scale.fill import Filled, Filler, Plan, as_superuser
from tests.scale.house import Weeks
from tests.servers import servers

STAKES = 100_000


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


@pytest.fixture(scope="module")
def weeks(django_db_setup: None, django_db_blocker: object, keys: Path) -> Iterator[Filled]:
    seal_keys.make(keys / "key.pem")
    signer = seal_keys.signer(keys / "key.pem")
    with django_db_blocker.unblock(), module_database("weeks") as name:
        plan = Plan(STAKES)
        with override_settings(PASSWORD_HASHERS=CHEAP):
            house = Weeks(name, tables=plan.tables, patterns=plan.patterns, seed=plan.seed)
        with as_superuser(servers.superuser_url, name) as link:
            yield Filler(link, house, plan, signer, print).fill()
