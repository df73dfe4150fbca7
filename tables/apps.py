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
        from tables.audit import hands, stays
        from tables.audit.agreement import DIGESTS, RULES
        from tables.audit.checks import AUDITS, NOTICES
        from tables.audit.recent import MARKED, MOVED_BY, OWN, SAME, VIEWS
        from tables.selectors.rounds import award_stands
        from tables.services.review.effect import unclarified

        register(AUDITS, NOTICES)
        audit_recent.register(views=VIEWS, moved_by=MOVED_BY, marked=MARKED, same=SAME, own=OWN)
        for of in (stays, hands):
            audit_recent.register(
                views=of.VIEWS, moved_by=of.MOVED_BY, marked=of.MARKED, same=of.SAME, own={}
            )
        agreement.register(RULES, DIGESTS)
        UNCLARIFIED.append(unclarified)
        STANDS.append(award_stands)
