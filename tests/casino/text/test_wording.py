"""What people read of refusals and reasons: money of the house, words of their language, never a code or raw minor units.

Programs get English templates over plain data (`payouts/errors.py`); everything here goes through `casino/text/wording.py`.
"""

import ast
import importlib
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from casino.text import floor as floor_texts
from casino.text import rulesets as posted_words
from casino.text import vocabulary
from casino.text.problems import sentences
from casino.text.wording import DAYS, LISTS, worded
from jackpot.models import Claim, Hit, Phase, Slip
from jackpot.rules.jackpot_rules import CHECKS
from jackpot.services.claims import DROPPED
from payouts.errors import Refused
from payouts.models import Approval, House
from payouts.rules.approval import DEFAULT_MATRIX, METHODS, ApprovalClosed, ApprovalRuleMissing
from payouts.rules.hands.cards import CardTwice
from payouts.rules.hands.ranks import Category
from payouts.rules.lines import StakeLine
from payouts.rules.plain import check_text
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.paytable import Paytable
from payouts.rules.rulesets.rake import RakeSchedule, RakeTier
from tables.errors import PostedMissing
from tables.games.blackjack import settle as blackjack
from tables.games.poker.rules import PokerGame
from tables.games.uth import settle as uth
from tables.games.uth.possible import UthTaps
from tables.games.uth.rules import UthGame, UthRules
from tables.games.uth.settle import TRIPS_WON, Outcome, Result, UthCards
from tables.games.uth.stakes import UthBox, check_boxes
from tables.games.uth.taps import settle_tapped
from tables.kinds import KINDS
from tables.models import Round
from tables.models.hands import HAND_LEVELS
from tables.models.rounds import ENTRY_LEVELS
from tables.rules.limits import ten_table
from tables.rules.prime import BoxStake, allocate
from tests.floor import Floor
from tests.meta.test_catalogues import catalogue
from tests.turns import each
from tests.worlds import world

APPS = ("casino", "payouts", "tables", "jackpot")
LANGUAGES = [language for language, _name in settings.LANGUAGES]
SWISS, GERMAN = House(currency="CHF", locale="de-CH"), House(currency="EUR", locale="de-DE")
MINOR, WRITTEN = 1_234_567, "CHF\u00a012’345.67"
PLACEHOLDER = re.compile(r"%\((\w+)\)")

