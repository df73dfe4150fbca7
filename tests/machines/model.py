"""A floor of Ultimate Texas Hold'em in plain Python: what should happen, worked out without any code of the project.

Money in minor units. Each command of `Model` gives the code of the refusal that must come, or "" and changes the model. The
arithmetic is that of the posted rules as people read them: UTH-4 to UTH-7, PRG-1 to PRG-6, 500 Rappen a coin cut 100/25/375.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

BLIND_PAYS = {"straight": Fraction(1), "flush": Fraction(3, 2), "full_house": Fraction(3), "royal_flush": Fraction(500)}
TRIPS_PAYS = {"three_of_a_kind": 3, "straight": 4, "flush": 7, "full_house": 8, "royal_flush": 50}
COIN, ENVY, PRIZES, MUCH = 500, 50_000, {"full_house": 5_000}, 50_000
SEED = 1_000_000
BACK_S, ALONE_S = 60, 300  # to reopen or withdraw a round, and to put its result right alone


@dataclass
class Guest:
    """Somebody at a table; `box` is the one he owns, `key` his id, `distance` that to the shoe."""

    session: "Session"
    box: int | None
    here: bool = True
    key: str = ""
    distance: int = 0


@dataclass
class Session:
    """A table from opening to closing; `had`: who had it and handed it over."""

    croupier: str
    level: str
    guests: list[Guest] = field(default_factory=list)
    rounds: int = 0
    had: set[str] = field(default_factory=set)


@dataclass
class Laid:
    """What one guest laid on one box."""

    guest: Guest
    ante: int = 0
    trips: int = 0
    coin: bool = False
    play: int = 0  # a multiple placed at the lock: the box is played blind


@dataclass
class Showing:
    """How a box came out: win, lose, tie or fold, its class where it pays, and the Play as a multiple of the Ante."""

    result: str
    hand: str = ""
    play: int = 0


@dataclass(eq=False)  # a round is itself, whatever it is like
class Coup:
    """A round, or the tombstone of one (no session). `epoch` of the jackpot in which it was locked at a linked table, else None.

    `at`, `settled_at`: what the clock said when it was locked, and when its result that counts was written.
    """

    table: int
    session: Session | None
    laid: dict[int, Laid]
    queued: bool = False
    state: str = "locked"
    number: int | None = None
    revision: int = 0
    level: str = ""
    ended_by: str = ""
    locked: Counter[str] = field(default_factory=Counter)  # what the lock posted
    settled: Counter[str] = field(default_factory=Counter)  # what the result that counts posted
    highest: int = 0  # the most that a box won by any of its results
    paid: dict[tuple[int, str], int] = field(default_factory=dict)  # what the result that counts paid
    endings: list["Ending"] = field(default_factory=list)  # its results, the first one first
    claims: bool = False  # that it says that the meter is won, which pays nothing yet
    epoch: int | None = None
    at: int = 0
    settled_at: int = 0


@dataclass
class Table:
    """A table: linked or not, its open session, the round that runs, its accounts."""

    linked: bool
    session: Session | None = None
    running: Coup | None = None
    books: Counter[str] = field(default_factory=Counter)


@dataclass
class Hit:
    """What the first claim froze: the rounds that ran with it, and who of them claims."""

    listed: list[Coup]
    winners: list[Coup] = field(default_factory=list)


@dataclass
class Jackpot:
    """The progressive: its epoch, what its meter began with, the hit at hand, which freezes it until displays have shown."""

    epoch: int = 1
    begun: int = SEED
    hit: Hit | None = None


@dataclass
class Ending:
    """What a result must come to: by (box, kind) what is paid, what is posted, whether the meter is won, and the most that a box
    wins: what is paid to it without its own stakes.
    """

    paid: dict[tuple[int, str], int]
    posted: Counter[str]
    claim: bool
    highest: int
    staked: dict[tuple[int, str], int] = field(default_factory=dict)  # where it depends on the result

    def is_of(self, coup: Coup) -> bool:
        """Whether it comes to what the round came to."""
        return (self.paid, self.claim) == (coup.paid, coup.claims)


def staked(laid: dict[int, Laid]) -> int:
    """Chips on the layout at the lock, without coins."""
    return sum(one.ante * (2 + one.play) + one.trips for one in laid.values())


def lock_postings(laid: dict[int, Laid]) -> Counter[str]:
    """Stakes lie on the layout and stay the guests'; a coin is taken at once and cut."""
    coins, chips = sum(one.coin for one in laid.values()), staked(laid)
    return Counter(
        circulation=chips + coins * COIN,
        layout=-chips,
        sub_meter=-100 * coins,
        reserve_share=-25 * coins,
        coin_income=-375 * coins,
        tray=coins * COIN,
        chips_outside=-coins * COIN,
    )


