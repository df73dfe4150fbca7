"""Each refusal of the floor and the jackpot is provoked through its command, and not a row of the database is other after it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.db import connection, transaction

from casino.text.refusal_list import refusals
from jackpot import errors as of_jackpot
from jackpot.services import jackpot_close, jackpot_create, jackpot_parameters_set
from payouts.errors import Refused
from payouts.rules.plain import DataRefused
from payouts.rules.rulesets.calendar import Evening
from payouts.selectors import house_now
from tables import errors, services
from tables.models import Guest, RoundStake
from tables.services.floor import sessions
from tables.services.floor.changes import newest_version, set_up_of
from tables.services.review import entries as review
from tables.services.rounds import against_feed as against_feeds
from tables.services.rounds import lock, settle, undo
from tests.floor import POSTED, done, second_jackpot, stakes_for, taps
from tests.jackpot.test_refusals import CASES as OF_HITS
from tests.tables.cash_cases import CASES as OF_CASH
from tests.tables.count_cases import CASES as OF_COUNTS
from tests.tables.difference_cases import CASES as OF_DIFFERENCES
from tests.tables.drop_cases import CASES as OF_DROPS
from tests.tables.inventory_cases import CASES as OF_INVENTORY
from tests.tables.played import Played
from tests.tables.pot_cases import CASES as OF_POTS
from tests.tables.stay_cases import CASES as OF_STAYS
from tests.turns import each

Case = Callable[[Played, pytest.MonkeyPatch], Any]
NOBODY = uuid4()
FOLDS = taps(b1={"result": "fold"}, b2={"result": "fold"})
GREAT = taps(b1={"play": 4, "result": "win", "hand": "straight_flush"}, b2={"result": "fold"})


def at(f: Played, command: str, **values: object) -> Any:
    """A command of the pit, at the linked table unless another is named."""
    where = {"house_id": f.house.pk, "table_id": f.table.pk, "actor_id": f.reto.pk}
    return done(getattr(services, command), **where | values)


def on(f: Played, command: str, round_id: object, **values: object) -> Any:
    """A command of the croupier to a round."""
    return done(
        getattr(services, command), **{"house_id": f.house.pk, "round_id": round_id, "person_id": f.martina.pk} | values
    )


def create(f: Played, **values: object) -> Any:
    usual = {"pit_id": f.pit.pk, "name": "UTH 9", "game": "uth", "boxes": 7, "posted": POSTED}
    return done(services.table_create, house_id=f.house.pk, **usual | values)


def alter(f: Played, **values: object) -> Any:
    """Ask for another table than it is."""
    set_up = set_up_of(newest_version(f.table))._replace(**values)
    by = {"reason": "moved", "requester_id": f.reto.pk}
    return done(services.table_change_request, house_id=f.house.pk, table_id=f.table.pk, set_up=set_up, **by)


def retired(f: Played, _patch: pytest.MonkeyPatch) -> None:
    table = create(f)
    set_up = set_up_of(newest_version(table))._replace(retired=True)
    at(f, "table_change", table_id=table.pk, set_up=set_up)
    at(f, "table_open", table_id=table.pk, croupier_id=f.nora.pk)


def fund(f: Played, **values: object) -> Any:
    usual = {"name": "Second", "progressive": "Bad Ragaz Progressive", "funding": "Bad Ragaz Progressive"}
    return done(jackpot_create, house_id=f.house.pk, **usual | values)


def set_offline(f: Played, jackpot_id: object, offline: str = "stop") -> Any:
    return done(jackpot_parameters_set, house_id=f.house.pk, jackpot_id=jackpot_id, offline_linked=offline)


def other(f: Played, stakes: object = None, **values: object) -> Any:
    """A lock at the table that is not linked, where no round runs."""
    guests = list(Guest.objects.filter(session__table=f.other).order_by("box"))
    usual = {"table_id": f.other.pk, "croupier_id": f.nora.pk}
    return f.lock(stakes_for(guests[:2]) if stakes is None else stakes, **usual | values)


def stop(f: Played) -> None:
    where = {"house_id": f.house.pk, "jackpot_id": f.jackpot.pk}
    done(jackpot_close, **where, reason="end of the evening", actor_id=f.reto.pk)


def free(f: Played) -> None:
    """No round runs any more."""
    on(f, "round_void", f.locked, reason="misdeal", person_id=f.reto.pk)


def closed_day(f: Played, patch: pytest.MonkeyPatch) -> None:
    at(f, "table_close", table_id=f.other.pk, reason="the end")
    patch.setattr(sessions, "evening", lambda calendar, day, zone: None)
    at(f, "table_open", table_id=f.other.pk, croupier_id=f.nora.pk)


def before_hours(f: Played, patch: pytest.MonkeyPatch) -> None:
    at(f, "table_close", table_id=f.other.pk, reason="the end")
    began = house_now(house_id=f.house.pk).moment
    patch.setattr(sessions, "evening", lambda calendar, day, zone: Evening(*[began + timedelta(hours=1)] * 4))
    at(f, "table_open", table_id=f.other.pk, croupier_id=f.nora.pk)


def day_over(f: Played, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lock, "_CONTEXT", lock._CONTEXT + """::jsonb || '{"day": "2126-01-01"}'""")
    other(f)


def hours_over(f: Played, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lock, "_CONTEXT", lock._CONTEXT + """::jsonb || '{"now": "2126-01-01T12:00:00+00:00"}'""")
    other(f)


def posted_missing(f: Played, patch: pytest.MonkeyPatch) -> None:
    table = create(f, posted=POSTED | {"blind": "No such"})
    at(f, "table_open", table_id=table.pk, croupier_id=f.nora.pk)


def house_not_ready(f: Played, patch: pytest.MonkeyPatch) -> None:
    table = create(f)
    at(f, "table_link", table_id=table.pk, jackpot_id=f.jackpot.pk)
    at(f, "table_open", table_id=table.pk, croupier_id=f.nora.pk, prize_lacks="both")


def not_open(f: Played, patch: pytest.MonkeyPatch) -> None:
    free(f)
    stop(f)
    f.lock(stakes_for(f.guests[:2]))


def no_display(f: Played, patch: pytest.MonkeyPatch) -> None:
    at(f, "table_link", table_id=f.other.pk, jackpot_id=second_jackpot(f.house).pk)
    guests = list(Guest.objects.filter(session__table=f.other).order_by("box"))
    played = other(f)  # without a coin it plays
    on(f, "round_void", UUID(played["id"]), reason="misdeal", person_id=f.reto.pk)
    other(f, stakes_for(guests[:2], coins=1))


def reopen_late(f: Played, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(undo, "_AGE", "SELECT 5001 WHERE %s IS NOT NULL")
    on(f, "round_reopen", f.locked)


def withdraw_late(f: Played, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(undo, "_AGE", "SELECT 30001 WHERE %s IS NOT NULL")
    on(f, "round_withdraw", f.locked, table_id=f.table.pk)


def stands(f: Played, patch: pytest.MonkeyPatch) -> None:
    """A result of it came in, and was refused."""
    sent = {"kind": "settle", "payload": {"result": FOLDS}, "refused": errors.CroupierWrong(), "person_id": f.nora.pk}
    done(services.review_item_record, house_id=f.house.pk, table_id=f.table.pk, round_id=f.locked, **sent)
    on(f, "round_withdraw", f.locked, table_id=f.table.pk, supervisor=True)


def cards_out(f: Played, patch: pytest.MonkeyPatch) -> None:
    """The shoe has read a card: neither withdrawn nor reopened, and not by the pit either."""
    done(services.card_feed_record, house_id=f.house.pk, round_id=f.locked, cards={"boxes": {"1": "As"}})
    patch.setattr(undo, "_AGE", "SELECT 0 WHERE %s IS NOT NULL")
    with pytest.raises(errors.CardsOut):
        on(f, "round_reopen", f.locked)
    on(f, "round_withdraw", f.locked, table_id=f.table.pk, supervisor=True)


def against_feed(f: Played, patch: pytest.MonkeyPatch) -> None:
    board = {"board": "2h 5h 9d Jc Qs"}
    done(services.card_feed_record, house_id=f.house.pk, round_id=f.locked, cards=board | {"dealer": "As Ks"})
    patch.setattr(settle, "_most_at_stake", lambda _ended: 1_000_000)
    result = FOLDS | board | {"dealer": "2c 3d"}
    prepared = services.round_evaluate(house_id=f.house.pk, round_id=f.locked, result=result)
    done(services.round_settle, prepared=prepared, person_id=f.reto.pk, supervisor=True, reason="seen on camera")


def void_much(f: Played, patch: pytest.MonkeyPatch) -> None:
    done(services.card_feed_record, house_id=f.house.pk, round_id=f.locked, cards={"dealer": "As Ks"})
    patch.setattr(against_feeds, "at_stake", lambda _record: 1_000_000)
    on(f, "round_void", f.locked, reason="misdeal", person_id=f.reto.pk)


def changed(f: Played, patch: pytest.MonkeyPatch) -> None:
    prepared = services.round_evaluate(house_id=f.house.pk, round_id=f.locked, result=FOLDS)
    f.settle(f.locked, FOLDS)
    done(services.round_settle, prepared=prepared, person_id=f.martina.pk)


def went_wrong(f: Played, **changes: object) -> None:
    values = {"round_id": f.locked, "kind": "misdeal", "decision": "void", "reason": "dealt twice"}
    on(f, "irregularity_record", **(values | changes))


def overrule(f: Played, box: int = 1) -> None:
    paid = {"box": box, "guest_id": f.guests[0].pk, "amount_minor": 500, "reason": "goodwill"}
    on(f, "override_request", f.settled, **paid, person_id=f.reto.pk)


def ask_again(f: Played, patch: pytest.MonkeyPatch) -> None:
    """While a colleague's request is open."""
    lost = taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"})
    for person in (f.reto, f.ines):
        prepared = services.round_evaluate(house_id=f.house.pk, round_id=f.settled, result=lost, state="settled")
        done(services.round_correction_request, prepared=prepared, person_id=person.pk, reason="mistyped")


