"""The verdict above every record and at the head of every report: four checks, from what was kept,
in six statements.

Seals are taken and heads kept each minute, the books audited each minute; what only a whole
verification proves is said as of the last one (`casino/audit/runs.py`), and nothing is verified
while somebody waits. That all of it agrees with itself does not prove who wrote it: heads that
somebody else keeps do.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.audit.runs import broken_checks
from casino.ops.models import AuditRun, SealRun, VerifyRun
from casino.records.findings import AREAS
from casino.records.findings import WORDS as FOUND_WORDS
from casino.text.clock_times import day_and_time
from casino.text.formats import format_money
from payouts.audit_recent import is_recent
from payouts.errors import mark
from payouts.models import House, Seal
from payouts.rules.seal import SealUnreadable, Statement, head_of
from tables.audit.replay import awards_put_right

Answer = Literal["yes", "no", "unknown"]
ANSWERS: dict[bool | None, Answer] = {True: "yes", False: "no", None: "unknown"}
OTHER_HEAD = "is not the one whose head was kept elsewhere"
SLIPPED_IN, ROWS, CHAIN = (
    "no_row_was_slipped_in",
    "rows_are_as_they_were_sealed",
    "seals_are_a_chain",
)
DOUBTS = "awards_are_of_rounds_that_claim"
ON_THEIR_SIDE = "balances_are_on_their_side"
WORDS = {**FOUND_WORDS, ON_THEIR_SIDE: mark("Every balance is on its proper side.")}
SEAL_AGE, AUDIT_AGE = timedelta(minutes=15), timedelta(minutes=5)
VERIFY_AGE = timedelta(hours=50)  # all is verified once a day

TITLES = {
    "chain": mark("Chain unchanged"),
    "complete": mark("Complete"),
    "anchor": mark("Anchor matches"),
    "balances": mark("Balances agree"),
}
NEVER, SEALLESS = mark("Not verified yet."), mark("Nothing is sealed yet.")
WHOLE = mark("%(seals)s seals, %(rows)s rows")
VERIFY_OLD = mark(
    "%(seals)s seals, %(rows)s rows; not verified again for %(hours)s hours, though it is due daily"
)
CHANGED = mark(
    "Seals and rows that are not as they were: %(count)s; the first is of seal %(seal)s."
)
SEALS_GONE = mark("Seals that are missing: %(count)s; the first is seal %(seal)s.")
ALL_THERE = mark("%(found)s of %(expected)s sealed rows are there, none was slipped in")
NOT_ALL = mark(
    "%(found)s of %(expected)s sealed rows are there; missing: %(missing)s, slipped in: %(added)s."
)
STALE = mark("%(found)s of %(expected)s sealed rows are there; no seal was taken lately.")
OTHER = mark("Seal %(number)s is not the one whose head was kept elsewhere.")
KEEPS_FAILING = mark(
    "The heads cannot be kept elsewhere at present; the last one kept is that of seal %(number)s."
)
NOWHERE = mark("No head is kept elsewhere.")
LAGS = mark("Heads are kept elsewhere up to seal %(number)s of %(of)s only.")
UNCOMPARED = mark(
    "The head of seal %(number)s is kept elsewhere; no verification has compared it yet."
)
KEPT = mark("The head of seal %(number)s is kept elsewhere.")
POSTED = mark(
    "The head of seal %(number)s was posted to the webhook, which cannot be read from here: no"
    " verification compares it."
)
UNAUDITED = mark("The books were not checked yet.")
BALANCED = mark("%(of)s accounts, difference %(amount)s; the last audit found nothing.")
IN_BREACH = mark("%(of)s accounts, difference %(amount)s. Does not hold: %(breaches)s")
FOUND = mark("Does not hold: %(breaches)s The %(of)s accounts agree.")
# the title in place of that of the accounts, where these do agree
BESIDE = mark("Everything else that is checked holds")
AUDIT_OLD = mark("%(of)s accounts, difference %(amount)s; no audit lately.")

_SUMS = """
    SELECT coalesce(sum(accounts), 0)::bigint, coalesce(sum(abs(difference)), 0)::bigint,
        coalesce(sum(astray), 0)::bigint FROM (
        SELECT count(*) AS accounts, sum(balance_minor) AS difference,
            count(*) FILTER (WHERE (side = 'debit' AND balance_minor < 0)
                OR (side = 'credit' AND balance_minor > 0)) AS astray
        FROM payouts_account WHERE %(house)s::uuid IS NULL OR house_id = %(house)s
            GROUP BY house_id) AS houses
