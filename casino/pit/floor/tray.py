"""The tray of a table is counted: the pit begins a count or gives it up, enters it where no tablet
is at hand, and witnesses what was entered. Until both have signed nothing here says what the books
have (CNT-2).
"""

from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.forms import BoundField, HiddenInput, TextInput
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.people.models import Person
from casino.people.pages.fields import Choice, Text, Tick, Whole
from casino.people.pages.page import Wrong
from casino.people.pages.signed_step import ProvedStep
from casino.people.pages.steps import Step
from casino.people.permissions import RUN_FLOOR, VIEW_COUNT, WITNESS_COUNT
from payouts.errors import mark
from payouts.models import Count, CountEntry, CountLine, CountSignature
from payouts.rules.plain import Json
from payouts.rules.rulesets.chips import COLOURS, SHAPES, Denomination
from tables.errors import CountChanged, CountSigned, NoChipSet, PostedMissing
from tables.models import Table, TableSession
from tables.selectors.counts import count_parts, counting_at, counts_between, counts_shown
from tables.services import count_begin, count_enter, count_give_up, count_witness
from tables.services.counts.parts import CountedTable

_PIECES = {"inputmode": "numeric", "maxlength": 7, "autocomplete": "off"}


@dataclass(frozen=True, slots=True)
class CountedTray:
    """The count that freezes a tray, if there is one, what was entered while it waits for its
    witness, and what may be done.
    """

    count: Count | None
    entry: CountEntry | None
    begin: Step[Table] | None = None
    enter: "EnterCount | None" = None
    witness: Step[Table] | None = None
    give_up: Step[Table] | None = None

    @property
    def purpose(self) -> str:
        """In words."""
        return str(Count.Purpose(self.count.purpose).label) if self.count else ""

    @property
    def state(self) -> str:
        """In words."""
        return str(Count.State(self.count.state).label) if self.count else ""

    @property
    def lines(self) -> list[CountLine]:
        """Of which there were any, the highest first."""
        if self.entry is None:
            return []
        return list(self.entry.lines.filter(pieces__gt=0).order_by("-value_minor"))

    @property
    def forms(self) -> set[str]:
        """Where they are on the page."""
        steps = (self.begin, self.enter, self.witness, self.give_up)
        return {form.at for form in steps if form}


class BeginCount(Step[Table]):
    """Begin a count."""

    step = "count-tray"
    command = "floor.count_tray"
    permission, subject = RUN_FLOOR, "table"
    done = mark("Begun: the pieces are entered on the tablet, or here.")
    purpose = Choice(label=_("What for"))

    def offer(self) -> None:
        """An opener at a closed table."""
        is_open = self.row.session_id is not None
        offered = [
            (code, capfirst(str(word)))
            for code, word in Count.Purpose.choices
            if (code != Count.Purpose.OPENER) == is_open
        ]
        self.options("purpose", offered)

    def carry_out(self) -> Json:
        """Raises what `count_begin` refuses."""
        ids = {"house_id": self.row.house_id, "table_id": self.row.pk}
        begun = count_begin(**ids, actor_id=self.person.pk, purpose=self.values["purpose"])
        return str(begun.pk)


class EnterCount(ProvedStep[Table]):
    """Enter the pieces of each denomination."""

    step = "enter-count"
    command = "floor.count_enter"
    permission, subject = RUN_FLOOR, "table"
    done = mark("Entered: somebody else looks at it and signs.")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.chips = _chips_counted(self.row)
        for chip in self.chips:
            self.fields[f"pieces-{chip.value_minor}"] = Text(widget=TextInput(_PIECES))

    def figures(self) -> list[tuple[Denomination, str, BoundField]]:
        """Each denomination, how it looks in words, and its field."""
        return [
            (
                chip,
                f"{gettext(COLOURS[chip.colour])}, {gettext(SHAPES[chip.shape])}",
                self[f"pieces-{chip.value_minor}"],
            )
            for chip in self.chips
        ]

    def carry_out(self) -> Json:
        """Raises what `count_enter` refuses; a denomination that was left empty is missing."""
        typed = {chip.value_minor: self.values[f"pieces-{chip.value_minor}"] for chip in self.chips}
        lines = [
            {"value_minor": value, "pieces": _pieces(text)} for value, text in typed.items() if text
        ]
        count_enter(
            house_id=self.row.house_id,
            count_id=_counting(self.row),
            lines=lines,
            counter_id=self.person.pk,
        )
        return None


