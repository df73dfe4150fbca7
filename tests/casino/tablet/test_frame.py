"""The frame of the tablet's round knows no game: it asks what every game answers, and no word of one stands in it."""

import re
from pathlib import Path

from tests.turns import each

APP = Path(__file__).parents[3] / "casino" / "static" / "casino" / "tablet" / "app"
ROUNDS, HANDS = ("uth", "blackjack"), ("poker",)
GAMES = ROUNDS + HANDS  # each a folder; the tests bring their own one
FRAME = {
    f"{path.parent.name}/{path.stem}": path.read_text()
    for path in sorted(APP.rglob("*.js"))
    if not {*path.relative_to(APP).parts} & {*GAMES} and path.stem != "ranks"
}
# Words of Ultimate Texas Hold'em and of Black Jack. The round is played in any game ("play"), and lies on a board of the page.
WORDS = (
    r"uth\w*|ultimate|hold.?em|poker|black.?jack|bj|antes?|blinds?|trips|folds?|folded|flop|river|pairs?|full_house|dealers?"
    r"|insurance|splits?|doubles?|busts?|surrender|royal_flush|straights?"
)
ASKED = re.compile(r"\bgame\s*\.(\w+)")
SAID = re.compile(r"^export (?:const|function) (\w+)", re.MULTILINE)
PASSED_ON = re.compile(r"^export (?:const )?\{([\w,\s]+)\} (?:from|=)", re.MULTILINE)
ONLY_SHARED = {"join", "part"}  # asked only where a box has more than one guest
# Where the house cuts stakes, some come after the lock, or hands take as many cards as they like.
ONLY_LATER = {
    "acts",
    "cut",
    "placedOf",
    "warnings",
    "DECKS",
    "cardKeys",
    "cardsState",
    "handsOn",
    "nextCard",
    "takeFed",
    "takeOut",
    "unplaced",
}


def answered(source: str) -> set[str]:
    """What a module gives to others."""
    passed = [name for names in PASSED_ON.findall(source) for name in re.findall(r"\w+", names)]
    return {*SAID.findall(source), *passed}


def asked(play: str = "round") -> set[str]:
    """What the frame of a round, or of a hand, wants to know of a game; `page.game` are the rules that came with the page."""
    sources = [source for name, source in FRAME.items() if name.startswith(f"{play}/")]
    return {name for source in sources for name in ASKED.findall(source.replace("page.game.", "page."))}


def test_the_frame_asks_only_what_a_play_answers() -> None:
    """What is played, a round or a hand, is the module that the page knows as `tablet/play`."""
    frame = {name: source for name, source in FRAME.items() if name.startswith("frame/")}
    assert [name for name, source in frame.items() if re.search(r'"tablet/(round/|game")', source)] == []
    asked_play = {name for source in frame.values() for name in re.findall(r"\bplay\.(\w+)", source)}
    named = re.findall(r'^import \{ ([\w, ]+) \} from "tablet/play"', "\n".join(frame.values()), re.MULTILINE)
    asked_play |= {name for names in named for name in names.split(", ")}
    for play in ("round", "hand"):
        assert asked_play == answered(FRAME[f"{play}/play"])


@each("name", FRAME)
def test_no_word_of_a_game_stands_in_the_frame(name: str) -> None:
    found = re.findall(rf"(?i)(?<![a-z])(?:{WORDS})(?![a-z])", FRAME[name])
    assert found == []
    assert re.findall(rf'"tablet/(?:{"|".join(GAMES)})/', FRAME[name]) == []


def test_every_game_answers_what_the_frame_asks() -> None:
    assert asked() - answered((APP / "uth/game.js").read_text()) == ONLY_SHARED | ONLY_LATER
    assert asked() - answered((APP / "blackjack/game.js").read_text()) == set()
    sharing = Path(__file__).parents[2] / "browser" / "sharing.js"
    assert asked() - answered(sharing.read_text()) == ONLY_LATER


def test_every_game_of_hands_answers_what_a_hand_asks() -> None:
    for name in HANDS:
        assert answered((APP / name / "game.js").read_text()) == asked("hand")


def test_no_game_says_what_nobody_asks() -> None:
    for name in ROUNDS:
        assert answered((APP / name / "game.js").read_text()) - asked() == set()


def test_what_a_game_says_is_written_down() -> None:
    text = (Path(__file__).parents[3] / "docs" / "ARCHITECTURE.md").read_text()
    section = text[text.index("### What a game says") :].split("\n## ")[0]
    assert {
        name for name in asked() | asked("hand") if f"`{name}`" not in section and f"`{name}(" not in section
    } == set()
