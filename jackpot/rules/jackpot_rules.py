"""What a house posts about a hit of its progressive: what is blocked, what is looked at, from where
prizes wait (PRG-9).

Coin, prizes and payout unit stand in the posted table `progressive`, cut, seed and cap in
`funding`: all three start with an epoch.
"""

from dataclasses import dataclass
from typing import ClassVar

from payouts.rules.rulesets.schema import Posted, choice, flag, text, whole

CHECKS = ("cards_seen", "deck_counted", "camera_time", "guest_papers")


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotRules(Posted):
    """`authority_file`: the number under which the authority keeps the jackpot.

    `blocked_after_hit`: from a hit to the reopening all stakes are blocked, or coins only (PRG-9).
    The next four say what is noted about each claim before it can be verified.
    `prize_approval_from_minor`: from there up a fixed prize or an Envy payment waits for an
    approval (None: never). `rounds_an_hour_most`: more than any table can play; what comes faster
    is reported.
    `hit_screen_s`: how long displays show a hit that was paid.
    """

    KIND: ClassVar[str] = "jackpot_rules"

    authority_file: str = text("", most=40)
    blocked_after_hit: str = choice("all", "coins", default="all")
    cards_seen: bool = flag(default=True)
    deck_counted: bool = flag(default=True)
    camera_time: bool = flag(default=True)
    guest_papers: bool = flag(default=False)
    prize_approval_from_minor: int | None = whole(None, low=1, optional=True)
    rounds_an_hour_most: int = whole(150, low=1, high=1_000)
    hit_screen_s: int = whole(120, low=60, high=300)

    def checklist(self) -> tuple[str, ...]:
        """What must be noted about a claim, by name."""
        return tuple(check for check in CHECKS if getattr(self, check))
