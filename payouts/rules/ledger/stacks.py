"""Posting recipes of seats at poker tables, as those of `payouts/rules/ledger/recipes.py`."""

from collections.abc import Mapping

from payouts.rules.ledger.postings import whole_amount
from payouts.rules.ledger.recipes import Line, legs, moving


def stack_cash(amount: int) -> list[Line]:
    """A guest buys chips at a poker table: cash into the drop box, chips out of the tray and before
    them (POK-2).
    """
    return legs(amount, ("drop", 1), ("stack", -1), ("chips_outside", 1), ("tray", -1))


def stack_chips(amount: int) -> list[Line]:
    """A guest brings chips that they hold to a poker table (POK-2)."""
    return legs(amount, ("circulation", 1), ("stack", -1))


def stack_out(booked: int, *, counted: int) -> list[Line]:
    """A guest leaves a poker table with the chips that are counted before them; what hands moved is
    the difference from what is booked.
    """
    return moving(
        [
            Line("stack", whole_amount(booked, least=0)),
            Line("circulation", -whole_amount(counted, least=0)),
            Line("in_play", counted - booked),
        ]
    )


def move(booked: int, *, counted: int) -> list[Line]:
    """A guest goes on at another table, or on another gaming day, with the chips that are counted
    before them. `from_table`, `from_stay`: where they come from.
    """
    return moving(
        [
            Line("stack", whole_amount(booked, least=0), table="from_table", detail="from_stay"),
            Line("stack", -whole_amount(counted, least=0)),
            Line("in_play", counted - booked, table="from_table"),
        ]
    )


def stacks_counted(booked: int, *, counted: int) -> list[Line]:
    """The chips before a guest who stays are counted; nothing moves where they are as booked."""
    difference = whole_amount(booked, least=0) - whole_amount(counted, least=0)
    lines = [Line("stack", difference), Line("in_play", -difference)]
    return [line for line in lines if line.amount_minor]


def table_emptied(amount: int, *, carried: int = 0) -> list[Line]:
    """The last guest has left a poker table whose `in_play` has this balance, credit as a negative
    amount: chips that went into pockets, or came out of them, are claims all the same. `carried`:
    the balance of `pot_carried`.
    """
    for balance in (amount, carried):
        whole_amount(abs(balance), least=0)
    return moving(
        [
            Line("in_play", -amount),
            Line("pot_carried", -carried),
            Line("circulation", amount + carried),
        ]
    )


def hand_raked(amount: int, *, source: str = "in_play") -> list[Line]:
    """A fee is taken out of a pot whose hand is not booked (RAK-1). `source`: `circulation` where
    nobody sits at the table any more.
    """
    return legs(amount, (source, 1), ("rake", -1), ("tray", 1), ("chips_outside", -1))


def hand(
    nets: Mapping[str, int],
    *,
    rake: int,
    carried: int = 0,
    elsewhere: int = 0,
    source: str = "in_play",
) -> list[Line]:
    """A hand whose pots are entered: chips go from who lost to who won, the fee to the tray
    (POK-6, RAK-3). `nets`: won less paid, by the name of each stay; `carried`: antes for the next
    pot, negative what was carried and is won (POK-4); `elsewhere`: of those whose stack does not
    bear it any more. Nothing moves where everybody has what they paid.
    """
    moves = (
        ("pot_carried", -carried),
        (source, -elsewhere),
        ("rake", -whole_amount(rake, least=0)),
        ("tray", rake),
        ("chips_outside", -rake),
    )
    lines = [
        *(Line("stack", -net, detail=stay) for stay, net in nets.items()),
        *(Line(kind, amount) for kind, amount in moves),
    ]
    return [line for line in lines if line.amount_minor]


def hand_cleared(
    nets: Mapping[str, int], *, carried: int = 0, source: str = "in_play"
) -> list[Line]:
    """A hand does not count any more, and chips that it gave have gone on: they stay with who has
    them; `carried`: antes that the next pot has had.
    """
    elsewhere = -sum(nets.values()) - carried
    return hand(nets, rake=0, carried=carried, elsewhere=elsewhere, source=source)


def pay_for_fault(amount: int) -> list[Line]:
    """Management pays a guest for a pot that cannot be got back (POK-9): from the tray, at the
    house's cost.
    """
    return legs(amount, ("house_fault", 1), ("circulation", -1), ("chips_outside", 1), ("tray", -1))


def time(amount: int, *, source: str = "in_play") -> list[Line]:
    """A fee for the time at a table (RAK-2); `source`: `in_play` from chips on the table, `stack`
    where the hands are booked, `circulation` from the pocket.
    """
    return legs(amount, (source, 1), ("time_income", -1), ("tray", 1), ("chips_outside", -1))


def tip_stack(amount: int, *, source: str = "in_play") -> list[Line]:
    """A guest gives a chip that lies before them to the tronc (HSE-3); `source`: `stack` where the
    hands are booked.
    """
    return legs(amount, (source, 1), ("tronc", -1))
