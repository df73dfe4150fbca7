"""The dashboard's words: alerts, what stands out at a table. All are message ids of the
catalogues."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.text import capfirst
from django.utils.translation import gettext

from casino.records import findings as audit_findings
from casino.text import floor
from casino.text.alerts import ALERTS
from casino.text.formats import format_money
from casino.text.vocabulary import ACTIONS
from casino.text.wording import guest_name
from jackpot.models import Phase
from payouts.errors import mark
from payouts.models import Event, House
from tables.models import Hand, Round
from tables.services.rounds.doubts import (
    FEED_DENIES,
    FEED_ENROLLED,
    FEED_OTHERWISE,
    FEED_VOIDED,
    FEED_WAITS,
    OWNER_AWAY,
    OWNER_LEFT,
)

# What an alert says at its table's tile; a tablet that is silent marks the tile by itself.
MARKS = {
    "jackpot_claimed": mark("Claims the jackpot"),
    "draining_silent": mark("Holds the jackpot up"),
    "too_many_coins": mark("Too many coins"),
    "tablet_unstored": mark("Page not stored"),
    "pace_off": mark("Unusual pace"),
    "request_expired": mark("Request expired"),
    "rejected_again": mark("Rejected twice"),
    "lock_withdrawn": mark("Lock withdrawn"),
    "stake_doubted": mark("Round doubted"),
    "feed_enrolled": mark("New card feed"),
    "win_unseen": mark("Large win"),
    "rake_below": mark("Rake below the schedule"),
    "chips_amiss": mark("Chips do not add up"),
    "stacks_off": mark("Stack difference"),
    "entry_unbooked": mark("Buy-in or tip not booked"),
    "difference_open": mark("Difference to be explained"),
    "tray_short": mark("Fill not entered"),
}
# Of a hit with a true claim: why nothing is asked of anybody; the second
# sentence, as of each pair below, once it is over.
HIT_STANDS = {
    "below_zero": (
        mark(
            "The meter is below zero: have a wrong prize corrected at its round, or the meter"
            " adjusted."
        ),
        mark(
            "The meter was below zero, and neither a correction nor an adjustment had been asked"
            " for."
        ),
    ),
    "turned_down": (
        mark("The payment was rejected: look at a claim again, or have its round corrected."),
        mark("The payment had been rejected, and nothing had been asked for since."),
    ),
}
# Of a doubt, by why; any other is about an insurance.
DOUBTS = {
    OWNER_AWAY: (
        mark(
            "Round %(number)s, box %(box)s: another guest decided, since %(guest)s was entered as"
            " away, who sits there. Ask at the table."
        ),
        mark(
            "Round %(number)s, box %(box)s: another guest had decided, since %(guest)s, who sat"
            " there, had been entered as away."
        ),
    ),
    OWNER_LEFT: (
        mark(
            "Round %(number)s, box %(box)s: another guest decided, since %(guest)s, whose box it"
            " was at the lock, has left it. Ask at the table."
        ),
        mark(
            "Round %(number)s, box %(box)s: another guest had decided, since %(guest)s, whose box"
            " it was at the lock, had left it."
        ),
    ),
    FEED_DENIES: (
        mark(
            "Round %(number)s: the card feed has read cards after the result, by which it did not"
            " end so. Look at the cards."
        ),
        mark(
            "Round %(number)s: the card feed had read cards after the result, by which it had not"
            " ended so."
        ),
    ),
    FEED_OTHERWISE: (
        mark(
            "Round %(number)s: a card feed has sent other cards than were read before, which count."
            " Look at cards and devices."
        ),
        mark(
            "Round %(number)s: a card feed had sent other cards than were read before, which"
            " counted."
        ),
    ),
    FEED_WAITS: (
        mark(
            "Round %(number)s was settled before the card feed had read its last cards, and they"
            " have not come. Look at cards and feed."
        ),
        mark("Round %(number)s had been settled before the card feed had read its last cards."),
    ),
    FEED_VOIDED: (
        mark(
            "Round %(number)s was voided, and the card feed has read its cards since. Look at cards"
            " and reason."
        ),
        mark("Round %(number)s had been voided, and the card feed had read its cards afterwards."),
    ),
    FEED_ENROLLED: (
        mark(
            "Round %(number)s: cards came from a card feed that was enrolled after the lock; they"
            " do not count. Look at cards and devices."
        ),
        mark(
            "Round %(number)s: cards had come from a card feed that was enrolled after the lock;"
            " they did not count."
        ),
    ),
}
# Of chips that are more than the books have.
CHIPS_OVER = {
    "chips_amiss": (
        mark(
            "The last guest left %(at)s, and guests took %(over_minor)s more with them than hands"
            " can explain: look for a top-up or a hand that was entered wrong."
        ),
        mark(
            "The last guest had left %(at)s, and guests had taken %(over_minor)s more with them"
            " than hands could explain."
        ),
    ),
    "stacks_off": (
        mark(
            "The stacks were counted %(at)s, and %(over_minor)s more lie there than the books have:"
            " look for a top-up or a hand that was entered wrong."
        ),
        mark(
            "The stacks had been counted %(at)s, and %(over_minor)s more lay there than the books"
            " had."
        ),
    ),
}
AUDIT_STANDS = (
    mark("Check %(of)s was the last one: nobody checks the books. Tell the technician."),
    mark("Check %(of)s had been the last one: nobody checked the books."),
)
UNWATCHED_TITLE = mark("Nobody looks for alerts")
UNWATCHED = mark("No alert has been raised %(since)s: walk the floor, and tell the technician.")
CALLED = (
    mark(
        "Called by %(by)s, the box comes with the result: go to the table before anything is"
        " cleared away."
    ),
    mark("Called by %(by)s, the box was to come with the result."),
)
TABLET_REVOKED = (
    mark("Its tablet was revoked %(at)s, and no other one stands there."),
    mark("Its tablet had been revoked %(at)s, and no other one stood there."),
)
# Before a time of today, and before a day with its time.
MOMENTS = {
    "since": (mark("since %(time)s"), mark("since %(day)s, %(time)s")),
    "until": (mark("until %(time)s"), mark("until %(day)s, %(time)s")),
    "of": (mark("of %(time)s"), mark("of %(day)s, %(time)s")),
    "at": (mark("at %(time)s"), mark("on %(day)s at %(time)s")),
}
MONEY = {"cap_minor", "won_minor", "rake_minor", "posted_minor", "missing_minor", "over_minor"} | {
    "amount_minor",
    "difference_minor",
}
# What is open at a hand-over of the shift, by where it was read.
OPEN = {
    "call": mark("Floor called"),
    "alert": mark("Alert"),
    "seen": mark("Alert, acknowledged"),
    "over": mark("Alert, over"),
    "approval": mark("To be signed"),
    "clarify": mark("To be clarified"),
    "jackpot": mark("Jackpot"),
    "round": mark("Round takes long"),
    "slip": mark("Slip to be paid"),
    "unwatched": mark("Alert"),
}


def alert_text(kind: str, data: Mapping[str, Any], house: House, *, is_over: bool = False) -> str:
    """What an alert says, or said once it is over, in the language of the page, with times of the
    house and amounts in its money.
    """
    if kind not in ALERTS:
        return kind
    told: dict[str, Any] = dict(data)
    if "since" in data:
        told |= {
            how: moment_text(how, datetime.fromisoformat(data["since"]))
            for how in ("since", "of", "at")
        }
    if "asked" in data:
        told["asked"] = moment_text("at", datetime.fromisoformat(data["asked"]))
    if "action" in data:
        told["action"] = capfirst(floor.say(ACTIONS, data["action"]))
    if data.get("missing_minor", 0) < 0:
        told["over_minor"] = -told.pop("missing_minor")
    for name in MONEY & told.keys():
        told[name] = format_money(told[name], house.currency, house.locale)
    if data.get("guest"):
        told["guest"] = guest_name(data["guest"])
    if kind == "audit_failing":
        told["audits"] = audit_findings.areas(data["audits"])
    now, past = _sentences(kind, data)
    return gettext(past if is_over else now) % told


def _sentences(kind: str, data: Mapping[str, Any]) -> tuple[str, str]:
    if kind == "audit_failing" and not data["audits"]:
        return AUDIT_STANDS
    if kind == "jackpot_claimed" and data.get("box") is None:
        return CALLED
    if data.get("why") in DOUBTS:
        return DOUBTS[data["why"]]
    if data.get("why") in HIT_STANDS:
        return HIT_STANDS[data["why"]]
    if data.get("missing_minor", 0) < 0:
        return CHIPS_OVER[kind]
    return TABLET_REVOKED if data.get("revoked") else (ALERTS[kind].text, ALERTS[kind].past)


def at(moment: datetime) -> str:
    """A time of day in the house's zone; with its day if that is not today."""
    local = timezone.localtime(moment)
    today = local.date() == timezone.localtime().date()
    return local.strftime("%H:%M:%S" if today else "%d.%m. %H:%M")


