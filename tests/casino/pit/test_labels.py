"""What the pit says of a moment, in each language: another word stands before a day than before a time of day."""

import re
from datetime import UTC, datetime

from django.utils import timezone, translation
from django.utils.translation import gettext

from casino.pit import labels
from casino.pit.labels import MOMENTS, alert_text, moment_text
from casino.text.alerts import ALERTS
from payouts.models import House
from tests.casino.pit.desk import get
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.turns import each
from tests.worlds import world

pytestmark = world(FloorDesk)


NOW = datetime(2026, 11, 22, 22, 14, 5, tzinfo=UTC)  # 23:14:05 in the house
BEFORE = datetime(2026, 11, 21, 22, 14, 5, tzinfo=UTC)
SWISS = House(currency="CHF", locale="de-CH")
SAID = {
    "de": {
        "since": ("seit 23:14:05", "seit dem 21.11., 23:14"),
        "until": ("bis 23:14:05", "bis zum 21.11., 23:14"),
        "of": ("von 23:14:05", "vom 21.11., 23:14"),
        "at": ("um 23:14:05", "am 21.11. um 23:14"),
    },
    "en": {
        "since": ("since 23:14:05", "since 21.11., 23:14"),
        "until": ("until 23:14:05", "until 21.11., 23:14"),
        "of": ("of 23:14:05", "of 21.11., 23:14"),
        "at": ("at 23:14:05", "on 21.11. at 23:14"),
    },
    "fr": {
        "since": ("depuis 23:14:05", "depuis le 21.11. à 23:14"),
        "until": ("jusqu’à 23:14:05", "jusqu’au 21.11. à 23:14"),
        "of": ("de 23:14:05", "du 21.11. à 23:14"),
        "at": ("à 23:14:05", "le 21.11. à 23:14"),
    },
    "it": {
        "since": ("dalle 23:14:05", "dal 21.11. alle 23:14"),
        "until": ("fino alle 23:14:05", "fino al 21.11. alle 23:14"),
        "of": ("delle 23:14:05", "del 21.11. alle 23:14"),
        "at": ("alle 23:14:05", "il 21.11. alle 23:14"),
    },
}


@each("language", SAID)
def test_moment_has_the_word_that_its_form_needs(language, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    with translation.override(language), timezone.override("Europe/Zurich"):
        said = {how: (moment_text(how, NOW), moment_text(how, BEFORE)) for how in MOMENTS}
        silent = alert_text("tablet_offline", {"since": BEFORE.isoformat()}, SWISS)
    assert said == SAID[language]
    assert SAID[language]["since"][1] in silent


def test_alert_that_is_over_speaks_of_the_past_in_each_language():
    """Every kind, and every sentence that a kind has by its data; with nothing to fill in that it had not before."""
    pairs = [(kind.text, kind.past) for kind in ALERTS.values()]
    pairs += [*labels.HIT_STANDS.values(), *labels.DOUBTS.values(), *labels.CHIPS_OVER.values()]
    pairs += [labels.AUDIT_STANDS, labels.CALLED, labels.TABLET_REVOKED]
    for now, past in pairs:
        had = {*re.findall(r"%\((\w+)\)s", now)}
        had |= {"at"} if "since" in had else set()
        for language in SAID:
            with translation.override(language):
                ended = gettext(past)
                assert ended not in (gettext(now), past if language != "en" else "")
                assert {*re.findall(r"%\((\w+)\)s", ended)} <= had


def test_to_close_a_table_and_to_go_back_to_the_board_are_said_in_two_words(desk):
    """Both buttons stand in the panel beside the board."""
    desk.open()
    said = {}
    for language in SAID:
        board = get(desk, **{"accept-language": language}).content.decode()
        table = desk.clients["boss"].get(f"/floor/tables/{desk.table.pk}/", headers={"accept-language": language})
        back = board.partition("data-close-panel>")[2].partition("</button>")[0]
        close = table.content.decode().partition("/close/")[2].partition('<button class="button">')[2]
        said[language] = (words(back).strip(), close.partition("</button>")[0])
    assert said == {
        "de": ("Zurück zur Übersicht", "Tisch schliessen"),
        "en": ("Back to the overview", "Close the table"),
        "fr": ("Retour à la vue d’ensemble", "Fermer la table"),
        "it": ("Tornare alla panoramica", "Chiudere il tavolo"),
    }
