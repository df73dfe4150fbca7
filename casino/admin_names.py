"""What records are called in the admin, for models that do not say it themselves: words of a page, not of the schema."""

from typing import Any

from django.utils.translation import gettext_lazy as _

NAMES = {  # one, several
    "casino.alert": (_("alert of the pit"), _("alerts of the pit")),
    "payouts.postedtable": (_("posted table"), _("posted tables")),
    "tables.pit": (_("pit"), _("pits")),
    "tables.table": (_("gaming table"), _("gaming tables")),
    "tables.tablesession": (_("opening of a table"), _("openings of tables")),
    "tables.handover": (_("hand-over of a table"), _("hand-overs of tables")),
    "tables.guest": (_("guest at a table"), _("guests at tables")),
    "tables.round": (_("round of a table"), _("rounds of tables")),
    "tables.roundstake": (_("stake of a round"), _("stakes of rounds")),
    "tables.roundresult": (_("result of a round"), _("results of rounds")),
    "tables.roundline": (_("line of a settlement"), _("lines of settlements")),
    "tables.cardfeed": (_("message of a card feed"), _("messages of card feeds")),
    "tables.toclarify": (_("matter to be clarified"), _("matters to be clarified")),
    "jackpot.jackpot": (_("progressive jackpot"), _("progressive jackpots")),
    "jackpot.epoch": (_("epoch of a jackpot"), _("epochs of jackpots")),
    "jackpot.runninground": (_("running round of a jackpot"), _("running rounds of jackpots")),
    "jackpot.contribution": (_("contribution to a jackpot"), _("contributions to jackpots")),
}


def name(model: Any) -> None:
    """Call a model by its name. Django keeps what the class said beside it, so that no migration comes of this."""
    if names := NAMES.get(model._meta.label_lower):
        model._meta.verbose_name, model._meta.verbose_name_plural = names