def queue(f: Played, patch: pytest.MonkeyPatch, *, offline: str = "stop") -> None:
    free(f)
    set_offline(f, f.jackpot.pk, offline)
    f.lock(stakes_for(f.guests[:2], coins=1), queued=True)


def clarified(f: Played, patch: pytest.MonkeyPatch) -> None:
    values = {"house_id": f.house.pk, "clarify_id": f.late.pk, "reason": "seen", "actor_id": f.reto.pk}
    for _ in range(2):
        done(services.review_item_dismiss, **values, never_played=True)


def round_over(f: Played, patch: pytest.MonkeyPatch) -> None:
    """The result of a round whose lock was taken back at once."""
    patch.setattr(undo, "_AGE", "SELECT 0 WHERE %s IS NOT NULL")
    on(f, "round_reopen", f.locked)
    values = {"house_id": f.house.pk, "table_id": f.table.pk, "round_id": f.locked, "kind": "settle"}
    late = errors.RoundState(state="reopened")
    kept = done(services.review_item_record, **values, payload={"result": FOLDS}, refused=late, person_id=f.nora.pk)
    done(services.review_item_take, house_id=f.house.pk, clarify_id=kept.pk, reason="seen", actor_id=f.reto.pk)


def message(f: Played, patch: pytest.MonkeyPatch, bound: str) -> None:
    """Where none is let wait."""
    patch.setattr(review, bound, 0)
    values = {"house_id": f.house.pk, "table_id": f.table.pk, "round_id": f.voided, "kind": "settle"}
    late = errors.RoundState(state="voided")
    done(services.review_item_record, **values, payload={"result": FOLDS}, refused=late, person_id=f.nora.pk)


