"""Settlement from cards: against a settlement written straight from the game's text with another evaluator, and what
must always hold.
"""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from payouts.errors import Refused
from payouts.rules.hands.cards import card_texts
from payouts.rules.hands.ranks import Category
from payouts.rules.lines import Stake
from payouts.rules.rulesets import own_hand
from payouts.rules.rulesets.paytable_odds import table_odds
from tables.games.uth.rules import UthGame
from tables.games.uth.settle import UthCards, settle
from tables.games.uth.stakes import UthBox, boxes_of, check_boxes
from tests.tables.games.uth.strategies import Case, cases

GAME = UthGame()
# The evaluator's worst rank of each class, from the royal flush (1) down.
WORST = [1, 10, 166, 322, 1599, 1609, 2467, 3325, 6185, 7462]
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(10**5000), 10**5000), st.floats(), st.text()
)


def other_evaluator(*cards: tuple[int, ...]) -> tuple[int, Category]:
    rank = evaluate_cards(*card_texts(sum(cards, ())))
    return -rank, list(reversed(Category))[next(place for place, worst in enumerate(WORST) if rank <= worst)]


def by_the_text(case: Case) -> dict[tuple[int, str], int]:
    """What each stake gains or loses, for the game as printed: the default rules."""
    dealer, dealer_class = other_evaluator(case.cards.board, case.cards.dealer)
    nets: dict[tuple[int, str], int] = {}
    for box in case.boxes:
        mine, hand = other_evaluator(case.cards.board, tuple(case.cards.boxes[box.box]))
        play, sign = case.plays[box.box], (mine > dealer) - (mine < dealer)
        pays = {4: (1, 1), 5: (3, 2), 6: (3, 1), 7: (10, 1), 8: (50, 1), 9: (500, 1)}.get(hand, (0, 1))
        nets[box.box, "ante"] = (
            -box.ante_minor if not play else sign * box.ante_minor * (dealer_class > Category.HIGH_CARD)
        )
        nets[box.box, "blind"] = (
            -box.ante_minor if not play or sign < 0 else box.ante_minor * pays[0] // pays[1] if sign > 0 else 0
        )
        if play:
            nets[box.box, "play"] = sign * play * box.ante_minor
        if box.trips_minor:
            trips = {3: 3, 4: 4, 5: 7, 6: 8, 7: 30, 8: 40, 9: 50}.get(hand, -1)
            nets[box.box, "trips"] = trips * box.trips_minor
    return nets


@given(cases(st.just(GAME)))
def test_every_line_is_what_the_games_text_says(case: Case) -> None:
    lines = settle(*case).lines
    assert {(line.box, line.kind): line.net_minor for line in lines} == by_the_text(case)


@given(cases())
def test_one_line_for_each_stake_and_nothing_negative(case: Case) -> None:
    result = settle(*case)
    expected = []
    for box in case.boxes:
        staked = {stake.kind: stake.amount_minor for stake in box.stakes()}
        staked["play"] = case.plays[box.box] * box.ante_minor
        expected += [(box.box, box.guest, kind, amount) for kind, amount in staked.items() if amount]
    assert sorted((line.box, line.guest, line.kind, line.stake_minor) for line in result.lines) == sorted(expected)
    for line in result.lines:
        assert 0 <= line.returned_minor <= line.stake_minor
        assert line.won_minor >= 0 == line.prize_minor
        assert line.returned_minor == line.stake_minor or line.won_minor == 0
        assert (line.odds is not None) == (line.won_minor > 0 or line.reason.code in ("uth.blind_won", "uth.trips_won"))


@given(cases())
def test_odds_are_exact_to_less_than_the_rounding(case: Case) -> None:
    step = case.game.rules.odds_round_to
    for line in settle(*case).lines:
        if line.odds is not None and line.kind in ("blind", "trips"):
            exact, per = line.stake_minor * line.odds.pays, line.odds.per
            error = line.won_minor * per - exact
            assert line.won_minor % step == 0
            assert (0 <= error < step * per) if case.game.rules.odds_round == "up" else (-step * per < error <= 0)


@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_boxes_cards_and_decisions_does_not_matter(case: Case, random: object) -> None:
    boxes, holes, plays = list(case.boxes), list(case.cards.boxes.items()), list(case.plays.items())
    board = list(case.cards.board)
    for some in (boxes, holes, plays, board):
        random.shuffle(some)  # type: ignore[attr-defined]
    turned = {number: hole[::-1] for number, hole in holes}
    shuffled = settle(case.game, boxes, UthCards(tuple(board), case.cards.dealer[::-1], turned), dict(plays))
    result = settle(*case)
    assert sorted(shuffled.lines) == sorted(result.lines)
    assert shuffled.outcomes == result.outcomes


@given(cases())
def test_a_box_is_settled_alike_whoever_plays_beside_it(case: Case) -> None:
    together = settle(*case)
    for box in case.boxes:
        cards = UthCards(case.cards.board, case.cards.dealer, {box.box: case.cards.boxes[box.box]})
        alone = settle(case.game, [box], cards, {box.box: case.plays[box.box]})
        assert alone.lines == tuple(line for line in together.lines if line.box == box.box)


@given(cases())
def test_words_data_and_rule_of_every_line(case: Case) -> None:
    for line in settle(*case).lines:
        assert line.rule.startswith("UTH-")
        assert "None" not in line.text()
        data = line.to_data()
        assert data["code"] == line.reason.code
        assert all(type(value) in (int, str, type(None)) for value in data.values())


