"""The tablet's own copy of settlement, hands and amounts says what the server says: random rounds, rules of many houses."""

import random  # noqa: TID251  (the numbers are chosen here, for a test)
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page

from casino.games.uth.tablet import uth_data
from casino.text.formats import STYLES, format_money, money_style
from jackpot.rules.progressive import ProgressiveRules
from payouts.rules.hands.cards import DECK, card_texts
from payouts.rules.hands.ranks import category_of, rank_ids
from payouts.rules.rulesets.paytable import UTH_BLIND, UTH_TRIPS
from tables.games import Rules
from tables.games.uth.round import RoundRules, settle_cards
from tables.games.uth.rules import UthGame, UthRules
from tables.games.uth.settle import UthCards
from tables.games.uth.stakes import UthBox
from tables.rules.floor import FloorRules
from tests.browser.tablets import Tablet

pytestmark = pytest.mark.browser
ROUNDS, HANDS = 400, 3_000
SETTLE = """async (rounds) => {
    const { settle } = await import("tablet/uth/pay");
    return rounds.map(({ rules, boxes, outcomes, noPair }) => settle(rules, boxes, outcomes, noPair)
        .map(line => [line.box, line.kind, line.stake, line.returned, line.won, line.prize, line.code, line.odds]));
}"""
RANK = """async (hands) => {
    const { rank, handOf } = await import("tablet/frame/ranks");
    return hands.map(cards => [rank(cards), handOf(rank(cards))]);
}"""
MONEY = """async ([style, amounts]) => {
    const { written } = await import("tablet/frame/words");
    return amounts.map(minor => written(style, minor));
}"""


@pytest.fixture(scope="module")
def dice() -> random.Random:
    return random.Random(7)


@pytest.fixture
def page(tablet: Tablet) -> Page:
    return tablet.page


def rules_of(dice: random.Random) -> tuple[Rules, RoundRules]:
    uth = replace(
        UthRules(),
        no_play=dice.choice(["fold", "showdown"]),
        side_bets_survive_fold=dice.choice([True, False]),
        odds_round_to=dice.choice([1, 100, 500]),
        odds_round=dice.choice(["up", "down"]),
    )
    progressive = replace(
        ProgressiveRules(),
        community_royal=dice.choice(["per_box", "shared"]),
        envy_excludes=dice.choice(["winner_guest", "winner_box"]),
        envy_on_community_royal=dice.choice([True, False]),
        payout_unit=dice.choice([1, 500]),
    )
    posted = {"uth_rules": uth, "blind": UTH_BLIND, "trips": UTH_TRIPS}
    return Rules(posted, progressive, FloorRules()), RoundRules(UthGame(uth), progressive)


def deal(dice: random.Random) -> list[int]:
    """A deck; now and then one that begins with a royal flush on the board or nearly."""
    deck = list(DECK)
    dice.shuffle(deck)
    if dice.random() < 0.3:
        suit = dice.choice("cdhs")
        royal = [card for card in DECK if card_texts([card])[0][1] == suit and card_texts([card])[0][0] in "TJQKA"]
        dice.shuffle(royal)
        first = royal[: dice.choice([3, 4, 5])]
        deck = first + [card for card in deck if card not in first]
        rest = [card for card in royal if card not in first]
        if rest and len(first) > 3:  # a box holds the one that is missing
            deck.remove(rest[0])
            deck.insert(5, rest[0])
    return deck


def one_round(dice: random.Random) -> tuple[dict[str, Any], list[list[object]]]:
    """A round as the page gets it, and the lines that the server makes of its cards."""
    rules, round_rules = rules_of(dice)
    deck, count = deal(dice), dice.randint(1, 7)
    board, dealer = tuple(deck[:5]), tuple(deck[-2:])
    boxes, plays, coins = [], {}, {}
    for number in range(1, count + 1):
        ante = dice.randrange(500, 5001, 500)
        trips = dice.choice([0, dice.randrange(500, 5001, 500)])
        boxes.append(UthBox(number, f"g{number}", ante, ante, trips))
        plays[number] = dice.choice([0, 1, 2, 3, 4])
        if dice.random() < 0.6:
            coins[number] = 500
    holes = {box.box: tuple(deck[5 + 2 * place : 7 + 2 * place]) for place, box in enumerate(boxes)}
    settled = settle_cards(round_rules, boxes, UthCards(board, dealer, holes), plays, coins)
    outcomes = {
        str(box): {
            "play": one.play,
            "result": str(one.result),
            **({"hand": one.hand.category.name.lower(), "on_board": one.hand.on_board} if one.hand else {}),
        }
        for box, one in settled.outcomes.items()
    }
    asked = {
        "rules": uth_data(rules),
        "boxes": [
            {"box": b.box, "guest": b.guest, "ante": b.ante_minor, "trips": b.trips_minor, "coin": coins.get(b.box, 0)}
            for b in boxes
        ],
        "outcomes": outcomes,
        "noPair": not settled.dealer_pair,
    }
    lines: list[list[object]] = [
        [
            line.box,
            line.kind,
            line.stake_minor,
            line.returned_minor,
            line.won_minor,
            line.prize_minor,
            line.reason.code,
            str(line.odds or ""),
        ]
        for line in settled.lines
    ]
    return asked, lines


def test_every_line_is_the_servers(page: Page, dice: random.Random) -> None:
    rounds = [one_round(dice) for _ in range(ROUNDS)]
    worked = page.evaluate(SETTLE, [asked for asked, _ in rounds])
    for (asked, lines), told in zip(rounds, worked, strict=True):
        assert sorted(told) == sorted(lines), asked
    codes = {line[6] for _, lines in rounds for line in lines}
    assert {"prg.claim", "prg.community_royal", "prg.envy", "uth.blind_won", "uth.trips_folded"} <= codes


def test_hands_compare_as_the_servers_do(page: Page, dice: random.Random) -> None:
    """Same class, and the same order among all."""
    hands = [deal(dice)[:7] for _ in range(HANDS)] + [dice.sample(DECK, 5) for _ in range(HANDS)]
    told = page.evaluate(RANK, [card_texts(hand) for hand in hands])
    ranks = [rank_ids(tuple(hand)) for hand in hands]
    for hand, rank, (_, name) in zip(hands, ranks, told, strict=True):
        assert category_of(rank).name.lower() == name, card_texts(hand)
    pairs = sorted({(rank, value) for rank, (value, _) in zip(ranks, told, strict=True)})
    assert len({rank for rank, _ in pairs}) == len({value for _, value in pairs}) == len(pairs)
    assert [value for _, value in pairs] == sorted(value for _, value in pairs)


@pytest.mark.parametrize(
    ("currency", "locale"), [("CHF", "de-CH"), ("EUR", "de-DE"), ("GBP", "en-GB"), ("JPY", "fr-FR")]
)
def test_amounts_are_written_as_the_house_does(page: Page, dice: random.Random, currency: str, locale: str) -> None:
    assert locale in STYLES
    amounts = [0, 5, 99, 100, 128_450_55, 99_999_999_99, *(dice.randrange(10**9) for _ in range(50))]
    told = page.evaluate(MONEY, [money_style(currency, locale), amounts])
    assert told == [format_money(minor, currency, locale) for minor in amounts]
