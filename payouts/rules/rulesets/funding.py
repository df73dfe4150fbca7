"""How a jackpot coin is cut into meter, reserve and house, in whole minor units, with seed and cap
(PRG-11).
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

from payouts.errors import Refused, mark
from payouts.rules.rulesets.schema import BETWEEN, MAXIMUM_MINOR, Posted, picture, whole, wrong

WHOLE_BP = 10_000  # basis points in 100 %
COINS_MOST = 10_000


class FundingRefused(Refused):
    """A cut of the coin that is not whole, or not the whole coin."""

    code = "funding.refused"
    rule = "PRG-11"


class ShareNotWhole(FundingRefused):
    """A percentage of the coin that is not a whole number of minor units."""

    code = "funding.not_whole"
    sentence = mark("%(percent)s %% of a coin of %(coin_minor)s does not come out whole.")
    remedy = mark(
        "Choose a percentage that gives whole minor units, or state the cut as an amount."
    )


class CutsDiffer(FundingRefused):
    """The cuts do not sum to the coin."""

    code = "funding.cuts_differ"
    sentence = mark("The cuts sum to %(sum_minor)s, the coin is %(coin_minor)s.")
    remedy = mark("Meter, reserve and house together must be exactly the coin.")


class CoinsWrong(FundingRefused):
    """A number of coins that no table can have."""

    code = "funding.coins_wrong"
    sentence = mark("%(coins)s coins cannot be cut.")
    remedy = mark("Give the number of coins of this round, from 0 to 10000.")


class Cut(NamedTuple):
    """What some coins bring, in minor units."""

    meter_minor: int
    reserve_minor: int
    house_minor: int


AT_LEAST_SEED = mark("at least the seed, %(low)s")


@dataclass(frozen=True, slots=True, kw_only=True)
class FundingSchedule(Posted):
    """The cut of one coin, the seed a new meter starts with, and the most that can be shown and won
    (`None`: no cap).
    """

    KIND: ClassVar[str] = "funding"

    coin_minor: int = whole(500, low=1)
    meter_minor: int = whole(100)
    reserve_minor: int = whole(25)
    house_minor: int = whole(375)
    seed_minor: int = whole(1_000_000)
    cap_minor: int | None = whole(None, low=1, optional=True)

    def verify(self) -> None:
        """The cuts are the coin (CutsDiffer), and a cap leaves room for the seed."""
        cuts = self.meter_minor + self.reserve_minor + self.house_minor
        if cuts != self.coin_minor:
            raise CutsDiffer(sum_minor=cuts, coin_minor=self.coin_minor)
        if self.cap_minor is not None and self.cap_minor < self.seed_minor:
            raise wrong("funding.cap_minor", self.cap_minor, AT_LEAST_SEED, low=self.seed_minor)

    @classmethod
    def of_percent(
        cls,
        *,
        coin_minor: int,
        meter_bp: int,
        reserve_bp: int,
        seed_minor: int,
        cap_minor: int | None = None,
    ) -> Self:
        """A schedule from shares in basis points (2000 = 20 %); the house keeps the rest. Raises
        ShareNotWhole.

        >>> parts = {"meter_bp": 2000, "reserve_bp": 500, "seed_minor": 1_000_000}
        >>> FundingSchedule.of_percent(coin_minor=500, **parts).cut(3)
        Cut(meter_minor=300, reserve_minor=75, house_minor=1125)
        """
        meter, reserve = (_share(coin_minor, share) for share in (meter_bp, reserve_bp))
        return cls(
            coin_minor=coin_minor,
            meter_minor=meter,
            reserve_minor=reserve,
            house_minor=coin_minor - meter - reserve,
            seed_minor=seed_minor,
            cap_minor=cap_minor,
        )

    def cut(self, coins: int) -> Cut:
        """What `coins` coins bring; the three parts sum to the coins (PRG-11). Raises
        CoinsWrong."""
        if type(coins) is not int or not 0 <= coins <= COINS_MOST:
            raise CoinsWrong(coins=picture(coins))
        return Cut(coins * self.meter_minor, coins * self.reserve_minor, coins * self.house_minor)


def _share(coin_minor: int, share_bp: int) -> int:
    if type(coin_minor) is not int or not 1 <= coin_minor <= MAXIMUM_MINOR:
        raise wrong("funding.coin_minor", coin_minor, BETWEEN, low=1, high=MAXIMUM_MINOR)
    if type(share_bp) is not int or not 0 <= share_bp <= WHOLE_BP:
        raise wrong("funding.share_bp", share_bp, BETWEEN, low=0, high=WHOLE_BP)
    share, rest = divmod(coin_minor * share_bp, WHOLE_BP)
    if rest:
        raise ShareNotWhole(
            percent=f"{share_bp // 100}.{share_bp % 100:02d}", coin_minor=coin_minor
        )
    return share