@given(cases(), st.integers(1, 5))
def test_a_higher_stake_scales_every_line_of_the_default_game(case: Case, times: int) -> None:
    boxes = [UthBox(box.box, box.guest, 500, 500, 500, box.blind_play) for box in case.boxes]
    larger = [UthBox(box.box, box.guest, 500 * times, 500 * times, 500 * times, box.blind_play) for box in case.boxes]
    plays = {number: play or 1 for number, play in case.plays.items()}
    small, large = (settle(GAME, some, case.cards, plays).lines for some in (boxes, larger))
    assert [line.net_minor for line in large] == [line.net_minor * times for line in small]


def test_swapping_box_and_dealer_swaps_the_results() -> None:
    """All deals of two hands from twelve cards over one board: Play is a fair game, and Ante gains or loses only
    against a pair.
    """
    board, rest = (2, 17, 30, 41, 48), (0, 1, 5, 9, 14, 16, 22, 27, 31, 40, 45, 51)
    play = ante = pairs = 0
    for hole in combinations(rest, 2):
        for dealer in combinations([card for card in rest if card not in hole], 2):
            result = settle(GAME, [UthBox(1, "g", 500, 500)], UthCards(board, dealer, {1: hole}), {1: 1})
            nets = {line.kind: line.net_minor for line in result.lines}
            play += nets["play"]
            ante += nets["ante"]
            pairs += nets["play"] * bool(result.dealer_pair)
            assert nets["ante"] in (0, nets["play"])
    assert (play, ante) == (0, pairs)


def test_settling_every_hand_gives_trips_the_closed_form_edge() -> None:
    """A fixed play over every seven-card hand, equal ones settled once and counted as often as they are dealt."""
    gained = dealt = 0
    for hands, weights in (own_hand._mixed(), own_hand._suited()):
        for hand, weight in zip(hands.tolist(), weights.tolist(), strict=True):
            dealer = tuple(card for card in range(9) if card not in hand)[:2]
            cards = UthCards(tuple(hand[:5]), dealer, {1: tuple(hand[5:])})
            lines = settle(GAME, [UthBox(1, "g", 500, 500, 500)], cards, {1: 1}).lines
            gained += weight * lines[-1].net_minor
            dealt += weight
    assert dealt == own_hand.HANDS
    assert -gained == table_odds(GAME.trips).edge * 500 * dealt


@given(cases(), ANYTHING, ANYTHING)
def test_fuzz_settle(case: Case, play: object, box: object) -> None:
    changed = {**case.plays, next(iter(case.plays)): play}
    for call in (
        lambda: settle(case.game, case.boxes, case.cards, changed),  # type: ignore[arg-type]
        lambda: settle(case.game, case.boxes, case.cards, {**case.plays, box: 1}),  # type: ignore[dict-item]
        lambda: settle(case.game, (*case.boxes, *case.boxes), case.cards, case.plays),
        lambda: settle(case.game, case.boxes[1:], case.cards, case.plays),
    ):
        try:
            call()
        except Refused as refusal:
            assert refusal.code.startswith(("uth.", "cards."))
            assert refusal.text()
            assert refusal.rule


@given(
    st.lists(st.builds(UthBox, ANYTHING, ANYTHING, ANYTHING, ANYTHING, ANYTHING, ANYTHING), min_size=1, max_size=3),
    st.integers(-5, 60),
)
def test_fuzz_boxes(boxes: list[UthBox], layout: int) -> None:
    try:
        check_boxes(GAME, boxes, layout)
    except Refused as refusal:
        assert refusal.code.startswith("uth.")
        assert refusal.text()
    else:
        raise AssertionError("nothing of this may be staked")


@given(
    st.lists(
        st.builds(
            Stake,
            ANYTHING,
            ANYTHING,
            st.one_of(st.sampled_from(["ante", "blind", "trips", "play", "coin"]), ANYTHING),
            ANYTHING,
        ),
        max_size=4,
    )
)
def test_fuzz_stakes(stakes: list[Stake]) -> None:
    try:
        boxes_of(stakes)
    except Refused as refusal:
        assert refusal.code.startswith("uth.")
        assert refusal.text()


@given(
    st.lists(st.integers(-3, 60), max_size=7),
    st.lists(st.integers(-3, 60), max_size=3),
    st.dictionaries(st.integers(1, 3), st.one_of(ANYTHING, st.lists(st.integers(-3, 60), max_size=3))),
)
def test_fuzz_cards(board: list[int], dealer: list[int], holes: dict[int, object]) -> None:
    try:
        UthCards.parse(board, dealer, holes)  # type: ignore[arg-type]
    except Refused as refusal:
        assert refusal.code.startswith("cards.")
    try:
        UthCards(tuple(board), tuple(dealer), {1: (0, 1)})
    except Refused as refusal:
        assert refusal.code.startswith("cards.")
    else:
        assert all(0 <= card < 52 for card in (*board, *dealer))


@given(cases(st.just(GAME)))
def test_stakes_make_the_boxes_they_came_from(case: Case) -> None:
    stakes = [stake for box in case.boxes for stake in box.stakes()]
    assert boxes_of(reversed(stakes)) == tuple(sorted(case.boxes, key=lambda box: box.box))
