"""Alerts by kind: how bad each is, how it looks, what it is called and says. All are message ids of
the catalogues.
"""

from typing import NamedTuple

from payouts.errors import mark

ALARM, WARN = "alarm", "warn"  # how bad, the worse one first


class AlertKind(NamedTuple):
    """How an alert looks, what it is called, and what it says of its data: while it is so, and once
    it is over.
    """

    severity: str
    icon: str
    title: str
    text: str
    past: str


ALERTS: dict[str, AlertKind] = {
    "jackpot_claimed": AlertKind(
        ALARM,
        "coins",
        mark("Jackpot claimed"),
        mark(
            "Box %(box)s, %(guest)s, dealt by %(croupier)s: go to the table before anything is"
            " cleared away."
        ),
        mark("Box %(box)s, %(guest)s, dealt by %(croupier)s, had claimed the jackpot."),
    ),
    "draining_silent": AlertKind(
        ALARM,
        "clock",
        mark("Round holds the jackpot up"),
        mark(
            "A win has been waiting for this round %(since)s: go to the table, settle or void it."
        ),
        mark("A win had been waiting for this round %(since)s."),
    ),
    "jackpot_stands": AlertKind(
        ALARM,
        "warn",
        mark("Jackpot does not move on"),
        mark(
            "Its next step has failed again and again %(since)s (%(error)s): tell the technician."
        ),
        mark("Its next step had failed again and again %(since)s (%(error)s)."),
    ),
    "hit_waits": AlertKind(
        ALARM,
        "clock",
        mark("Hit waits for the pit"),
        mark(
            "No claim is true: ask for the hit to be rejected, another person signs it. Until then"
            " its tables wait."
        ),
        mark("No claim was true, and nobody had asked for the hit to be rejected."),
    ),
    "rejected_again": AlertKind(
        ALARM,
        "code",
        mark("Rejected twice in a row"),
        mark(
            "%(action)s: rejected by %(before)s, asked for again and rejected by %(by)s. Hear both,"
            " and have others look at it."
        ),
        mark(
            "%(action)s: had been rejected by %(before)s, asked for again and rejected by %(by)s."
        ),
    ),
    "display_unconfirmed": AlertKind(
        ALARM,
        "eye",
        mark("Display does not confirm"),
        mark(
            "“%(name)s” has not shown the new value %(since)s: look at the screen, or have it taken"
            " out."
        ),
        mark("“%(name)s” had not shown the new value %(since)s."),
    ),
    "audit_failing": AlertKind(
        ALARM,
        "warn",
        mark("The books do not agree"),
        mark("Check %(of)s: %(audits)s. Tell the management."),
        mark("Check %(of)s had found differences: %(audits)s."),
    ),
    "too_many_coins": AlertKind(
        ALARM,
        "coins",
        mark("Too many rounds with coins"),
        mark(
            "%(rounds)s in an hour, no table plays more than %(most)s: stop the table and ask why."
        ),
        mark("%(rounds)s in an hour had been entered, no table plays more than %(most)s."),
    ),
    "win_unseen": AlertKind(
        ALARM,
        "eye",
        mark("Large win to be looked at"),
        mark(
            "Round %(number)s, %(won_minor)s won: go to the table and look at cards and chips."
            " Whoever entered or dealt it does not acknowledge this."
        ),
        mark("Round %(number)s, %(won_minor)s won: cards and chips were to be looked at."),
    ),
    "tablet_unstored": AlertKind(
        ALARM,
        "offline",
        mark("Tablet not ready for an outage"),
        mark(
            "“%(name)s” has not stored its page: without the server it would not open. Go to the"
            " table and load it again; take another tablet if it stays so."
        ),
        mark("“%(name)s” had not stored its page."),
    ),
    "tablet_offline": AlertKind(
        WARN,
        "offline",
        mark("Tablet offline"),
        mark(
            "Nothing has been heard of it %(since)s: go to the table, and take another tablet if it"
            " stays so."
        ),
        mark("Nothing had been heard of it %(since)s."),
    ),
    "display_offline": AlertKind(
        WARN,
        "offline",
        mark("Display dark"),
        mark(
            "Nothing has been heard of “%(name)s” %(since)s: look at the screen, then call the"
            " technician."
        ),
        mark("Nothing had been heard of “%(name)s” %(since)s."),
    ),
    "pace_off": AlertKind(
        WARN,
        "clock",
        mark("Unusual pace"),
        mark("%(an_hour)s an hour; %(least)s to %(most)s are usual: ask at the table."),
        mark("%(an_hour)s an hour had been played; %(least)s to %(most)s are usual."),
    ),
    "request_expired": AlertKind(
        WARN,
        "code",
        mark("Request expired unsigned"),
        mark(
            "%(action)s, asked for %(asked)s, was not signed in time: ask again if it is still"
            " needed."
        ),
        mark("%(action)s, asked for %(asked)s, had not been signed in time."),
    ),
    "sign_in_anew": AlertKind(
        WARN,
        "lock",
        mark("Sign-in set anew"),
        mark(
            "%(name)s, by %(by)s %(since)s: signs nothing until a second manager has seen the"
            " sign-in."
        ),
        mark(
            "%(name)s, by %(by)s %(at)s: signed nothing until a second manager had seen the"
            " sign-in."
        ),
    ),
    "rake_below": AlertKind(
        WARN,
        "coins",
        mark("Rake below the schedule"),
        mark(
            "Hand %(number)s: %(rake_minor)s taken, %(posted_minor)s by the schedule: ask whoever"
            " dealt it."
        ),
        mark(
            "Hand %(number)s: %(rake_minor)s had been taken, %(posted_minor)s were due by the"
            " schedule."
        ),
    ),
    "chips_amiss": AlertKind(
        WARN,
        "chip",
        mark("Chips do not add up"),
        mark(
            "The last guest left %(at)s, and %(missing_minor)s are missing: look for a hand or a"
            " tip that was not entered, and count the tray."
        ),
        mark("The last guest had left %(at)s, and %(missing_minor)s were missing."),
    ),
    "stacks_off": AlertKind(
        WARN,
        "chip",
        mark("Stack difference"),
        mark(
            "The stacks were counted %(at)s, and %(missing_minor)s are missing: look for a hand or"
            " a tip that was not entered, and count the tray."
        ),
        mark("The stacks had been counted %(at)s, and %(missing_minor)s were missing."),
    ),
    "entry_unbooked": AlertKind(
        WARN,
        "chip",
        mark("Buy-in or tip not booked"),
        mark(
            "%(amount_minor)s, entered by %(by)s without network, came %(at)s and could not be"
            " booked: ask at the table, and enter it anew."
        ),
        mark(
            "%(amount_minor)s, entered by %(by)s without network, had come %(at)s and could not be"
            " booked."
        ),
    ),
    "difference_open": AlertKind(
        WARN,
        "chip",
        mark("Difference to be explained"),
        mark(
            "Counted %(at)s, %(difference_minor)s against the books: look for what explains it, and"
            " write it down."
        ),
        mark("Counted %(at)s, it was %(difference_minor)s against the books."),
    ),
    "tray_short": AlertKind(
        WARN,
        "chip",
        mark("Fill not entered"),
        mark(
            "By the books more chips have left the tray than ever came into it: enter the fill that"
            " is missing, and count the tray."
        ),
        mark("By the books more chips had left the tray than ever came into it."),
    ),
    "lock_withdrawn": AlertKind(
        WARN,
        "eye",
        mark("Lock withdrawn"),
        mark(
            "Round %(number)s was taken back %(seconds)s s after its lock had come: ask what lay on"
            " the table."
        ),
        mark("Round %(number)s had been taken back %(seconds)s s after its lock had come."),
    ),
    "stake_doubted": AlertKind(
        WARN,
        "eye",
        mark("Round doubted"),
        mark(
            "Round %(number)s: insurance lies there, and the bank's first card was entered as no"
            " ace. Look at the table."
        ),
        mark(
            "Round %(number)s: insurance lay there, and the bank's first card had been entered as"
            " no ace."
        ),
    ),
    "feed_enrolled": AlertKind(
        WARN,
        "lock",
        mark("New card feed"),
        mark(
            "“%(name)s”, by %(by)s %(since)s: rounds are settled by the cards that it sends. See"
            " that a shoe or shuffler stands there."
        ),
        mark("“%(name)s” had been enrolled by %(by)s %(at)s."),
    ),
    "pins_slowed": AlertKind(
        WARN,
        "lock",
        mark("Wrong PINs at a tablet"),
        mark(
            "“%(name)s”, again and again %(since)s: go to the table and see who types there. Nobody"
            " is locked out."
        ),
        mark("“%(name)s”: wrong PINs had been typed again and again %(since)s."),
    ),
    "cap_near": AlertKind(
        WARN,
        "coins",
        mark("Meter near its cap"),
        mark(
            "It shows at most %(cap_minor)s; what comes above goes elsewhere. Tell the management."
        ),
        mark("It had nearly reached %(cap_minor)s, the most that it shows."),
    ),
}
LOUD = tuple(kind for kind, one in ALERTS.items() if one.severity == ALARM)
