"""App configuration of the wiring, and of the admin in the house's look."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class CasinoConfig(AppConfig):
    """People, roles, sign-in, devices, and the wiring of everything else."""

    name = "casino"
    verbose_name = "Casino"

    def ready(self) -> None:
        """Register the start-up checks, what an audit finds and notices, and the Celery app as the
        one that `shared_task` means.
        """
        from casino import celery  # noqa: F401  (it needs the apps to be loaded)
        from casino.ops import checks  # noqa: F401  (so do they)
        from casino.people.credentials import NAME, credentials_changed
        from casino.people.resting import NOTICES
        from casino.people.signing_roles import AUDITS
        from payouts.audit import register

        register(AUDITS, NOTICES, {NAME: credentials_changed})


class HouseAdminConfig(AdminConfig):
    """Django's own admin, entered through our sign-in only."""

    default_site = "casino.records.admin_site.HouseAdminSite"
