"""Who has the button, and what is posted before anybody acts (POK-4, POK-5)."""

from collections.abc import Collection, Mapping

from payouts.errors import Refused, mark
from tables.games.poker.entered import HandRuling, PotsEntry, may_pass
from tables.games.poker.share import seats_after
from tables.games.poker.streets import Street
from tables.games.poker.variants import VARIANTS


class PostsRefused(Refused):
    """A hand that cannot have begun as it was entered."""

    code = "poker.posts_refused"
    rule = "POK-4"


class ButtonMisplaced(PostsRefused):
    """A button at a seat that is not dealt in, or in a game without one."""

    code = "poker.button_wrong"
    rule = "POK-5"
    sentence = mark("In “%(variant)s” the button cannot be at seat %(seat)s.")
    remedy = mark("Give it to a seat that is dealt in; stud has no button (0).")


class BlindShort(PostsRefused):
    """A blind that is less than posted."""

    code = "poker.post_wrong"
    sentence = mark(
        "Seat %(seat)s folded with %(amount_minor)s, and its blind is %(posted_minor)s."
    )
    remedy = mark("Check the button, and what the seat had in when it folded.")


class PostMissing(PostsRefused):
    """A first street on which less is matched than was posted."""

    code = "poker.post_missing"
    sentence = mark(
        "%(amount_minor)s was matched on the first street, and %(posted_minor)s is posted before"
        " anybody acts."
    )
    remedy = mark("Enter what was to be matched, the big blind or the bring-in at the least.")


class DeadAbove(PostsRefused):
    """Dead chips above a missed small blind."""

    code = "poker.dead_above"
    sentence = mark(
        "Seat %(seat)s posted %(amount_minor)s dead, and a missed small blind is %(most_minor)s."
    )
    remedy = mark("Enter as dead what nobody matches; the big blind is part of the street.")


class OpenerMissing(PostsRefused):
    """A draw to which nobody has opened."""

    code = "poker.opener_missing"
    sentence = mark("Nobody opened “%(variant)s” before the draw, so all have passed.")
    remedy = mark("Enter that all passed, or who opened, and for how much.")


def check_button(variant: str, button: int, dealt: Collection[int | None]) -> None:
    """Raise ButtonMisplaced. `dealt`: the seats that are dealt in; it moves among those (POK-5)."""
    may = {0} if VARIANTS[variant].doors else {*dealt}
    if button not in may:
        raise ButtonMisplaced(variant=VARIANTS[variant].title, seat=button or "–")


def check_posts(entry: PotsEntry, ruling: HandRuling) -> None:
    """Look at how a hand began, whose stacks bear what is entered. Raises ButtonMisplaced,
    DeadAbove, OpenerMissing, PostMissing, BlindShort.
    """
    check_button(ruling.variant, entry.button, entry.seats)
    dead = entry.betting.dead
    most_minor = _dead_most(ruling)
    for seat, minor in dead.items():
        if minor > most_minor:
            raise DeadAbove(seat=seat, amount_minor=minor, most_minor=most_minor)
    if entry.passed:
        return
    stacks = dict(zip(entry.seats, entry.stacks, strict=True))
    ante = ruling.game.ante_minor
    left = {seat: max(minor - ante, 0) - dead.get(seat, 0) for seat, minor in stacks.items()}
    first = entry.betting.streets[0] if entry.betting.streets else Street()
    staying = [minor for seat, minor in left.items() if seat not in first.folds]
    opens = may_pass(ruling.house, ruling.variant)
    # who is all-in by the ante cannot pass, and the hand is played for what lies there
    if opens and not first.to_minor and len(staying) > 1 and all(left.values()):
        raise OpenerMissing(variant=VARIANTS[ruling.variant].title)
    posted_minor = _forced(ruling)
    if first.to_minor < min(posted_minor, max(staying)):
        raise PostMissing(amount_minor=first.to_minor, posted_minor=posted_minor)
    for seat, blind in blinds_of(ruling, entry.button, entry.seats).items():
        folded = first.folds.get(seat)
        if folded is not None and folded < min(blind, left[seat]):
            raise BlindShort(seat=seat, amount_minor=folded, posted_minor=blind)


def blinds_of(ruling: HandRuling, button: int, seats: Collection[int]) -> Mapping[int, int]:
    """The blinds by seat: none in stud, and none where all may pass, antes alone are posted."""
    if VARIANTS[ruling.variant].doors or may_pass(ruling.house, ruling.variant):
        return {}
    small, big = seats_after(button, [*seats])[:2]
    if len(seats) == 2 and ruling.house.button_posts_small:
        small, big = big, small
    return {small: ruling.game.small_blind_minor, big: ruling.game.big_blind_minor}


def _forced(ruling: HandRuling) -> int:
    """What is to be matched whatever anybody does: a straddle is no must."""
    if VARIANTS[ruling.variant].doors:
        return ruling.game.bring_in_minor
    return 0 if may_pass(ruling.house, ruling.variant) else ruling.game.big_blind_minor


def _dead_most(ruling: HandRuling) -> int:
    """A missed small blind is posted dead, where there are blinds and they are made good."""
    has_none = VARIANTS[ruling.variant].doors or may_pass(ruling.house, ruling.variant)
    if has_none or ruling.house.missed_blinds != "post_or_wait":
        return 0
    return ruling.game.small_blind_minor