def end(laid: dict[int, Laid], shown: dict[int, Showing], *, no_pair: bool = False, coins_only: bool = False) -> Ending:
    """Settle a round."""
    paid: dict[tuple[int, str], int] = {}
    prizes: list[int] = []
    placed = 0
    royal = [laid[box].guest for box, one in shown.items() if one.hand == "royal_flush"]
    claim = any(laid[box].coin and one.hand == "royal_flush" for box, one in shown.items())
    for box, one in laid.items():
        out = shown.get(box, Showing("fold"))
        if not coins_only:
            placed += out.play * one.ante if not one.play else 0
            paid |= {(box, kind): amount for kind, amount in _box(one, out, no_pair=no_pair).items()}
        if one.coin:
            prize = PRIZES.get(out.hand, 0)
            paid[box, "coin"] = prize
            prizes.append(prize)
            if royal and one.guest not in royal:
                paid[box, "envy"] = ENVY
                prizes.append(ENVY)
    back = sum(amount for (_box, kind), amount in paid.items() if kind not in ("coin", "envy"))
    stake, given = staked(laid) + placed, sum(prizes)
    posted = Counter(
        circulation=placed - back - given,
        layout=stake - placed,
        table_win=back - stake,
        tray=stake - back - given,
        chips_outside=back - stake + given,
        prize_cost=given,
    )
    won: Counter[int] = Counter()
    for (box, kind), amount in paid.items():
        own = _own(laid[box], kind, shown.get(box))
        won[box] += amount - own if amount else 0
    plays = {(box, "play"): _own(lies, "play", shown.get(box)) for box, lies in laid.items()}
    return Ending(paid, posted, claim, max(won.values(), default=0), plays)


def _own(one: Laid, kind: str, out: Showing | None) -> int:
    """The stake that lies there itself; a coin is gone at once."""
    play = out.play * one.ante if out else 0
    return {"ante": one.ante, "blind": one.ante, "play": play, "trips": one.trips}.get(kind, 0)


def _box(one: Laid, out: Showing, *, no_pair: bool) -> dict[str, int]:
    play = out.play * one.ante
    paid = {"ante": 0, "blind": 0} | ({"play": 0} if out.play else {})
    if out.result == "win":
        odds = BLIND_PAYS.get(out.hand, Fraction(0))
        paid["ante"], paid["blind"] = one.ante * (1 if no_pair else 2), one.ante + int(one.ante * odds)
    elif out.result == "tie":
        paid["ante"], paid["blind"] = one.ante, one.ante
    elif out.result == "lose" and no_pair:
        paid["ante"] = one.ante
    if out.play:
        paid["play"] = play * {"win": 2, "tie": 1}.get(out.result, 0)
    if one.trips:
        times = TRIPS_PAYS.get(out.hand)
        paid["trips"] = one.trips * (1 + times) if times else 0
    return paid


def post(table: Table, moves: Counter[str], *, back: bool = False) -> None:
    """Move a table's accounts, or move them back."""
    for kind, amount in moves.items():
        table.books[kind] += -amount if back else amount


def claim(jackpot: Jackpot, tables: list[Table], coup: Coup) -> None:
    """A royal flush with a coin: the first one begins a hit and freezes whatever runs at linked tables (PRG-8)."""
    if jackpot.hit is None:
        running = [there.running for there in tables if there.running and there.running.epoch is not None]
        jackpot.hit = Hit([coup, *(one for one in running if one is not coup)])
    jackpot.hit.winners.append(coup)


def pay(jackpot: Jackpot, tables: list[Table]) -> list[int]:
    """The meter is split equally, what does not divide stays in the next one (PRG-7, PRG-10); give the shares."""
    if jackpot.hit is None:
        raise RuntimeError("no hit")
    meter, winners = meter_sum(jackpot, tables), len(jackpot.hit.winners)
    for there in tables:
        there.books["sub_meter"] = there.books["reserve_share"] = 0
    jackpot.epoch, jackpot.begun, jackpot.hit = jackpot.epoch + 1, SEED + meter % winners, None
    return [meter // winners] * winners


def meter_sum(jackpot: Jackpot, tables: list[Table]) -> int:
    """What the meter holds."""
    return jackpot.begun - sum(there.books["sub_meter"] for there in tables)