def booked(f: Played, patch: pytest.MonkeyPatch | None = None, **values: Any) -> None:
    """A lock that was refused at first, and came through when it was sent again."""
    values = {"house_id": f.house.pk, "table_id": f.other.pk, "round_id": f.plain, "kind": "lock"} | values
    stakes = stakes_for(list(Guest.objects.filter(session__table=f.other).order_by("box")[:2]))
    refused = errors.RoundRunning()
    kept = done(services.review_item_record, **values, payload={"stakes": stakes}, refused=refused, person_id=f.nora.pk)
    done(services.review_item_dismiss, house_id=f.house.pk, clarify_id=kept.pk, reason="seen", actor_id=f.reto.pk)


def booked_otherwise(f: Played, patch: pytest.MonkeyPatch) -> None:
    values = {"house_id": f.house.pk, "table_id": f.other.pk, "round_id": uuid4(), "person_id": f.nora.pk}
    values["stakes"] = stakes_for(list(Guest.objects.filter(session__table=f.other).order_by("box")[:2]))
    for box_1 in ({"result": "fold"}, {"play": 1, "result": "lose"}):
        done(services.round_take_queued, **values, result=taps(b1=box_1, b2={"result": "fold"}))


def placed_otherwise(f: Played, patch: pytest.MonkeyPatch) -> None:
    values = {
        "house_id": f.house.pk,
        "table_id": f.other.pk,
        "round_id": uuid4(),
        "person_id": f.nora.pk,
        "result": FOLDS,
    }
    values["stakes"] = stakes_for(list(Guest.objects.filter(session__table=f.other).order_by("box")[:2]))
    for placed in ([], [{"box": 1, "act": "double"}]):
        done(services.round_take_queued, **values, placed=placed)


