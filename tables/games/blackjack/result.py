"""The result of a round of Black Jack as it is sent: read strictly, kept in one canonical form; and
the cards of a shoe, dealt to the boxes in the order of the game (BJ-2).
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from payouts.errors import mark
from payouts.rules.hands.cards import card_texts
from payouts.rules.rulesets.schema import picture
from tables.games.base import AN_OBJECT, FeedContradicts, ResultWrong
from tables.games.blackjack.entries import Entry, HandEntry
from tables.games.blackjack.rules import BOXES
from tables.games.blackjack.settle import Bank, HandOutcome, Result
from tables.games.blackjack.shoe import parse_shoe

_FIELDS = {"bank", "bank_cards", "boxes"}
_HAND_FIELDS = {"result", "doubled_result", "cards"}
_BOXES = {str(number): number for number in range(1, BOXES + 1)}
_COUNT_MOST = 22

BOX_NUMBER = mark("the number of a box")
A_RESULT = mark("win, lose, push, bust or blackjack")
A_BANK = mark("17 to 21, bust, blackjack or none")
SOME_HANDS = mark("a list of one to four hands")
CARDS = mark("cards such as “Ah Kd”")
YES_OR_NO = mark("true or false")
A_COUNT = mark("how many cards a hand has, 2 to 22")


def read_result(raw: object) -> Entry:
    """Read a result. Raises ResultWrong, and CardUnknown, NotInShoe for cards.

    >>> read_result({"bank": "bust", "boxes": {"1": {"hands": [{"result": "win"}]}}}).bank
    <Bank.BUST: 'bust'>
    """
    data = _object(raw, "result", _FIELDS)
    boxes = _object(data.get("boxes", {}), "boxes", None)
    bank = data.get("bank")
    if bank is not None and bank not in list(Bank):
        raise ResultWrong(field="bank", expected=A_BANK)
    return Entry(
        {_number(name): _hands(one, f"boxes.{name}") for name, one in boxes.items()},
        None if bank is None else Bank(bank),
        _cards(data.get("bank_cards"), "bank_cards"),
    )


def written(entry: Entry) -> dict[str, Any]:
    """A result as plain JSON in canonical form, without what was not entered."""
    data: dict[str, Any] = {
        "boxes": {
            str(box): {"hands": [_written_hand(one) for one in entry.boxes[box]]}
            for box in sorted(entry.boxes)
        }
    }
    if entry.bank is not None:
        data["bank"] = str(entry.bank)
    if entry.bank_cards:
        data["bank_cards"] = " ".join(card_texts(entry.bank_cards))
    return data


def _written_hand(hand: HandEntry) -> dict[str, str]:
    data: dict[str, str] = {}
    if hand.outcome is not None:
        data["result"] = str(hand.outcome.result)
        if hand.outcome.doubled is not None:
            data["doubled_result"] = str(hand.outcome.doubled)
    if hand.cards:
        data["cards"] = " ".join(card_texts(hand.cards))
    return data


def dealt(
    cards: Sequence[int], boxes: Sequence[int], drawn: Mapping[int, Sequence[int]]
) -> tuple[dict[int, list[tuple[int, ...]]], tuple[int, ...]]:
    """Give the cards of a shoe to the boxes that play and to the bank, in the order of the game
    (BJ-2): a card each, one for the bank, a second each, what every box draws in turn, and the rest
    for the bank. `drawn`: by box, how many cards each of its hands has in the end; a second hand
    takes over the second card of the first.

    Cards that are not there yet are left out.

    >>> dealt(range(7), [1, 2], {1: [3], 2: [2]})
    ({1: [(0, 3, 5)], 2: [(1, 4)]}, (2, 6))
    """
    order = sorted(boxes)
    first, bank = cards[: len(order)], cards[len(order) : len(order) + 1]
    second = cards[len(order) + 1 : 2 * len(order) + 1]
    rest = list(cards[2 * len(order) + 1 :])
    found: dict[int, list[tuple[int, ...]]] = {}
    for place, box in enumerate(order):
        two = [*first[place : place + 1], *second[place : place + 1]]
        counts = drawn.get(box, [2])
        begun = [two] if len(counts) == 1 else [two[:1], two[1:]] + [[] for _ in counts[2:]]
        found[box] = []
        for hand, count in zip(begun, counts, strict=True):
            more = max(count - len(hand), 0)
            found[box].append((*hand, *rest[:more]))
            del rest[:more]
    return found, (*bank, *rest)


def read_feed(raw: object) -> dict[str, Any]:
    """The cards of a shoe in canonical form: `{"cards": "As Kd 5c"}`, in the order in which they
    came. Raises ResultWrong, CardUnknown, NotInShoe.
    """
    data = _object(raw, "cards", {"cards"})
    return {"cards": " ".join(card_texts(_cards(data.get("cards"), "cards")))}


def with_feed(result: object, fed: Mapping[str, Any] | None, staked: Collection[int]) -> object:
    """A result that says `"feed": true`, with the cards of the shoe given to the hands by how many
    each of them has (`count`, 2 where nothing is said); any other as it is, without those words.

    `staked`: the boxes that have stakes. Cards that were entered by hand as well must be the same.
    Raises ResultWrong, FeedContradicts.
    """
    if not isinstance(result, dict) or "feed" not in result:
        return result
    entered = {name: value for name, value in result.items() if name != "feed"}
    if type(result["feed"]) is not bool:
        raise ResultWrong(field="feed", expected=YES_OR_NO)
    boxes = _object(entered.get("boxes", {}), "boxes", None)
    hands = {_number(name): _raw_hands(one, f"boxes.{name}") for name, one in boxes.items()}
    counts = {box: [_count(one, box) for one in several] for box, several in hands.items()}
    bare = {
        box: [{name: value for name, value in one.items() if name != "count"} for one in several]
        for box, several in hands.items()
    }
    if result["feed"] and fed is not None:
        dealt_to, bank = dealt(parse_shoe(fed["cards"]), sorted(staked), counts)
        entered["bank_cards"] = _same("bank_cards", bank, entered.get("bank_cards"))
        for box, found in dealt_to.items():
            own = bare.setdefault(box, [{} for _ in found])
            for place, (hand, cards) in enumerate(zip(own, found, strict=True)):
                hand["cards"] = _same(f"boxes.{box}.hands[{place}].cards", cards, hand.get("cards"))
    return entered | {"boxes": {str(box): {"hands": several} for box, several in bare.items()}}


def _same(where: str, fed: Sequence[int], entered: object) -> str:
    """The cards that were fed. Raises FeedContradicts where others were entered by hand."""
    hand = _cards(entered, where)
    if hand and tuple(fed) != hand:
        raise FeedContradicts(
            field=where, fed=" ".join(card_texts(fed)), entered=" ".join(card_texts(hand))
        )
    return " ".join(card_texts(fed))


def _count(hand: Mapping[str, Any], box: int) -> int:
    count = hand.get("count", 2)
    if type(count) is not int or not 2 <= count <= _COUNT_MOST:
        raise ResultWrong(field=f"boxes.{box}.hands", expected=A_COUNT)
    return count


def _object(raw: object, where: str, fields: Collection[str] | None) -> Mapping[str, Any]:
    if not isinstance(raw, dict) or not all(isinstance(name, str) for name in raw):
        raise ResultWrong(field=where, expected=AN_OBJECT)
    if fields is not None and (more := raw.keys() - fields):
        raise ResultWrong(field=f"{where}.{picture(min(more))}", expected=AN_OBJECT)
    return raw


def _number(name: str) -> int:
    if name not in _BOXES:  # in one spelling: "1" and "01" would be one box with two results
        raise ResultWrong(field=f"boxes.{picture(name)}", expected=BOX_NUMBER)
    return _BOXES[name]


def _raw_hands(raw: object, where: str) -> list[Mapping[str, Any]]:
    hands = _object(raw, where, {"hands"}).get("hands")
    if not isinstance(hands, list) or not 1 <= len(hands) <= 4:
        raise ResultWrong(field=f"{where}.hands", expected=SOME_HANDS)
    return [_object(one, f"{where}.hands[{place}]", None) for place, one in enumerate(hands)]


def _hands(raw: object, where: str) -> tuple[HandEntry, ...]:
    hands = _raw_hands(raw, where)
    return tuple(_hand(one, f"{where}.hands[{place}]") for place, one in enumerate(hands))


def _hand(raw: object, where: str) -> HandEntry:
    data = _object(raw, where, _HAND_FIELDS)
    found: dict[str, Result | None] = {}
    for name in ("result", "doubled_result"):
        value = data.get(name)
        if value is not None and value not in list(Result):
            raise ResultWrong(field=f"{where}.{name}", expected=A_RESULT)
        found[name] = None if value is None else Result(value)
    result, doubled = found["result"], found["doubled_result"]
    if doubled is not None and (result is None or doubled is Result.BLACKJACK):
        raise ResultWrong(field=f"{where}.doubled_result", expected=A_RESULT)
    outcome = None if result is None else HandOutcome(result, doubled)
    return HandEntry(outcome, _cards(data.get("cards"), f"{where}.cards"))


def _cards(raw: object, where: str) -> tuple[int, ...]:
    if raw is None or raw == "":
        return ()
    if not isinstance(raw, str) and not (
        isinstance(raw, list) and all(isinstance(card, str) for card in raw)
    ):
        raise ResultWrong(field=where, expected=CARDS)
    return parse_shoe(raw)
