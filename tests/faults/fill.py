"""Chips for every tray that nobody counts, before the house plays: no fill goes through the API, and guests win now and then."""

import os

FILL_MINOR = 20_000_000


def main() -> None:
    """Post it once for each table."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    import django

    django.setup()
    from django.db import transaction

    from casino.people.models import Person
    from payouts.rules.ledger import recipes
    from payouts.selectors import gaming_day_at
    from payouts.services import recipe_post
    from tables.models import Table

    def post(kind: str, lines: list[recipes.Line], owners: dict[str, object], key: str) -> None:
        day = gaming_day_at(house_id=house_id)
        by = Person.objects.filter(house=house_id, roles__contains=["manager"]).earliest("pk").pk
        values = {"house_id": house_id, "gaming_day": day, "key": f"opening:faults:{key}", "actor_id": by}
        recipe_post(**values, kind=kind, lines=lines, owners=owners)

    for table in Table.objects.exclude(posted__has_key="cage_rules"):
        house_id = table.house_id
        with transaction.atomic():
            whole = {"house": house_id}
            post("capital_in", recipes.capital_in(FILL_MINOR), whole, f"capital:{table.pk}")
            post("chips_in_service", recipes.chips_in_service(FILL_MINOR), whole, f"chips:{table.pk}")
            post("fill", recipes.fill(FILL_MINOR), whole | {"table": table.pk}, f"fill:{table.pk}")


if __name__ == "__main__":
    main()