def moment_text(how: str, moment: datetime) -> str:
    """A moment as `at` writes it, with the word before it: languages say another one before a day
    than before a time of day.
    """
    local = timezone.localtime(moment)
    if local.date() == timezone.localtime().date():
        return gettext(MOMENTS[how][0]) % {"time": local.strftime("%H:%M:%S")}
    return gettext(MOMENTS[how][1]) % {
        "day": local.strftime("%d.%m."),
        "time": local.strftime("%H:%M"),
    }


def phase(code: str) -> str:
    """A jackpot's phase in words."""
    return floor.say(Phase, code)


def offline(play: Round | Hand) -> str:
    """That it was played without the server, and when by the tablet's clock: the books know when it
    came. Empty for any other; one statement.
    """
    if not play.queued:
        return ""
    kind = "round" if isinstance(play, Round) else "hand"
    about = Event.objects.filter(subject_kind=kind, subject_id=str(play.pk))
    event = about.filter(name=f"{kind}.played_offline").order_by("pk").first()
    since = (
        (event.after or {}).get("locked_at" if kind == "round" else "began_at") if event else None
    )
    moment = parse_datetime(since or "")
    if moment is None or moment.tzinfo is None:
        return gettext("offline")
    return gettext("offline, by the tablet's clock %(at)s") % {"at": moment_text("at", moment)}
