"""App configuration."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TablesConfig(AppConfig):
    """The floor: pits, tables, sessions, boxes, guests, rounds, stakes."""

    name = "tables"
    verbose_name = _("Tables")

    def ready(self) -> None:
        """Have the books' audits ask this floor's questions too, and the jackpot wait for what is
        to be clarified.
        """
        from jackpot.services import STANDS, UNCLARIFIED
        from payouts import agreement, audit_recent
        from payouts.audit import register
        from tables.audit import stays
        from tables.audit.agreement import DIGESTS, RULES
        from tables.audit.checks import AUDITS, NOTICES
        from tables.audit.recent import MARKED, MOVED_BY, OWN, SAME, VIEWS
        from tables.selectors.rounds import award_stands, unclarified

        register(AUDITS, NOTICES)
        audit_recent.register(views=VIEWS, moved_by=MOVED_BY, marked=MARKED, same=SAME, own=OWN)
        audit_recent.register(
            views=stays.VIEWS,
            moved_by=stays.MOVED_BY,
            marked=stays.MARKED,
            same=stays.SAME,
            own={},
        )
        agreement.register(RULES, DIGESTS)
        UNCLARIFIED.append(unclarified)
        STANDS.append(award_stands)