"""
Checked = Mapping[str, Mapping[str, Any]]  # what a verification found, by the name of the check


class Check(NamedTuple):
    """One of the four: `ok` is None where it is not known. In words when it is read, in the
    language of whoever reads.
    """

    code: str
    says: str
    figures: Mapping[str, object]
    at: datetime | None = None
    ok: bool | None = None
    broken: Sequence[str] = ()  # names of the checks that found something

    @property
    def answer(self) -> Answer:
        """`ok` as a word for programs."""
        return ANSWERS[self.ok]

    @property
    def title(self) -> str:
        """What is checked."""
        return _(BESIDE if self.says == FOUND else TITLES[self.code])

    @property
    def text(self) -> str:
        """What was found, with its figures."""
        broken = " ".join(_(WORDS.get(name, name)) for name in self.broken)
        return _(self.says) % {**self.figures, "breaches": broken or "–"}

    def sentence(self, house: House) -> str:
        """The text, and as of when by the clock of the house."""
        text = capfirst(self.text)
        if self.at is None:
            return text
        at = day_and_time(self.at.astimezone(ZoneInfo(house.time_zone)))
        return _("%(sentence)s As of %(at)s.") % {"sentence": text.rstrip(".") + ".", "at": at}


class Verdict(NamedTuple):
    """The four checks; the newest seal with its head; the verification that the first three stand
    on.

    `mended`: whatever that verification found has been asked again since, and is so no more.
    """

    checks: list[Check]
    seal: Seal | None
    head: str
    run: VerifyRun | None
    mended: bool = False

    @property
    def ok(self) -> bool | None:
        """Whether all is as it was: False if anything is not, None if anything is not known."""
        failed = self.run is not None and self.run.ok is False and not self.mended
        if failed or any(one.ok is False for one in self.checks):
            return False
        return None if any(one.ok is None for one in self.checks) else True

    @property
    def answer(self) -> Answer:
        """`ok` as a word for programs."""
        return ANSWERS[self.ok]


def verdict(house: House | None = None) -> Verdict:
    """The verdict as it stands, with the balances of the house; without one, of all. Six
    statements, however much was sealed; one more where the last verification found awards to be
    doubted.
    """
    seal = Seal.objects.order_by("-number").first()
    run = VerifyRun.objects.filter(state=VerifyRun.State.DONE).order_by("-pk").first()
    found: Checked = {one["name"]: one for one in run.checks or []} if run else {}
    audit = AuditRun.objects.order_by("-pk").first()
    broken = broken_checks(list(found.values()))
    still = [one for one in broken if not _asked_since(one, found[one], audit, run)]
    checks = [
        _unchanged(run, found),
        _complete(run, found, seal),
        _anchored(run, found, seal),
        _balanced(
            run, [one for one in still if one not in (CHAIN, ROWS, SLIPPED_IN)], audit, house
        ),
    ]
    return Verdict(
        checks,
        seal,
        head_of(seal.statement) if seal else "",
        run,
        mended=bool(broken) and not still,
    )


def _unchanged(run: VerifyRun | None, found: Checked) -> Check:
    """Whether the seals follow one another and every row under them is what it was."""
    if run is None:
        return Check("chain", NEVER, {})
    chain, rows = found.get(CHAIN, {}), found.get(ROWS, {})
    listed = [*_breaches(chain), *(one for one in _breaches(rows) if one.get("what") != "missing")]
    wrong = (
        _count(chain)
        + _count(rows)
        - sum(1 for one in _breaches(rows) if one.get("what") == "missing")
    )
    if wrong:
        first = min((int(one["seal"]) for one in listed if one.get("seal")), default="–")
        return Check(
            "chain", CHANGED, {"count": _many(wrong), "seal": first}, run.ended_at, ok=False
        )
    if not chain.get("looked_at"):
        return Check("chain", SEALLESS, {}, run.ended_at)
    figures = {"seals": _many(chain["looked_at"]), "rows": _many(rows.get("looked_at"))}
    age = timezone.now() - run.ended_at if run.ended_at else timedelta()
    if age > VERIFY_AGE:
        figures |= {"hours": _many(age // timedelta(hours=1))}
        return Check("chain", VERIFY_OLD, figures, run.ended_at)
    return Check("chain", WHOLE, figures, run.ended_at, ok=True)


def _complete(run: VerifyRun | None, found: Checked, seal: Seal | None) -> Check:
    """Whether as many rows are there as the newest seal that was verified counts, and no other; and
    whether sealing goes on.
    """
    if run is None:
        return Check("complete", NEVER, {})
    gone = [
        int(one["seal"])
        for one in _breaches(found.get(CHAIN, {}))
        if one.get("why") == "is missing"
    ]
    if gone:
        return Check(
            "complete",
            SEALS_GONE,
            {"count": _many(len(gone)), "seal": min(gone)},
            run.ended_at,
            ok=False,
        )
    rows, added = found.get(ROWS, {}), _count(found.get(SLIPPED_IN, {}))
    missing = sum(1 for one in _breaches(rows) if one.get("what") == "missing")
    there = int(rows.get("looked_at") or 0) - missing
    expected = _expected(int(found.get(CHAIN, {}).get("looked_at") or 0))
    told = {"found": _many(there), "expected": "–" if expected is None else _many(expected)}
    if missing or added or (expected is not None and there != expected):
        told |= {"missing": _many(max(missing, (expected or 0) - there)), "added": _many(added)}
        return Check("complete", NOT_ALL, told, run.ended_at, ok=False)
    if seal is None or not rows.get("looked_at"):
        return Check("complete", SEALLESS, {}, run.ended_at)
    if timezone.now() - seal.taken_at > SEAL_AGE:
        return Check("complete", STALE, told, run.ended_at)
    return Check("complete", ALL_THERE, told, run.ended_at, ok=None if expected is None else True)


def _expected(verified: int) -> int | None:
    """How many rows were sealed up to and with the last seal that was verified, by its statement;
    None if that says nothing.
    """
    seal = Seal.objects.filter(number__lte=verified).order_by("-number").first()
    try:
        return sum(Statement.read(seal.statement, seal.number).rows.values()) if seal else 0
    except SealUnreadable:
        return None


def _anchored(run: VerifyRun | None, found: Checked, seal: Seal | None) -> Check:
    """Heads that were kept elsewhere: whether they are kept now, and whether the last verification
    met them again.
    """
    other = [one for one in _breaches(found.get(CHAIN, {})) if one.get("why") == OTHER_HEAD]
    if other:
        return Check(
            "anchor", OTHER, {"number": other[0]["seal"]}, run.ended_at if run else None, ok=False
        )
    wanted = [
        what
        for what, place in (("folder", settings.SEAL_HEADS), ("webhook", settings.SEAL_WEBHOOK))
        if place
    ]
    kept = list(SealRun.objects.filter(pk__in=wanted))
    failing = next((one for one in kept if one.failed), None)
    if failing:
        return Check("anchor", KEEPS_FAILING, {"number": failing.number}, failing.at, ok=False)
    if not wanted or seal is None:
        return Check("anchor", SEALLESS if wanted else NOWHERE, {})
    last = min(kept, key=lambda one: one.number, default=None)
    number = last.number if last and len(kept) == len(wanted) else 0
    at = last.at if last else None
    if number < seal.number - 1:  # the newest one may be on its way
        return Check("anchor", LAGS, {"number": number, "of": seal.number}, at)
    if "folder" not in wanted:
        return Check("anchor", POSTED, {"number": number}, at)
    return Check(
        "anchor", KEPT if run else UNCOMPARED, {"number": number}, at, ok=True if run else None
    )


def _balanced(
    run: VerifyRun | None, verified: Sequence[str], audit: AuditRun | None, house: House | None
) -> Check:
    """The accounts sum to zero, each on its side; neither the last audit nor the rest of the last
    verification (`verified`) found anything that stands.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SUMS, {"house": house.pk if house else None})
        accounts, difference, astray = cursor.fetchone()
    names = [str(one["audit"]) for one in audit.breaches] if audit else []
    at = run.ended_at if run and verified and not names else audit.at if audit else None
    names += verified
    names += [ON_THEIR_SIDE] if astray else []
    amount = format_money(difference, house.currency, house.locale) if house else str(difference)
    told = {"of": _many(accounts), "amount": amount}
    if difference or names:
        of_accounts = difference or any(one in AREAS or one not in verified for one in names)
        return Check(
            "balances",
            IN_BREACH if of_accounts else FOUND,
            told,
            at,
            ok=False,
            broken=[*dict.fromkeys(names)],
        )
    if audit is None:
        return Check("balances", UNAUDITED, {})
    old = timezone.now() - audit.at > AUDIT_AGE
    return Check("balances", AUDIT_OLD if old else BALANCED, told, at, ok=None if old else True)


def _asked_since(
    name: str, check: Mapping[str, Any], audit: AuditRun | None, run: VerifyRun | None
) -> bool:
    """Whether what the verification found was asked again about everything: by the audits of each
    minute, whose answer counts then; or now, as awards to be doubted are, and is put right.
    """
    if name == DOUBTS:
        return _count(check) == len(_breaches(check)) and awards_put_right(_breaches(check))
    if (
        name not in AREAS
        or audit is None
        or run is None
        or run.ended_at is None
        or audit.at < run.ended_at
    ):
        return False
    return audit.whole or not is_recent(name)


def _breaches(check: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = check.get("breaches", ())
    return found


def _count(check: Mapping[str, Any]) -> int:
    return int(check.get("count", 0))


def _many(count: object) -> str:
    return f"{int(str(count or 0)):,}".replace(",", "\N{RIGHT SINGLE QUOTATION MARK}")