def _pieces(text: str) -> int | str:
    """The number; what is none as it was typed, for the refusal."""
    return int(text) if text.isascii() and text.isdigit() else text


def _chips_counted(table: Table) -> tuple[Denomination, ...]:
    """The denominations by which the running count is entered; none without one."""
    count = counting_at(table)
    if count is None:
        return ()
    versions = table.session.versions if table.session else None
    try:
        return CountedTable(table, count.gaming_day, versions).chips()[1].denominations
    except (NoChipSet, PostedMissing):
        return ()


class WitnessCount(ProvedStep[Table]):
    """Sign what was entered, or have it entered anew."""

    step = "witness-count"
    command = "floor.count_witness"
    permission, subject = WITNESS_COUNT, "table"
    entry = Whole(lambda _text: CountChanged())
    ok = Tick()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["entry"].widget = HiddenInput()

    def carry_out(self) -> Json:
        """Raises what `count_witness` refuses."""
        values = self.values
        count_witness(
            house_id=self.row.house_id,
            count_id=_counting(self.row),
            entry=values["entry"],
            ok=values["ok"],
            witness_id=self.person.pk,
        )
        return None


class GiveUpCount(Step[Table]):
    """Give a count up."""

    step = "give-up-count"
    command = "floor.count_give_up"
    permission, subject = RUN_FLOOR, "table"
    done = mark("Given up: the table plays on.")

    def carry_out(self) -> Json:
        """Raises what `count_give_up` refuses."""
        ids = {"house_id": self.row.house_id, "count_id": _counting(self.row)}
        count_give_up(**ids, actor_id=self.person.pk)
        return None


def _counting(table: Table) -> UUID:
    """Raises CountSigned where no count freezes the tray."""
    count = counting_at(table)
    if count is None:
        raise CountSigned
    return count.pk


STEPS = (BeginCount, EnterCount, WitnessCount, GiveUpCount)


class CountRow(NamedTuple):
    """A count as it is shown, in minor units; `difference_minor`: None until both have signed, and
    to who may not see it.
    """

    counted: Count
    purpose: str
    state: str
    value_minor: int | None
    difference_minor: int | None
    signature: CountSignature | None


def session_counts(
    table: Table, session: TableSession | None, person: Person
) -> list[CountRow] | None:
    """The counts of a session; None to who may not see them. Four statements at most."""
    if not person.has_perm(VIEW_COUNT):
        return None
    rows = []
    for count in counts_shown(counts_between(table, session)):
        parts = count_parts(count)
        signed = parts["signed"]
        is_anew = count.state in (Count.State.BEGUN, Count.State.AGAIN)
        entries = [] if is_anew else parts["entries"]
        rows.append(
            CountRow(
                count,
                purpose=str(Count.Purpose(count.purpose).label),
                state=str(Count.State(count.state).label),
                value_minor=entries[-1]["value_minor"] if entries else None,
                difference_minor=signed.difference_minor if signed else None,
                signature=signed,
            )
        )
    return rows


def _enters(count: Count, table: Table, person: Person) -> bool:
    """Whether this person may enter it, as `count_enter` allows."""
    if count.state not in (Count.State.BEGUN, Count.State.AGAIN):
        return False
    session = table.session
    return session is None or person.pk in (count.begun_by_id, session.croupier_id)


def counted_tray(table: Table, person: Person, wrong: Wrong | None) -> CountedTray | None:
    """The tray as a person sees it who may run the floor, or witness; None where no chips are
    named.
    """
    may_run, may_witness = (person.has_perm(right) for right in (RUN_FLOOR, WITNESS_COUNT))
    versions = table.session.versions if table.session else table.posted
    if "chip_set" not in versions or table.retired or not (may_run or may_witness):
        return None
    count = counting_at(table)
    if count is None:
        return CountedTray(
            None, None, begin=BeginCount.offered(table, person, wrong) if may_run else None
        )
    entry = None
    if count.state == Count.State.ENTERED:  # what is counted anew is counted without the last one
        entry = CountEntry.objects.filter(count=count).select_related("counter").last()
    waits = may_witness and entry is not None and entry.counter_id != person.pk
    number = {"entry": entry.number} if entry else {}
    enters = may_run and _enters(count, table, person)
    return CountedTray(
        count,
        entry,
        enter=EnterCount.offered(table, person, wrong) if enters else None,
        witness=WitnessCount.offered(table, person, wrong, **number) if waits else None,
        give_up=GiveUpCount.offered(table, person, wrong) if may_run else None,
    )
