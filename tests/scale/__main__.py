"""`python -m tests.scale STAKES KEYS` in the environment of `bench_place`, with the superuser's address in SCALE_SUPERUSER_URL.

Makes the house in that database and prints one line of JSON: what is there. KEYS: the folder in which the seals' key is made.
"""

import json
import os
import sys
from pathlib import Path

import django


def main(stakes: int, keys: Path) -> None:
    """Make the house."""
    django.setup()
    from django.db import connection
    from django.test.utils import setup_test_environment

    from payouts import seal_keys
    from tests.scale.fill import Filler, Plan, as_superuser
    from tests.scale.house import Weeks

    setup_test_environment()
    seal_keys.make(keys / "key.pem")
    plan = Plan.of(stakes)
    house = Weeks(connection.settings_dict["NAME"], tables=plan.tables, patterns=plan.patterns, seed=plan.seed)
    with as_superuser(os.environ["SCALE_SUPERUSER_URL"]) as link:
        filler = Filler(
            link, house, plan, seal_keys.signer(keys / "key.pem"), lambda text: print(text, file=sys.stderr)
        )
        made = filler.fill()
    said = {
        "house": str(house.house.pk),
        "stakes": made.stakes,
        "rounds": len(made.rounds),
        "auditor": str(house.auditor.pk),
    }
    said |= {"first": made.sessions[0].day.isoformat(), "last": made.sessions[-1].day.isoformat()}
    print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