# Data that people see as they come: counts and numbers of things, names of people, cards, what somebody typed. Whoever puts
# a new name into a sentence says here that it is no amount and no code, or gives it its words in `casino/text/vocabulary.py`.
AS_THEY_COME = {
    **dict.fromkeys(
        [
            "box",
            "boxes",
            "count",
            "coins",
            "correction",
            "currency",
            "first",
            "given",
            "written",
            "pieces",
            "purpose",
            "last",
            "layout",
            "pots",
            "legs",
            "minutes",
            "needed",
            "hours",
            "hand",
            "hands",
            "total",
            "seconds",
            "place",
            "an_hour",
            "chip",
            "seats",
            "horse",
            "least",
            "time",
            "at",
            "most",
            "number",
            "rounds",
            "of",
            "days",
            "breaches",
            "found",
            "expected",
            "missing",
            "added",
            "seal",
            "seals",
            "seat",
            "rows",
            "counted",
            "issued",
            "pieces",
            "places",
            "there",
        ],
        3,
    ),
    **dict.fromkeys(
        ["placed", "play", "players", "pot", "rank", "street", "retry_after_s", "schema", "second", "signed", "tries"],
        3,
    ),
    **dict.fromkeys(["before", "by", "croupier", "decider", "guest", "seated", "username", "winner", "name"], "Anna"),
    **dict.fromkeys(
        [
            "card",
            "category",
            "entered",
            "fed",
            "low",
            "low_qualifier",
            "minute",
            "shown",
            "offline",
            "tables",
            "text",
            "wanted",
            "winners",
            "act",
            "audits",
            "path",
            "letter",
            "point",
        ],
        "Zz",
    ),
    "figure": "3x7",  # what somebody typed
    "error": "ValueError: no",  # what a technician is told
    **dict.fromkeys(["opens", "closes", "now", "since", "asked"], "18:30"),
    **dict.fromkeys(["multiples", "odds", "percent", "edge", "game", "filters"], "3:2"),
}
TOLD = {
    "says": {"contradictions": [{"sentence": "three of a kind", "data": {}}]},
    "expected": {"expects": {"sentence": "three of a kind", "data": {}}},
}


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for app in APPS:
        for path in sorted((settings.BASE_DIR / app).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path, ast.parse(path.read_text(encoding="utf-8"))


def calls() -> Iterator[tuple[str, ast.Call]]:
    for _path, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield getattr(node.func, "id", getattr(node.func, "attr", "")), node


def refusals() -> list[type[Refused]]:
    """Every refusal of the project, whatever module it is in: a class with a code and a sentence."""
    for path, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and re.search(
                r"^sentence = ", "\n".join(map(ast.unparse, node.body)), re.MULTILINE
            ):
                module = ".".join(path.relative_to(settings.BASE_DIR).with_suffix("").parts)
                importlib.import_module(module.removesuffix(".__init__"))
    found, waiting = [], [Refused]
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += one.__subclasses__()
    return [one for one in found if one.__module__.partition(".")[0] in APPS]


def literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


MARKED = sorted({text for name, call in calls() if name == "mark" and call.args and (text := literal(call.args[0]))})
TEMPLATES = [text for text in MARKED if PLACEHOLDER.search(text)]


def samples(template: str) -> Iterator[dict[str, object]]:
    """Data for a template: once with each word that one of its names may stand for."""
    data: dict[str, object] = {}
    words: dict[str, list[str]] = {}
    for name in PLACEHOLDER.findall(template):
        if name.endswith("_minor") or name in ("amount", "value", "low", "high", "step"):
            data |= (
                {name: MINOR, "field": "funding.coin_minor"}
                if name in ("value", "low", "high", "step")
                else {name: MINOR}
            )
        elif name == "field":
            data[name] = "paytable.lines[2].odds"
        elif name == "example":
            data |= {name: 1234, "field": "funding.coin_minor"}
        elif name in DAYS:
            data[name] = "2026-11-21"
        elif name in LISTS:
            data[name] = [*LISTS[name]]
        elif name in TOLD:
            data |= {name: "RAW ENGLISH", **TOLD[name]}
        elif name in vocabulary.VOCABULARY:
            words[name] = [*vocabulary.VOCABULARY[name], "three of a kind"]
        else:
            assert name in AS_THEY_COME, f"say in AS_THEY_COME or in vocabulary what %({name})s is: {template}"
            data[name] = AS_THEY_COME[name]
    first = {name: options[0] for name, options in words.items()}
    yield data | first
    for name, options in words.items():
        yield from (data | first | {name: option} for option in options[1:])


@each("language", LANGUAGES)
@each("template", TEMPLATES)
def test_no_code_no_raw_amount_no_foreign_word(template: str, language: str) -> None:
    for data in samples(template):
        with translation.override(language):
            text = worded(template, data, SWISS)
        assert str(MINOR) not in text
        assert not any(isinstance(value, int) and value == MINOR for value in data.values()) or WRITTEN in text
        assert "2026-11-21" not in text
        assert not re.search(r"[a-z]_[a-z]|\b[a-z]+\.[a-z]+_|\bRAW\b|None|\[|\{", text), text
        for name, choices in vocabulary.VOCABULARY.items():
            if name in data and name not in TOLD:
                with translation.override(language):
                    word = translation.gettext(choices.get(str(data[name]), str(data[name])))
                assert word in text
        if language != "en":
            assert "three of a kind" not in text


def test_every_refusal_speaks_in_marked_templates() -> None:
    found = refusals()
    assert len(found) > 90
    # Errors of pages and of the API are put together where they are shown, from sentences that are translated already.
    wrong = [one.code for one in found if not {one.sentence, one.remedy} <= {*MARKED} and one.__name__ != "_Problem"]
    assert wrong == []


def test_every_word_of_the_vocabulary_is_in_the_catalogues() -> None:
    known = {message.id for message in catalogue("de") if isinstance(message.id, str)}
    words = {
        word for choices in vocabulary.VOCABULARY.values() for word in choices.values() if isinstance(word, str)
    }  # a label translates itself
    for more in (vocabulary.PLACES, posted_words.FIELDS, posted_words.CHOICES, posted_words.EMPTY):
        words |= {*more.values()}
    assert words - known == set()


def test_every_code_that_the_project_names_has_its_word() -> None:
    """Literals that stand for words in the data of refusals, and the codes that come from elsewhere."""
    wrong, classes = [], {one.__name__ for one in refusals()}
    places = {*vocabulary.PLACES, *posted_words.FIELDS}
    for name, call in calls():
        if (
            name in ("check_text", "check_name", "check_data")
            and len(call.args) > 1
            and (field := literal(call.args[1]))
        ):
            wrong += [field] if field not in places else []
        for keyword in call.keywords if name in classes else ():
            code = literal(keyword.value)
            if code is None:
                continue
            if keyword.arg == "field":
                wrong += [one for one in code.split(", ") if one not in places]
            elif keyword.arg in vocabulary.VOCABULARY:
                wrong += [code] if code not in vocabulary.VOCABULARY[keyword.arg] else []
        if name == "wrong" and len(call.args) > 2 and not isinstance(call.args[2], ast.Name | ast.IfExp):
            wrong.append(ast.unparse(call))  # what is expected is a marked template, never a text of the moment
    assert wrong == []
    assert {*DEFAULT_MATRIX} <= {*vocabulary.ACTIONS}
    assert {*METHODS} == {*vocabulary.METHODS}
    assert {*Approval.State.values} <= {*vocabulary.VOCABULARY["state"]}
    for results, names in ((uth.Result, ("tapped", "cards")), (blackjack.Result, ("tapped", "says", "result"))):
        assert all({*map(str, results)} <= {*vocabulary.VOCABULARY[name]} for name in names)
    endings = {str(one) for one in blackjack.Bank if not one.isdigit()}
    assert all(endings <= {*vocabulary.VOCABULARY[name]} for name in ("bank", "says", "tapped"))
    assert {*Round.State.values} <= {*vocabulary.VOCABULARY["state"]}
    for states in (Hit.State, Claim.State, Slip.State, Phase):
        assert {*states.values} <= {*vocabulary.VOCABULARY["state"]}
    assert {*CHECKS} == {*vocabulary.CHECKLIST}
    assert {*ENTRY_LEVELS, *HAND_LEVELS} == {*vocabulary.LEVELS}
    asked = [one.metadata["kind"] for kind in KINDS.values() for one in fields(kind.start)]
    assert {word for one in asked for word in getattr(one, "words", ())} <= {*posted_words.CHOICES}
    assert not {kind.start.KIND for kind in KINDS.values()} & places  # else a place would be read as a field
    assert {kind.start.KIND for kind in KINDS.values()} <= {*vocabulary.VOCABULARY["kind"]}


def refused(act: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as error:
        act()
    return error.value


def raised(error: Refused) -> Callable[[], object]:
    def act() -> None:
        raise error

    return act


def box(ante: int = 500, **more: int) -> UthBox:
    return UthBox(1, "g1", ante, ante, **more)


TAPS = UthTaps({1: Outcome(4, Result.WIN, None)})
CARDS = UthCards.parse("2c 7d 9h Jc 4s", "Kd Kh", {1: "Qs 8c"})
REFUSALS: dict[str, tuple[Callable[[], object], str]] = {
    "limits": (
        lambda: check_boxes(UthGame(), [box(700_00)]),
        "Box 1: Ante von CHF 5.00 bis CHF 50.00, nicht CHF 700.00.",
    ),
    "step": (lambda: check_boxes(UthGame(), [box(7_00)]), "Box 1: Ante nur in Schritten von CHF 5.00, nicht CHF 7.00."),
    "no amount": (lambda: check_boxes(UthGame(), [box(trips_minor="viel")]), "Box 1: viel ist kein Betrag für Trips."),
    "contradiction": (
        lambda: settle_tapped(UthGame(), [box()], TAPS, CARDS),
        "Die Karten sagen etwas anderes: Box 1: gewählt ist «gewonnen», nach den Karten ist es «verloren».",
    ),
    "bounds": (
        lambda: UthRules(ante_minimum_minor=0),
        "«Ante, Minimum» kann nicht CHF 0.00 sein; erwartet: von CHF 0.01 bis CHF 1’000’000’000.00.",
    ),
    "form": (
        lambda: UthRules(stake_step="5.005"),
        "«Einsatzschritt» kann nicht 5.005 sein; erwartet: eine Angabe wie 12.34.",
    ),
    "empty": (
        lambda: UthRules(stake_step=""),
        "«Einsatzschritt» kann nicht leer sein; erwartet: eine Angabe wie 12.34.",
    ),
    "choice": (
        lambda: UthRules(no_play="x"),
        "«Box ohne Play» kann nicht x sein; erwartet: eines von: passt, geht zum Showdown.",
    ),
    "list": (
        lambda: Paytable.from_fields({"lines": [{"hand": "flush", "odds": "1:1"}] * 2}, "paytable"),
        "«Zeilen» kann nicht diese Liste sein; erwartet: jedes nur einmal.",
    ),
    "percent": (
        lambda: RakeTier(percent_bp=10_001),
        "«Prozent» kann nicht 100.01 sein; erwartet: von 0.00 bis 100.00.",
    ),
    "place": (
        lambda: RakeSchedule(tiers=(RakeTier(percent_bp=500, cap_minor=1_020),)),
        "«Stufen · 1 · Obergrenze» kann nicht CHF 10.20 sein; erwartet: ein Betrag in Schritten von CHF 0.50.",
    ),
    "least": (
        lambda: PokerGame(buy_in_most_minor=10_00),
        "«Buy-in, Maximum» kann nicht CHF 10.00 sein; erwartet: mindestens CHF 40.00.",
    ),
    "chip": (
        lambda: PokerGame(small_blind_minor=1_50, big_blind_minor=3_00),
        "«Small Blind» kann nicht CHF 1.50 sein; erwartet: ein Vielfaches des kleinsten Jetons am Tisch, CHF 1.00.",
    ),
    "rotation": (
        lambda: PokerGame(variants=("holdem", "omaha")),
        (
            "«Variante oder HORSE» kann nicht diese Liste sein; erwartet: eine Variante oder diese in ihrer Reihenfolge:"
            " Texas Hold’em, Omaha Hi-Lo, Razz, Seven Card Stud, Seven Card Stud Hi-Lo."
        ),
    ),
    "cuts": (
        lambda: FundingSchedule(house_minor=1),
        "Die Anteile ergeben CHF 1.26, der Jackpot-Einsatz beträgt CHF 5.00.",
    ),
    "text": (
        lambda: check_text("", "full_name", least=2, most=80),
        "Vor- und Nachname: zu kurz, 0 von mindestens 2 Zeichen.",
    ),
    "card": (raised(CardTwice(card="As")), "Die Karte As kommt mehr als einmal vor."),
    "state": (raised(ApprovalClosed(state="killed")), "Diese Freigabe ist abgeschlossen: zurückgezogen."),
    "action": (
        raised(ApprovalRuleMissing(action="transfer.reverse")),
        "Dieses Haus hat keine Freigaberegel für «Korrektur einer Buchung».",
    ),
    "kind": (
        raised(PostedMissing(kind="floor_rules", name="Bad Ragaz")),
        "Von «Bad Ragaz» (Erfassung der Runden) gilt keine Version.",
    ),
}


@each("name", REFUSALS)
def test_refusals_in_german(name: str) -> None:
    act, wanted = REFUSALS[name]
    error = refused(act)
    with translation.override("de"):
        assert sentences(error, SWISS)[0].replace("\u00a0", " ") == wanted


def test_the_data_stays_as_it_is() -> None:
    error = refused(lambda: settle_tapped(UthGame(), [box()], TAPS, CARDS))
    before = repr(error.data)
    with translation.override("fr"):
        sentences(error, SWISS)
    assert repr(error.data) == before
    assert error.data["says"] == "Box 1: tapped win, by the cards it is lose."
    wrong = refused(lambda: UthRules(ante_minimum_minor=0))
    assert (wrong.data["value"], wrong.data["expected"]) == (0, "from 1 to 100000000000")


def test_money_is_the_house_s_own() -> None:
    error = refused(lambda: check_boxes(UthGame(), [box(700_00)]))
    with translation.override("en"):
        assert "€50.00" not in sentences(error, GERMAN)[0]
        assert "from 5,00\u00a0€ to 50,00\u00a0€, not 700,00\u00a0€" in sentences(error, GERMAN)[0]
        assert "from 5.00 to 50.00, not 700.00" in sentences(error)[0]  # nobody's house: figures without a currency


def test_reasons_and_lines_are_worded_alike() -> None:
    chips = allocate(ten_table(500_00), [BoxStake("A", 300_00), BoxStake("B", 300_00, seated=True)])[1]
    line = StakeLine(1, "g1", "trips", 500, 500, 1500, 0, TRIPS_WON, None, Category.THREE_OF_A_KIND)
    with translation.override("de"):
        told = worded(chips.reason.sentence, chips.data, SWISS)
        assert told.startswith("A erhält CHF\u00a0100.00 zurück: Rang 2 nach PRM-1")
        assert "Drilling" in worded(line.reason.sentence, line.data(), SWISS)


@each("typed", ["", "'", "''", "%(x)s", "kind", "None", "[1", "\\'", "'a', 'b'", "x" * 300])
def test_what_was_typed_breaks_no_sentence(typed: str) -> None:
    for template in TEMPLATES:
        data = dict.fromkeys(PLACEHOLDER.findall(template), typed)
        for language in LANGUAGES:
            with translation.override(language):
                assert "Content-Type" not in worded(template, {"field": typed, **data}, SWISS)


@world(Floor)
def test_guest_is_told_by_his_number_and_not_by_his_token(floor: Floor) -> None:
    guest = floor.open()[1]
    nobody = "00000000-0000-4000-8000-000000000000"
    told = {str(guest.pk): "Guest 2", nobody: nobody, "C": "C"}
    with translation.override("en"):
        for token, name in told.items():
            assert (
                worded("%(guest)s is not a guest at this box.", {"guest": token})
                == f"{name} is not a guest at this box."
            )


@world(Floor)
@each(
    "sentence",
    [
        "%(first)s and %(second)s have the same right and the same distance to the shoe.",
        "%(decider)s decides for this box, not %(guest)s.",
        "%(seated)s sits at this box and owns it.",
    ],
)
def test_no_sentence_shows_a_guests_token(floor: Floor, sentence: str) -> None:
    guests = floor.open()[:2]
    names = PLACEHOLDER.findall(sentence)
    told = dict(zip(names, ("Guest 1", "Guest 2"), strict=False))
    with translation.override("en"):
        data = {name: str(guest.pk) for name, guest in zip(names, guests, strict=False)}
        assert worded(sentence, data) == sentence % told


def test_why_a_claim_was_dropped_is_said_by_nobody_and_in_every_language() -> None:
    assert {*floor_texts.CLAIM_REASONS} == {DROPPED}
    said = set()
    for language in LANGUAGES:
        with translation.override(language):
            said.add(floor_texts.say(floor_texts.CLAIM_REASONS, DROPPED))
    assert len(said) == len(LANGUAGES)