def not_newest(f: Played, patch: pytest.MonkeyPatch) -> None:
    """As if the game of the round let something come after the lock."""
    guest = f.guests[0]
    stake = {"house": f.house, "round_id": f.locked, "box": 1, "guest": guest, "source": guest, "kind": "double_1"}
    RoundStake.objects.create(**stake, placed=1, offered_minor=1500, accepted_minor=1500)
    on(f, "round_take_back", f.locked, placed=2)


def guests_unknown(f: Played, patch: pytest.MonkeyPatch) -> None:
    """A lock came with a guest of another table."""
    values = {"house_id": f.house.pk, "table_id": f.other.pk, "round_id": NOBODY, "kind": "lock"}
    stakes = stakes_for(f.guests[:1])
    refused = errors.RoundState(state="voided")
    late = done(services.review_item_record, **values, payload={"stakes": stakes}, refused=refused, person_id=f.nora.pk)
    done(services.review_item_take, house_id=f.house.pk, clarify_id=late.pk, reason="seen", actor_id=f.reto.pk)


CASES: dict[type[Refused], Case] = {
    errors.PitUnknown: lambda f, _: create(f, pit_id=NOBODY),
    errors.TableUnknown: lambda f, _: f.lock([], table_id=NOBODY),
    errors.GuestUnknown: lambda f, _: other(f, stakes_for(f.guests[:2])),
    errors.CroupierUnknown: lambda f, _: at(f, "table_hand_over", croupier_id=f.tim.pk),
    errors.NameRefused: lambda f, _: create(f, name="UTH 1"),
    errors.LayoutRefused: lambda f, _: create(f, boxes=0),
    errors.PostedNamesRefused: lambda f, _: create(f, posted={}),
    errors.PostedMissing: posted_missing,
    errors.TableClosed: lambda f, _: (at(f, "table_close", table_id=f.other.pk, reason="the end"), other(f)),
    errors.TableOpen: lambda f, _: at(f, "table_open", croupier_id=f.nora.pk),
    errors.DayClosed: closed_day,
    errors.HoursClosed: before_hours,
    errors.DayOver: day_over,
    errors.HoursOver: hours_over,
    errors.LevelUnknown: lambda f, _: at(f, "table_entry_level_set", entry_level="guess"),
    errors.LevelNeedsJackpot: lambda f, _: at(f, "table_entry_level_set", table_id=f.other.pk, entry_level="jackpot_only"),
    errors.HouseNotReady: house_not_ready,
    errors.TabletSilent: lambda f, _: at(f, "table_close", table_id=f.other.pk, silent_since=datetime.now(UTC)),
    errors.TabletUnsent: lambda f, _: at(f, "table_close", table_id=f.other.pk, unsent=3),
    errors.ClarifyOpen: lambda f, _: at(f, "table_close", table_id=f.other.pk),
    errors.TableUnchanged: lambda f, _: alter(f),
    errors.TableLinked: lambda f, _: alter(f, retired=True),
    errors.TableOpened: lambda f, _: at(f, "table_change", set_up=set_up_of(newest_version(f.table))),
    errors.TableRetired: retired,
    errors.RoundRunning: lambda f, _: at(f, "table_close"),
    errors.CroupierWrong: lambda f, _: f.settle(f.locked, FOLDS, person_id=f.nora.pk),
    errors.BoxOutside: lambda f, _: f.seat(f.table, 8),
    errors.BoxOwned: lambda f, _: f.seat(f.table, 1),
    errors.SeatWithoutBox: lambda f, _: f.seat(f.table, None, seated=True),
    errors.StakesWrong: lambda f, _: other(f, [{"box": 1}]),
    errors.StakeWrong: lambda f, _: other(f, [one | {"box": 100} for one in stakes_for(f.guests[:1])]),
    errors.TooManyStakes: lambda f, _: other(f, [{}] * 201),
    errors.RoundUnknown: lambda f, _: on(f, "round_reopen", NOBODY),
    errors.RoundTaken: lambda f, _: other(f, round_id=f.settled),
    errors.RoundBooked: booked_otherwise,
    errors.RoundPlacedOtherwise: placed_otherwise,
    errors.NothingPlaced: lambda f, _: on(f, "round_take_back", f.locked, placed=1),
    errors.NotNewestStake: not_newest,
    errors.RoundWithdrawn: lambda f, _: f.lock(stakes_for(f.guests[:1]), f.withdrawn),
    errors.RoundState: lambda f, _: on(f, "round_void", f.settled, reason="misdeal"),
    errors.ReopenLate: reopen_late,
    errors.WithdrawLate: withdraw_late,
    errors.CardsOut: cards_out,
    errors.RoundStands: stands,
    errors.FeedNeedsSecond: against_feed,
    errors.VoidNeedsSecond: void_much,
    errors.VoidByDealer: lambda f, _: on(f, "round_void", f.locked, reason="misdeal", person_id=f.martina.pk),
    errors.ApprovalNeeded: lambda f, _: f.correct(f.settled, taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"})),
    errors.WinNeedsSecond: lambda f, _: f.settle(other(f)["id"], GREAT, supervisor=True, entered="office"),
    errors.CorrectionWaits: ask_again,
    errors.RoundChanged: changed,
    errors.IrregularityUnknown: lambda f, _: went_wrong(f, kind="bank_surplus"),
    errors.DecisionNotAllowed: lambda f, _: went_wrong(f, decision="kept"),
    errors.IrregularityBoxWrong: lambda f, _: went_wrong(f, box=1),
    errors.IrregularityHandWrong: lambda f, _: went_wrong(f, hand=1),
    errors.IrregularityLate: lambda f, _: went_wrong(f, round_id=f.settled),
    errors.OverrideStakeless: lambda f, _: overrule(f, box=7),
    errors.RoundRequestWaits: lambda f, _: (overrule(f), overrule(f)),
    errors.QueuedStopped: queue,
    errors.QueuedCoins: lambda f, patch: queue(f, patch, offline="play_flagged"),
    errors.ClarifyUnknown: lambda f, _: done(
        services.review_item_take, house_id=f.house.pk, clarify_id=NOBODY, reason="seen", actor_id=f.reto.pk
    ),
    errors.ClarifyClosed: clarified,
    errors.ClarifyRepeated: lambda f, patch: message(f, patch, "OF_ROUND_MOST"),
    errors.ClarifyFull: lambda f, patch: message(f, patch, "AT_TABLE_MOST"),
    errors.ClarifyNoneIdle: lambda f, _: at(f, "review_items_close", reason="cannot be read"),
    errors.ClarifyGuestsUnknown: guests_unknown,
    errors.ClarifyRoundOver: round_over,
    errors.ClarifyBooked: booked,
    errors.ClarifyPlayed: lambda f, _: booked(f, round_id=uuid4()),
    of_jackpot.JackpotUnknown: lambda f, _: at(f, "table_link", jackpot_id=NOBODY),
    of_jackpot.JackpotNotOpen: not_open,
    of_jackpot.DisplayMissing: no_display,
    of_jackpot.JackpotNameTaken: lambda f, _: fund(f, name="Progressive"),
    of_jackpot.JackpotPostedMissing: lambda f, _: fund(f, funding="No such"),
    of_jackpot.OfflineUnknown: lambda f, _: set_offline(f, f.jackpot.pk, "pray"),
    of_jackpot.RoundsRunning: lambda f, _: set_offline(f, f.jackpot.pk),
} | OF_STAYS | OF_POTS | OF_CASH | OF_COUNTS | OF_DIFFERENCES | OF_DROPS | OF_INVENTORY  # fmt: skip
# Refusals of issues to come are named here, each with its reason. None now.
LATER: set[type[Refused]] = set()


def everything() -> dict[str, tuple[int, str]]:
    """By table the number of its rows and a digest of all that stands in them."""
    rows = {}
    with connection.cursor() as cursor:
        for table in sorted(model._meta.db_table for model in apps.get_models()):
            cursor.execute(f"SELECT count(*), md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {table} t")
            rows[table] = cursor.fetchone()
    return rows


@pytest.mark.parametrize("refusal", CASES)
def test_refused_with_its_code_and_nothing_written(played, refusal, monkeypatch):
    """What a case needs done beforehand is done by commands too; only the last one of them is refused."""
    seen: list[dict[str, tuple[int, str]]] = []

    def watched(work: Callable[..., Any], **values: object) -> Any:
        seen.append(everything())
        with transaction.atomic():
            return work(**values)

    monkeypatch.setattr("tests.floor.done", watched)
    monkeypatch.setitem(globals(), "done", watched)
    with transaction.atomic():
        with pytest.raises(refusal) as refused:
            CASES[refusal](played, monkeypatch)
        assert everything() == seen[-1]
        transaction.set_rollback(True)
    assert (type(refused.value), refused.value.code) == (refusal, refusal.code)
    assert "%(" not in refused.value.text()


def test_every_refusal_has_a_case():
    declared = {
        one
        for module in (errors, of_jackpot)
        for one in vars(module).values()
        if isinstance(one, type)
        and issubclass(one, Refused)
        and one.__module__.startswith(f"{module.__name__}.")
        and "sentence" in vars(one)
    }
    assert declared == {*CASES} | {*OF_HITS} | LATER
    codes = [one.code for one in declared]
    assert len(codes) == len({*codes})


@each("position", [-1, 32_768, "1", None, True, 1.0])
def test_place_in_an_order_is_a_small_whole_number(played, position):
    with transaction.atomic():
        for make in (lambda: done(services.pit_create, house_id=played.house.pk, name="Pit 9", position=position),
                     lambda: create(played, position=position)):  # fmt: skip
            with pytest.raises(DataRefused):
                make()
        transaction.set_rollback(True)


def test_jackpot_of_another_house_is_not_even_waited_for(played, monkeypatch):
    """Its lock is not taken: nobody holds up another house's tables."""
    asked = []
    monkeypatch.setattr("jackpot.services.parameters.jackpot_exclude", asked.append)
    monkeypatch.setattr("tables.services.floor.tables.jackpot_exclude", asked.append)
    with transaction.atomic():
        for refused in (lambda: set_offline(played, NOBODY), lambda: at(played, "table_link", jackpot_id=NOBODY)):
            with pytest.raises(of_jackpot.JackpotUnknown):
                refused()
        transaction.set_rollback(True)
    assert asked == []


# What no rule of the games decides: who there is, what was typed, who may do it, what waits, what another command did meanwhile.
WITHOUT_RULE = {
    *("poker.hand_running", "poker.no_hand_runs", "poker.number_taken"),
    *("clarify.full", "clarify.none_idle", "clarify.repeated"),
    *(
        "clarify.booked",
        "clarify.closed",
        "clarify.played",
        "clarify.round_over",
        "clarify.guests_unknown",
        "clarify.unknown",
    ),
    *(
        "pit.unknown",
        "round.unknown",
        "table.unknown",
        "table.croupier_unknown",
        "table.game_unknown",
        "table.level_unknown",
        "table.no_rounds",
    ),
    *("table.layout_refused", "table.level_needs_jackpot", "table.name_taken", "table.posted_names_refused"),
    *("round.croupier_wrong", "round.approval_needed", "round.changed", "round.correction_waits"),
    *("table.unchanged", "table.linked", "table.opened_before", "table.retired"),
    *("table.open", "table.round_running", "round.state_refused", "poker.stays_there"),
    *(f"poker.{code}" for code in ("hand_unknown", "hand_taken", "hand_voided", "hand_dismissed", "hand_wrong")),
    *("poker.revision_old", "poker.approval_needed", "poker.level_other", "poker.correction_unknown"),
    "count.unknown",
    *("round.level_refused", "round.too_many_stakes", "round.void_by_dealer"),
}


def test_every_refusal_of_the_floor_names_its_rule_or_has_none():
    """The other way round too: what stands in the list has none, and there is no other."""
    found = [one for one in refusals() if one.__module__.startswith("tables.")]
    assert {one.code for one in found if one.rule is None} == WITHOUT_RULE
    assert len(found) > len(WITHOUT_RULE) + 30
