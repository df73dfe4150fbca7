"""What a house posts (rules, limits, paytables, schedules) as frozen values that go to plain JSON
and back.

Each posted thing is a frozen dataclass whose fields say what they may hold (`whole`, `flag`,
`choice`, …). A value that may not be posted cannot be built, so whoever holds one need not check it
again. Reading is strict: a field that is unknown or missing is refused, because a version in force
must say everything itself and must never mean something else after an upgrade of the software.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, field, fields
from datetime import time
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol, Self, cast

from payouts.errors import Refused, mark
from payouts.rules.plain import INTEGER_MAX

# A thousand million francs: far above any table, and times the longest odds (10 000 : 1) still what
# the ledger takes at most.
MAXIMUM_MINOR = 10**11


class PostedRefused(Refused):
    """Something posted cannot be read or must not be posted; `data["field"]` names the place."""

    code = "posted.refused"


class FieldUnknown(PostedRefused):
    """A field that this kind of table does not have."""

    code = "posted.field_unknown"
    sentence = mark("“%(field)s” is not a field of this table.")
    remedy = mark("Remove the field or correct its name.")


class FieldMissing(PostedRefused):
    """A field that the table must state."""

    code = "posted.field_missing"
    sentence = mark("“%(field)s” is missing.")
    remedy = mark("State every field; nothing is assumed for a posted table.")


class ValueWrong(PostedRefused):
    """A value of the wrong type or outside its bounds. Data: `field`, `value` as a short text,
    `expected` in English, and
    `expects`: the same as a template with its data, in the units of the field.
    """

    code = "posted.value_wrong"
    sentence = mark("“%(field)s” cannot be %(value)s: expected %(expected)s.")
    remedy = mark("Correct the value.")


class SchemaUnknown(PostedRefused):
    """Data of another kind, or of a schema that this software does not know."""

    code = "posted.schema_unknown"
    sentence = mark("This is not a %(kind)s of schema %(schema)s.")
    remedy = mark("Choose the right kind of table, or update the software that reads it.")


class Advice(NamedTuple):
    """A likely mistake in a posted table: not refused, but to be confirmed with a reason."""

    code: str
    sentence: str
    data: dict[str, object]

    def text(self) -> str:
        """The English sentence with its data filled in."""
        return self.sentence % self.data


class Kind(Protocol):
    """What a field may hold: checks a value, and turns it into JSON and back."""

    def check(self, value: object, where: str) -> None:
        """Raise ValueWrong when the field may not hold the value."""

    def dump(self, value: Any) -> object:
        """The value as plain JSON."""

    def load(self, raw: object, where: str) -> object:
        """The value that the JSON stands for; raises PostedRefused."""


def picture(value: object, most: int = 60) -> int | str:
    """A value that was refused, to be told: a whole number and a text as they are, all else as JSON
    writes it. It never fails.
    """
    if type(value) is int and abs(value) <= INTEGER_MAX:
        return value
    try:
        text = (
            value
            if isinstance(value, str)
            else json.dumps(value, ensure_ascii=False, skipkeys=True, default=_kind)
        )
    except (ValueError, RecursionError):  # Python writes no whole number of more than 4300 digits
        return "a number of thousands of digits"
    return "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in text[:most])


def sent(value: object) -> int | str:
    """As `picture`, but a text between quotation marks: what a program sent as "1500" is not the
    number.
    """
    return f'"{picture(value)}"' if isinstance(value, str) else picture(value)


def _kind(value: object) -> str:
    return type(value).__name__


def wrong(where: str, value: object, expected: str, **data: object) -> ValueWrong:
    """The refusal of a value, with a short picture of it. `expected`: a marked template over
    `data`, whose numbers are in the unit of the field.
    """
    filled = {
        name: ", ".join(part) if isinstance(part, list) else part for name, part in data.items()
    }
    expects = {"sentence": expected, "data": data}
    return ValueWrong(
        field=where, value=picture(value), expected=expected % filled, expects=expects
    )


NUMBER = mark("a number written like %(example)s")
NUMBER_OR_NOTHING = mark("a number written like %(example)s, or nothing")
BETWEEN = mark("from %(low)s to %(high)s")
BETWEEN_OR_NOTHING = mark("from %(low)s to %(high)s, or nothing")
YES_OR_NO = mark("yes or no")
ONE_OF = mark("one of: %(choices)s")
ONE_LINE = mark("one line of at most %(most)s signs")
ITEMS = mark("a list of %(low)s to %(high)s lines")
OBJECT = mark("an object with the fields of this table")
EACH_ONCE = mark("each only once")
_EXAMPLE = 1234  # 12.34 in francs, 20:34 as a time


class _Plain:
    """A field whose value is its own JSON."""

    def check(self, value: object, where: str) -> None:
        raise NotImplementedError

    def dump(self, value: Any) -> object:
        return value

    def load(self, raw: object, where: str) -> object:
        self.check(raw, where)
        return raw


class _Whole(_Plain):
    def __init__(self, low: int, high: int, *, optional: bool) -> None:
        self.low, self.high, self.optional = low, high, optional

    def check(self, value: object, where: str) -> None:
        if value is None and self.optional:
            return
        if type(value) is not int:
            example = min(_EXAMPLE, self.high)
            raise wrong(
                where, value, NUMBER_OR_NOTHING if self.optional else NUMBER, example=example
            )
        if not self.low <= value <= self.high:
            raise wrong(
                where,
                value,
                BETWEEN_OR_NOTHING if self.optional else BETWEEN,
                low=self.low,
                high=self.high,
            )


class _Flag(_Plain):
    def check(self, value: object, where: str) -> None:
        if type(value) is not bool:
            raise wrong(where, value, YES_OR_NO)


class _Choice(_Plain):
    def __init__(self, *words: str) -> None:
        self.words = words

    def check(self, value: object, where: str) -> None:
        if type(value) is not str or value not in self.words:
            raise wrong(where, value, ONE_OF, choices=list(self.words))


class _Text(_Plain):
    def __init__(self, most: int) -> None:
        self.most = most

    def check(self, value: object, where: str) -> None:
        if (
            not isinstance(value, str)
            or len(value) > self.most
            or not value.isprintable()
            or value != value.strip()
        ):
            raise wrong(where, value, ONE_LINE, most=self.most)


class _Nested:
    def __init__(self, kind: "type[Posted]") -> None:
        self.kind = kind

    def check(self, value: object, where: str) -> None:
        if type(value) is not self.kind:
            raise wrong(where, value, OBJECT)

    def dump(self, value: Any) -> object:
        return cast("Posted", value).fields_data()

    def load(self, raw: object, where: str) -> object:
        return self.kind.from_fields(raw, where)


class _Several:
    def __init__(self, item: Kind, low: int, high: int) -> None:
        self.item, self.low, self.high = item, low, high

    def check(self, value: object, where: str) -> None:
        if type(value) is not tuple or not self.low <= len(value) <= self.high:
            raise wrong(where, value, ITEMS, low=self.low, high=self.high)
        for number, item in enumerate(value):
            self.item.check(item, f"{where}[{number}]")

    def dump(self, value: Any) -> object:
        return [self.item.dump(item) for item in value]

    def load(self, raw: object, where: str) -> object:
        if type(raw) is not list or len(raw) > self.high:
            raise wrong(where, raw, ITEMS, low=self.low, high=self.high)
        return tuple(self.item.load(item, f"{where}[{number}]") for number, item in enumerate(raw))


def of_kind(kind: Kind, default: object = MISSING) -> Any:
    """A dataclass field that holds what `kind` allows."""
    return field(default=default, metadata={"kind": kind})


def whole(
    default: object = MISSING, *, low: int = 0, high: int = MAXIMUM_MINOR, optional: bool = False
) -> Any:
    """A whole number: an amount in minor units, a count or basis points. `optional` also allows
    None.
    """
    return of_kind(_Whole(low, high, optional=optional), default)


def flag(default: object = MISSING) -> Any:
    """True or false."""
    return of_kind(_Flag(), default)


def choice(*words: str, default: object = MISSING) -> Any:
    """One of the given words."""
    return of_kind(_Choice(*words), default)


def text(default: object = MISSING, *, most: int) -> Any:
    """A field for one line of text of at most `most` signs."""
    return of_kind(_Text(most), default)


def several(
    item: "Kind | type[Posted]", default: object = MISSING, *, low: int = 0, high: int = 50
) -> Any:
    """A tuple of posted values, or of what `item` allows."""
    return of_kind(_Several(_Nested(item) if isinstance(item, type) else item, low, high), default)


def whole_kind(low: int = 0, high: int = MAXIMUM_MINOR) -> Kind:
    """The kind of a whole number, for use in `several`."""
    return _Whole(low, high, optional=False)


def choice_kind(*words: str) -> Kind:
    """The kind of a word, for use in `several`."""
    return _Choice(*words)


class Posted:
    """Base of everything a house posts. Subclasses are frozen, slotted dataclasses with fields made
    by this module.
    """

    __slots__ = ()
    KIND: ClassVar[str]
    SCHEMA: ClassVar[int] = 1
    # Fields that an earlier schema had not yet, with what its versions mean by that.
    ADDED: ClassVar[Mapping[str, object]] = MappingProxyType({})

    def __post_init__(self) -> None:
        for one in fields(cast(Any, self)):
            one.metadata["kind"].check(getattr(self, one.name), f"{self.KIND}.{one.name}")
        self.verify()

    def verify(self) -> None:
        """Check what one field says against another; raises PostedRefused."""

    def fit(self, gaming_day_change: time) -> None:
        """Refuse what contradicts the house's change of the gaming day (HSE-1); most tables know no
        hours.
        """

    def advice(self) -> tuple[Advice, ...]:
        """Likely mistakes that somebody must confirm with a reason before the table is approved."""
        return ()

    def to_data(self) -> dict[str, object]:
        """Plain JSON that `from_data` reads back to an equal value."""
        return {"kind": self.KIND, "schema": self.SCHEMA, **self.fields_data()}

    def fields_data(self) -> dict[str, object]:
        """The fields as plain JSON, without kind and schema."""
        return {
            one.name: one.metadata["kind"].dump(getattr(self, one.name))
            for one in fields(cast(Any, self))
        }

    @classmethod
    def from_data(cls, data: object) -> Self:
        """Read what `to_data` wrote; raises PostedRefused, naming the field."""
        if not isinstance(data, dict) or data.get("kind") != cls.KIND:
            raise SchemaUnknown(kind=cls.KIND, schema=cls.SCHEMA)
        schema = data.get("schema")
        if type(schema) is not int:  # True equals 1 in Python, but is no schema
            raise SchemaUnknown(kind=cls.KIND, schema=cls.SCHEMA)
        stated = {name: value for name, value in data.items() if name not in ("kind", "schema")}
        if cls.ADDED and schema == cls.SCHEMA - 1 and not stated.keys() & cls.ADDED.keys():
            return cls.from_fields(stated | dict(cls.ADDED), cls.KIND)
        if schema != cls.SCHEMA:
            raise SchemaUnknown(kind=cls.KIND, schema=cls.SCHEMA)
        return cls.from_fields(stated, cls.KIND)

    @classmethod
    def from_fields(cls, data: object, where: str) -> Self:
        """Read the fields alone; `where` names the place in refusals."""
        if not isinstance(data, dict):
            raise wrong(where, data, OBJECT)
        known = {one.name: one.metadata["kind"] for one in fields(cast(Any, cls))}
        for name in data:
            if name not in known:
                raise FieldUnknown(field=f"{where}.{name}"[:200])
        for name in known:
            if name not in data:
                raise FieldMissing(field=f"{where}.{name}")
        return cls(
            **{name: kind.load(data[name], f"{where}.{name}") for name, kind in known.items()}
        )


class Change(NamedTuple):
    """One place where two versions differ; None stands for "not there"."""

    field: str
    before: object
    after: object


def changes(before: Posted, after: Posted) -> tuple[Change, ...]:
    """Every place in which two versions of one kind differ, in the order of their fields.

    >>> from payouts.rules.rulesets.funding import FundingSchedule
    >>> changes(FundingSchedule(), FundingSchedule(seed_minor=2_000_000))
    (Change(field='seed_minor', before=1000000, after=2000000),)
    """
    if type(before) is not type(after):
        raise SchemaUnknown(kind=before.KIND, schema=before.SCHEMA)
    old, new = dict(_leaves("", before.fields_data())), dict(_leaves("", after.fields_data()))
    names = [*old, *(name for name in new if name not in old)]
    return tuple(
        Change(name, old.get(name), new.get(name))
        for name in names
        if old.get(name) != new.get(name)
    )


def _leaves(where: str, data: object) -> list[tuple[str, object]]:
    if isinstance(data, dict):
        return [
            leaf
            for name, value in data.items()
            for leaf in _leaves(f"{where}.{name}" if where else name, value)
        ]
    if isinstance(data, list):
        return [
            leaf
            for number, value in enumerate(data)
            for leaf in _leaves(f"{where}[{number}]", value)
        ]
    return [(where, data)]
