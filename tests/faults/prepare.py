"""The demo house before its first start, in one process: each start of Django costs seconds on a busy machine."""

import os


def main() -> None:
    """Migrate, make the demo house, collect static files."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
    call_command("demo", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["drf_spectacular_sidecar"])


if __name__ == "__main__":
    main()
