"""The demo house before its first start, in one process: each start of Django costs seconds on a busy machine."""

import os

# Besides the demo's own people: sign-in name, roles. What they do with that, `attackers.py` has.
INSIDERS = (
    ("h.falk", ["manager"]),
    ("e.steiner", ["manager", "cage"]),
    ("f.amsler", ["manager"]),
    ("d.wirth", ["pit_boss", "cage"]),
    ("c.opitz", ["pit_boss"]),
)
PIN = "271828"  # of each


def main() -> None:
    """Migrate, make the demo house, collect static files."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
    call_command("demo", verbosity=0)
    _insiders()
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["drf_spectacular_sidecar"])


def _insiders() -> None:
    """People who have long been of the house, as the demo's: nothing in the log says that somebody made them."""
    from casino.demo.people import PASSWORD
    from casino.people.authenticators import Authenticator
    from casino.people.pins import pin_set
    from casino.people.services import person_new
    from payouts.models import House
    from tests.faults.attack import secret_of

    house = House.objects.get()
    for username, roles in INSIDERS:
        person = person_new(username=username, full_name=username, house=house, role_codes=roles)
        person.set_password(PASSWORD)
        person.save()
        pin_set(person=person, pin=PIN)
        Authenticator.objects.create(user=person, name="authenticator", confirmed=True, key=secret_of(username).hex())


if __name__ == "__main__":
    main()
