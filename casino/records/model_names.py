"""What records are called in the admin, for models that do not say it themselves: words of a page,
not of the schema.
"""

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from casino.records.fields import FIELDS

NAMES = {  # one, several
    "casino.alert": (_("alert of the pit"), _("alerts of the pit")),
    "payouts.count": (_("count"), _("counts")),
    "payouts.countback": (_("setting back of a count"), _("settings back of counts")),
    "payouts.countentry": (_("entry of a count"), _("entries of counts")),
    "payouts.countline": (_("line of a count"), _("lines of counts")),
    "payouts.countsignature": (_("signature of a count"), _("signatures of counts")),
    "payouts.chipmove": (_("movement of chips"), _("movements of chips")),
    "payouts.inventory": (_("first inventory"), _("first inventories")),
    "payouts.postedtable": (_("posted table"), _("posted tables")),
    "tables.difference": (_("difference of a count"), _("differences of counts")),
    "tables.explanation": (_("explanation of a difference"), _("explanations of differences")),
    "tables.explanationwords": (_("words of an explanation"), _("words of explanations")),
    "tables.pit": (_("pit"), _("pits")),
    "tables.table": (_("gaming table"), _("gaming tables")),
    "tables.tableversion": (_("version of a gaming table"), _("versions of gaming tables")),
    "tables.tablesession": (_("opening of a table"), _("openings of tables")),
    "tables.handover": (_("hand-over of a table"), _("hand-overs of tables")),
    "tables.guest": (_("guest at a table"), _("guests at tables")),
    "tables.round": (_("round of a table"), _("rounds of tables")),
    "tables.roundstake": (_("stake of a round"), _("stakes of rounds")),
    "tables.roundresult": (_("result of a round"), _("results of rounds")),
    "tables.roundline": (_("line of a settlement"), _("lines of settlements")),
    "tables.cardfeed": (_("message of a card feed"), _("messages of card feeds")),
    "tables.irregularity": (_("irregularity of a round"), _("irregularities of rounds")),
    "tables.override": (
        _("decision against the rules"),
        pgettext_lazy("row", "decisions against the rules"),
    ),
    "tables.hand": (_("poker hand"), _("poker hands")),
    "tables.begunhand": (_("hand that was begun last"), _("hands that were begun last")),
    "tables.handresult": (_("entry of a hand"), _("entries of hands")),
    "tables.handseat": (_("seat of a hand"), pgettext_lazy("row", "seats of hands")),
    "tables.handpot": (_("pot of a hand"), pgettext_lazy("row", "pots of hands")),
    "tables.handshare": (_("share of a pot"), pgettext_lazy("row", "shares of pots")),
    "tables.handirregularity": (
        _("irregularity at a poker table"),
        _("irregularities at poker tables"),
    ),
    "tables.handoverride": (
        _("payment for a fault at a poker table"),
        _("payments for faults at poker tables"),
    ),
    "tables.pokerstay": (_("stay at a poker table"), _("stays at poker tables")),
    "tables.staychips": (_("chips of a stay"), pgettext_lazy("row", "chips of stays")),
    "tables.buyin": (_("buy-in at a table"), _("buy-ins at tables")),
    "tables.tip": (_("tip at a table"), _("tips at tables")),
    "tables.entryreversal": (
        _("taking back of a buy-in or a tip"),
        _("takings back of buy-ins and tips"),
    ),
    "tables.stackcount": (_("count of stacks"), pgettext_lazy("row", "counts of stacks")),
    "tables.reviewitem": (_("matter to be clarified"), _("matters to be clarified")),
    "jackpot.jackpot": (_("progressive jackpot"), _("progressive jackpots")),
    "jackpot.epoch": (_("epoch of a jackpot"), _("epochs of jackpots")),
    "jackpot.runninground": (_("running round of a jackpot"), _("running rounds of jackpots")),
    "jackpot.contribution": (_("contribution to a jackpot"), _("contributions to jackpots")),
    "casino.auditrun": (
        pgettext_lazy("row", "run of the audits"),
        pgettext_lazy("row", "runs of the audits"),
    ),
    "casino.shifthandover": (
        _("hand-over of a shift"),
        pgettext_lazy("row", "hand-overs of shifts"),
    ),
    "casino.verifyrun": (
        pgettext_lazy("row", "verification of the books"),
        pgettext_lazy("row", "verifications of the books"),
    ),
    "jackpot.award": (
        pgettext_lazy("row", "award of the jackpot"),
        pgettext_lazy("row", "awards of the jackpot"),
    ),
    "jackpot.claim": (
        pgettext_lazy("row", "claim of the jackpot"),
        pgettext_lazy("row", "claims of the jackpot"),
    ),
    "jackpot.displaysession": (
        pgettext_lazy("row", "session of a display"),
        pgettext_lazy("row", "sessions of displays"),
    ),
    "jackpot.epochend": (_("end of an epoch"), pgettext_lazy("row", "ends of epochs")),
    "jackpot.selectors.fed": (
        pgettext_lazy("row", "sum of what was fed"),
        pgettext_lazy("row", "sums of what was fed"),
    ),
    "jackpot.gate": (
        pgettext_lazy("row", "gate of displays"),
        pgettext_lazy("row", "gates of displays"),
    ),
    "jackpot.gatedisplay": (
        pgettext_lazy("row", "display of a gate"),
        pgettext_lazy("row", "displays of gates"),
    ),
    "jackpot.hit": (
        pgettext_lazy("row", "hit of the jackpot"),
        pgettext_lazy("row", "hits of the jackpot"),
    ),
    "jackpot.incarnation": (
        pgettext_lazy("row", "incarnation of the books"),
        pgettext_lazy("row", "incarnations of the books"),
    ),
    "jackpot.listedround": (
        pgettext_lazy("row", "round listed for a hit"),
        pgettext_lazy("row", "rounds listed for hits"),
    ),
    "jackpot.requireddisplay": (
        pgettext_lazy("row", "display that tables wait for"),
        pgettext_lazy("row", "displays that tables wait for"),
    ),
    "jackpot.share": (
        pgettext_lazy("row", "share of a split"),
        pgettext_lazy("row", "shares of splits"),
    ),
    "jackpot.signoflife": (
        pgettext_lazy("row", "sign of life of the jackpot"),
        pgettext_lazy("row", "signs of life of the jackpot"),
    ),
    "jackpot.slip": (
        pgettext_lazy("row", "slip of the jackpot"),
        pgettext_lazy("row", "slips of the jackpot"),
    ),
    "jackpot.split": (
        pgettext_lazy("row", "split of a hit"),
        pgettext_lazy("row", "splits of hits"),
    ),
    "jackpot.standstill": (
        pgettext_lazy("row", "standstill of a jackpot"),
        pgettext_lazy("row", "standstills of jackpots"),
    ),
    "jackpot.takenback": (
        pgettext_lazy("row", "payment taken back"),
        pgettext_lazy("row", "payments taken back"),
    ),
    "jackpot.waitingprize": (
        pgettext_lazy("row", "prize that waits for approval"),
        pgettext_lazy("row", "prizes that wait for approval"),
    ),
    "payouts.approvallist": (
        _("list beside a request"),
        pgettext_lazy("row", "lists beside requests"),
    ),
    "payouts.seal": (
        pgettext_lazy("row", "seal of the books"),
        pgettext_lazy("row", "seals of the books"),
    ),
    "payouts.sealedrows": (
        pgettext_lazy("row", "rows under a seal"),
        pgettext_lazy("row", "rows under seals"),
    ),
}


def name(model: Any) -> None:
    """Call a model and its fields by their names. Django keeps what the class said: no migration
    comes of this.
    """
    if names := NAMES.get(model._meta.label_lower):
        model._meta.verbose_name, model._meta.verbose_name_plural = names
    fields = model._meta.local_concrete_fields
    for field in fields:
        if field.name in FIELDS and (field._verbose_name is None or field.name.endswith("_minor")):
            field.verbose_name = FIELDS[field.name]
    key = model._meta.pk
    if key.name == "id":  # beside a number that people use
        numbered = key.get_internal_type() == "UUIDField" or any(
            field.name == "number" for field in fields
        )
        key.verbose_name = pgettext_lazy("row", "identification") if numbered else FIELDS["id"]
