"""Black Jack stands in the list: its rule set is posted, its table set up, opened, locked, settled, corrected and shown."""

import re
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.utils import translation

from casino.games.blackjack import screens as blackjack
from casino.pit.rounds.show import details
from casino.records.descriptions import data_text
from casino.tablet.surface import RELATED, game_data, versions_now
from casino.tablet.works import works_at
from casino.text.floor import drawn_cards
from payouts.models import Approval, PostedTable
from payouts.rules.ledger import recipes
from payouts.rules.rulesets.schema import Posted
from tables import services
from tables.models import Guest, ReviewItem, Round, RoundStake, Table
from tables.rules.floor import FloorRules
from tables.selectors.sessions import round_parts
from tests.casino.api.callers import Callers
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.cast import post
from tests.floor import POSTED, done
from tests.tables.audits import breached_here
from tests.worlds import world

NAMES = {kind: POSTED[kind] for kind in ("floor_rules", "calendar")}
NAMES |= {"box_limits": "Box 10–500", "blackjack_rules": "Black Jack"}


class Desk(FloorDesk):
    """A floor with an open table of Black Jack (box maximum 500 francs, in tens), and people at its pages. Croupiers put right
    alone what wins less than 10 000.
    """

    posted: ClassVar[dict[str, Posted]] = {"floor_rules": FloorRules(approval_from_minor=1_000_000, undo_s=300)}

    def __init__(self) -> None:
        super().__init__(linked=False)
        values = {"house_id": self.house.pk, "pit_id": self.pit.pk, "game": "blackjack", "boxes": 7, "posted": NAMES}
        self.jack = done(services.table_create, **values, name="Black Jack 1")
        post(self.house, "fill", recipes.fill(10_000_000), owners={"house": self.house.pk, "table": self.jack.pk})
        self.owner = self.open(self.jack)[0]  # of box 1

    def lies(self) -> list[dict[str, Any]]:
        return [{"box": 1, "guest": str(self.owner.pk), "kind": "stake", "amount_minor": 10_000}]

    def sit(self, box: int | None = None, **place: object) -> Guest:
        return self.seat(self.jack, box, **place)

    def paper(self, path: str) -> str:
        """A page of posted tables."""
        response = self.clients["tech"].get(f"/posted-tables/{path}", headers={"accept-language": "en"})
        assert response.status_code == 200, path
        return response.content.decode()


pytestmark = world(Desk)


def answered(got: tuple[int, Any]) -> dict[str, Any]:
    """What a command answered."""
    status, body = got
    assert status == 200, body
    return body["answer"]


def hands(*results: str, bank: str, **more: object) -> dict[str, Any]:
    """A result of box 1 by taps."""
    return {"bank": bank, "boxes": {"1": {"hands": [{"result": one} for one in results]}}} | more


def test_two_guests_above_the_maximum_are_cut_settled_and_corrected_over_http(desk: Desk) -> None:
    """PRM-1 to PRM-3 at the lock; what is paid is in the books, before and after the correction."""
    owner, other, round_id = desk.owner, desk.sit(distance=1), uuid4()
    both = [{"box": 1, "guest": str(guest.pk), "kind": "stake", "amount_minor": 30_000} for guest in (owner, other)]
    tablet = Callers(desk).at_tablet(desk.jack, desk.martina)
    locked = answered(tablet.post(f"tables/{desk.jack.pk}/rounds/{round_id}/lock/", {"stakes": both}))
    left = {one["guest"]: (one["accepted_minor"], one["rule"]) for one in locked["stakes"]}
    assert left == {str(owner.pk): (30_000, "BOX-3"), str(other.pk): (20_000, "PRM-3")}

    address = f"rounds/{round_id}/settle/"
    refusals = {
        "blackjack.outcome_missing": {"bank": "20", "boxes": {}},
        "blackjack.taps_impossible": hands("push", bank="bust"),
        "blackjack.hand_unknown": hands("win", "win", bank="20"),
        "round.result_wrong": {"board": "As Kd"},
    }
    for code, wrong in refusals.items():
        status, refused = tablet.post(address, {"result": wrong})
        assert (status, refused["code"]) == (422, code)
    settled = answered(tablet.post(address, {"result": hands("blackjack", bank="20")}))
    won = {one["guest"]: (one["won_minor"], one["code"]) for one in settled["lines"]}
    assert won == {
        str(owner.pk): (45_000, "blackjack.blackjack_won"),
        str(other.pk): (30_000, "blackjack.blackjack_won"),
    }
    assert breached_here() == {}

    pushed = {"result": hands("push", bank="20"), "reason": "a nine, no ten", "revision": 1}
    assert answered(tablet.post(f"rounds/{round_id}/correct/", pushed))["revision"] == 2
    assert [one.code for one in Round.objects.get(pk=round_id).lines.filter(revision=2)] == ["blackjack.push"] * 2
    assert breached_here() == {}


def test_its_rules_are_drafted_its_table_is_set_up_and_its_rounds_are_shown(desk: Desk) -> None:
    page = desk.paper("new/blackjack_rules/")
    assert "Bank draws on a soft 17" in page
    page = desk.paper(f"{PostedTable.objects.get(kind='blackjack_rules').pk}/")
    assert "Hands of a box, at most" in page
    fields = {"name": "Black Jack 2", "game": "blackjack", "boxes": 7, "pit": desk.pit.pk}
    desk.post("tech", "set-up/table/", **fields, **NAMES)
    made = Table.objects.get(name="Black Jack 2")
    desk.post("boss", f"tables/{made.pk}/open/", croupier=desk.nora.pk, entry_level="fast")
    assert set(Table.objects.get(pk=made.pk).session.versions) == {*NAMES}

    lies = [{"box": 1, "guest": str(desk.owner.pk), "kind": "stake", "amount_minor": 10_000}]
    round_id = desk.lock(lies, table_id=desk.jack.pk)["id"]
    table = Table.objects.select_related(*RELATED).get(pk=desk.jack.pk)
    rules = game_data(table, versions_now(table, Round.objects.get(pk=round_id)))
    limits = {"minimum": 1_000, "maximum": 50_000, "step": 1_000, "bands": [{"from": 0, "step": 1_000}]}
    keys = [1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 30_000, 50_000]
    limits |= {"minimum_per": "stake", "partial": "cut", "chips": keys}
    assert (rules["code"], rules["limits"]) == ("blackjack", {"stake": limits})
    assert works_at(table.session.croupier, table)
    said = desk.post("boss", f"rounds/{round_id}/settle/", 422, bank="21", result__1__1="win")
    assert "cannot be “a win” when the bank is “21”" in said
    desk.post("boss", f"rounds/{round_id}/settle/", bank="bust", result__1__1="win")
    told = words(desk.get("boss", f"rounds/{round_id}/").partition('<dl class="told">')[2].partition("</dl>")[0])
    assert told.strip() == "Bank bust Box 1 a win"
    page = words(desk.get("boss", f"rounds/{round_id}/")).replace("\xa0", " ")
    assert "Higher than the bank: paid 1:1." in page
    assert "CHF 200.00" in page


def test_a_supervisor_enters_a_round_hand_by_hand(desk: Desk) -> None:
    """By cards, with the hands that lie there and what was doubled; what counts stands in the form that puts it right."""
    lies = [{"box": 2, "guest": str(desk.owner.pk), "kind": "stake", "amount_minor": 10_000}]
    round_id = desk.lock(lies, table_id=desk.jack.pk)["id"]
    placing = {"house_id": desk.house.pk, "round_id": round_id, "person_id": desk.martina.pk}
    for act in ({"act": "split"}, {"act": "double", "hand": 2}):
        done(services.round_place, **placing, placement={"box": 2, "guest": str(desk.owner.pk)} | act)
    typed = {"bank_cards": "10h, 8d", "cards__2__1": "8s 10c", "cards__2__2": "8h 3c 9♠"}
    desk.post("boss", f"rounds/{round_id}/settle/", **typed)
    lines = Round.objects.get(pk=round_id).lines.order_by("id")
    assert [(one.kind, one.code) for one in lines] == [
        ("stake", "blackjack.push"),
        ("split_2", "blackjack.won"),
        ("double_2", "blackjack.won"),
    ]
    page = desk.get("boss", f"rounds/{round_id}/")
    fields = dict(re.findall(r'name="([\w.]+)" value="([^"]*)"', page))
    entered = {"bank_cards": "Th 8d", "cards.2.1": "8s Tc", "cards.2.2": "8h 3c 9s"}
    assert {name: value for name, value in fields.items() if "cards" in name} == entered
    assert 'name="doubled_result.2.2"' in page
    assert 'name="doubled_result.2.1"' not in page


def test_a_hand_of_a_box_is_called_what_its_tablet_calls_it(desk: Desk) -> None:
    """BJ-7: in German and Italian the cards that make a poker hand have another name."""
    round_id = UUID(desk.lock(desk.lies(), table_id=desk.jack.pk)["id"])
    split = {"box": 1, "guest": str(desk.owner.pk), "act": "split"}
    done(services.round_place, house_id=desk.house.pk, round_id=round_id, person_id=desk.martina.pk, placement=split)
    round_, parts = Round.objects.get(pk=round_id), round_parts(round_id=round_id)
    names = {
        "de": "Hand 2: Ergebnis",
        "en": "Hand 2: Result",
        "fr": "Main 2\u202f: Résultat",
        "it": "Mano 2: Risultato",
    }
    for language, name in names.items():
        with translation.override(language):
            field = blackjack.form(round_, parts, "settle", {})["result.1.2"]
            told = blackjack.result_description(hands("win", "lose", bank="20"))
        assert field.label == name
        assert told.hands[1].label == f"Box 1 · {name[:6]}"


def test_the_same_card_of_two_decks_is_drawn_twice(desk: Desk) -> None:
    """BJ-1: six decks have it six times; pit and auditor see the round, also one that is to be clarified."""
    tablet, result = Callers(desk).at_tablet(desk.jack, desk.martina), {"bank_cards": "Td 7d"}
    result |= {"boxes": {"1": {"hands": [{"cards": "8h 8h 3c"}]}}}
    round_id = desk.lock(desk.lies(), table_id=desk.jack.pk)["id"]
    sent = {"round": str(uuid4()), "stakes": desk.lies(), "placed": [], "result": result}
    [queued] = tablet.post(f"tables/{desk.jack.pk}/queued-rounds/", {"rounds": [sent]})[1]["rounds"]
    desk.settle(UUID(round_id), result)
    for who, page in (
        ("boss", f"/floor/rounds/{round_id}/"),
        ("auditor", f"/audit/rounds/{round_id}/"),
        ("boss", f"/floor/to-clarify/{queued['to_clarify']['id']}/"),
    ):
        shown = desk.clients[who].get(page, headers={"accept-language": "en"}).content.decode()
        assert shown.count("Eight of hearts") == 2, page
    assert drawn_cards("8h " * 53) == []


def test_a_later_stake_that_a_correction_takes_off_is_the_one_that_falls_away(desk: Desk) -> None:
    """BJ-6, BOX-5: a guest doubles for two others; the one that stays is told with what it stands for."""
    owner, first, second, pays = desk.owner, desk.sit(distance=1), desk.sit(distance=2), desk.sit(distance=3)
    laid = ((owner, 5_000), (first, 10_000), (second, 20_000))
    lies = [{"box": 1, "guest": str(guest.pk), "kind": "stake", "amount_minor": amount} for guest, amount in laid]
    round_id = UUID(desk.lock(lies, table_id=desk.jack.pk)["id"])
    by, double = {"house_id": desk.house.pk, "round_id": round_id, "person_id": desk.martina.pk}, {"act": "double"}
    done(services.round_place, **by, placement=double | {"box": 1, "guest": str(owner.pk)})
    for other in (first, second):
        for_other = double | {"box": 1, "guest": str(pays.pk), "instead_of": str(other.pk)}
        done(services.round_place, **by, placement=for_other)
    desk.settle(round_id, hands("win", bank="20"))
    sent = {"revision": 1, "reason": "seen on camera 4", "bank": "20", "result.1.1": "win", "off.2": "on"}
    desk.post("boss", f"rounds/{round_id}/correct/", **sent)
    asked = Approval.objects.get(action="round.correct", subject_id=str(round_id))
    seen = {"approval": asked.pk, "seen": bytes(asked.payload_hash).hex(), "secret": desk.pin("second")}
    desk.post("second", f"rounds/{round_id}/sign/", **seen)
    rows = details(Round.objects.get(pk=round_id), desk.people["boss"]).lines
    assert [
        (row.stake_minor, [cell and cell.paid_minor for cell in (*row.struck, row.now)])
        for row in rows
        if row.guest == f"Guest {pays.number}"
    ] == [(10_000, [20_000, None]), (20_000, [40_000, 40_000])]


def test_what_was_taken_back_and_whose_stake_it_goes_with_stand_on_the_rounds_page(desk: Desk) -> None:
    """BOX-5: one line for a pair, for the pit and for the auditor, who sees both acts beside it."""
    owner, other, new = desk.owner, desk.sit(distance=1), desk.sit(distance=2)
    lies = [{"box": 1, "guest": str(guest.pk), "kind": "stake", "amount_minor": 10_000} for guest in (owner, other)]
    round_id = UUID(desk.lock(lies, table_id=desk.jack.pk)["id"])
    by = {"house_id": desk.house.pk, "round_id": round_id, "person_id": desk.martina.pk}
    mine, his = {"box": 1, "guest": str(owner.pk)}, {"box": 1, "guest": str(other.pk)}
    for_him = {"box": 1, "guest": str(new.pk), "act": "double", "instead_of": his["guest"]}
    for sent in (mine | {"act": "split"}, mine | {"act": "double"}, for_him, his | {"act": "split"}):
        done(services.round_place, **by, placement=sent)
    done(services.round_take_back, **by, placed=4)
    ends = ((owner, "CHF 100.00 –"), (other, "CHF 0.00 CHF 100.00"))
    back = f"Guest {other.number} has this stake back: it was placed after the lock by mistake. BOX-5"
    with_stake = f"1 Guest {new.number} Double with the stake of Guest {other.number} CHF 100.00 –"
    page = words(desk.get("boss", f"rounds/{round_id}/")).replace("\xa0", " ")
    audit = desk.clients["auditor"].get(f"/audit/rounds/{round_id}/", headers={"accept-language": "en"})
    record = words(audit.content.decode()).replace("\xa0", " ")
    for said in (page, record):
        stood, went = (f"1 Guest {guest.number} Stake of hand 2 {row}" for guest, row in ends)
        assert [said.count(text) for text in (back, with_stake, stood, went)] == [1, 1, 1, 1], said
    assert record.count("Round: stake after the lock taken back") == 1


def test_correction_with_its_stakes_is_read_signed_and_stands_revision_by_revision(desk: Desk) -> None:
    """BOX-5: who signs reads what should have come after the lock; pit and auditor see what came and fell away with it."""
    owner, round_id = desk.owner, UUID(desk.lock(desk.lies(), table_id=desk.jack.pk)["id"])
    mine = {"box": 1, "guest": str(owner.pk)}
    by = {"house_id": desk.house.pk, "round_id": round_id, "person_id": desk.martina.pk}
    done(services.round_place, **by, placement=mine | {"act": "double"})
    desk.settle(round_id, hands("win", bank="bust"))
    tablet, split = Callers(desk).at_tablet(desk.jack, desk.martina), mine | {"act": "split", "cards": "8h 8d"}
    right = {"result": hands("win", "lose", bank="20"), "reason": "seen on camera 4", "placed": [split]}
    answered(tablet.post(f"rounds/{round_id}/correction-request/", right))
    page = words(desk.get("boss", f"rounds/{round_id}/")).replace("\xa0", " ")
    assert f"After the lock Box Guest What Stake 1 Guest {owner.number} splits –" in page
    asked = Approval.objects.get(action="round.correct", subject_id=str(round_id))
    seen = {"approval": asked.pk, "seen": bytes(asked.payload_hash).hex(), "secret": desk.pin("boss")}
    desk.post("boss", f"rounds/{round_id}/sign/", **seen)
    audit = desk.clients["auditor"].get(f"/audit/rounds/{round_id}/", headers={"accept-language": "en"})
    why = f"By the correction this stake of Guest {owner.number} did not lie there, and no longer counts. BOX-5"
    for said in (desk.get("boss", f"rounds/{round_id}/"), audit.content.decode()):
        text = words(said).replace("\xa0", " ")
        assert f"1 Guest {owner.number} Double revision 2 CHF 0.00 CHF 100.00 {why}" in text
        assert f"1 Guest {owner.number} Stake of hand 2 revision 2 CHF 100.00 –" in text
    assert 'name="result.1.2"' in desk.get("boss", f"rounds/{round_id}/")  # the form has the hands that lie there now
    assert breached_here() == {}

    none = {"result": hands("win", bank="20"), "reason": "seen on camera 5", "placed": []}
    assert answered(tablet.post(f"rounds/{round_id}/correction-request/", none))["payload"]["placed"] == []
    assert "No stake came after the lock." in words(desk.get("boss", f"rounds/{round_id}/"))


def test_supervisor_takes_a_later_stake_off_and_adds_what_was_forgotten(desk: Desk) -> None:
    """BOX-5, BJ-6, BJ-7: on the round's page; what is not touched stays, and is not placed anew."""
    owner, other = desk.owner, desk.sit(distance=1)
    lies = [{"box": 1, "guest": str(guest.pk), "kind": "stake", "amount_minor": 10_000} for guest in (owner, other)]
    round_id = UUID(desk.lock(lies, table_id=desk.jack.pk)["id"])
    by, mine = {"house_id": desk.house.pk, "round_id": round_id, "person_id": desk.martina.pk}, str(owner.pk)
    for act in ({"act": "insurance", "amount_minor": 5000, "bank": "Ah"}, {"act": "double"}):
        done(services.round_place, **by, placement={"box": 1, "guest": mine} | act)
    desk.settle(round_id, hands("win", bank="20"))
    page = desk.get("boss", f"rounds/{round_id}/")
    assert f"Box 1 · Guest {owner.number} · Double · CHF 100.00" in words(page).replace("\xa0", " ")
    where, sent = f"rounds/{round_id}/correct/", {"revision": 1, "reason": "seen on camera 4", "bank": "20"}
    sent |= {"result.1.1": "win", "off.2": "on"}
    split = {"act.1": "split", "box.1": "1", "guest.1": mine}
    follow = {"act.2": "split", "box.2": "1", "guest.2": str(other.pk), "source.2": ""}
    again = {"act.3": "double", "box.3": "1", "guest.3": mine, "hand.3": "2"}
    wrong = (
        ({"act.1": "split", "box.1": "", "guest.1": mine}, "“box” must be"),
        (split | {"off.2": ""}, "Hand 1 of box 1 was doubled: it has more than two cards."),
        (split | {"act.2": "insurance", "box.2": "1", "guest.2": mine, "amount.2": "50.01"}, "at most CHF 100.00"),
        (split | follow | {"act.2": "insurance", "amount.2": "1", "source.2": mine}, "own stakes only."),
        (split | follow | again, "Hand 2 of box 1 has no result."),  # and then the form has its fields
    )
    for more, said in wrong:
        page = desk.post("boss", where, REFUSED, **sent | more)
        assert said in words(page).replace("\xa0", " "), words(page)
    assert 'name="result.1.2"' in page
    assert "checked" in page[page.index('name="off.2"') :][:60]
    desk.post("boss", where, **sent | split | follow | again | {"result.1.2": "lose"})
    asked = Approval.objects.get(action="round.correct", subject_id=str(round_id))
    seen = {"approval": asked.pk, "seen": bytes(asked.payload_hash).hex(), "secret": desk.pin("second")}
    desk.post("second", f"rounds/{round_id}/sign/", **seen)
    rows = RoundStake.objects.filter(round_id=round_id, placed__gt=0).order_by("placed")
    assert [(one.kind, one.guest_id, one.takes_back, one.revision) for one in rows] == [
        ("insurance", owner.pk, None, 0), ("double_1", owner.pk, None, 0), ("double_1", owner.pk, 2, 2),
        ("split_2", owner.pk, None, 2), ("split_2", other.pk, None, 2), ("double_2", owner.pk, None, 2),
    ]  # fmt: skip
    assert breached_here() == {}


def test_a_later_stake_is_put_right_though_who_decided_has_left(desk: Desk) -> None:
    """BOX-5, PRM-2: the owner splits and leaves, who followed doubles; an insurance is taken off, and another one added."""
    owner, other = desk.owner, desk.sit(distance=1)
    lies = [{"box": 1, "guest": str(guest.pk), "kind": "stake", "amount_minor": 10_000} for guest in (owner, other)]
    round_id = UUID(desk.lock(lies, table_id=desk.jack.pk)["id"])
    by, his = {"house_id": desk.house.pk, "round_id": round_id, "person_id": desk.martina.pk}, str(other.pk)
    insured = {"box": 1, "guest": str(owner.pk), "act": "insurance", "amount_minor": 5000, "bank": "Ah"}
    for sent in (insured, {"box": 1, "guest": str(owner.pk), "act": "split"}, {"box": 1, "guest": his, "act": "split"}):
        done(services.round_place, **by, placement=sent)
    done(services.guest_leave, house_id=desk.house.pk, actor_id=desk.martina.pk, guest_id=owner.pk)
    done(services.round_place, **by, placement={"box": 1, "guest": his, "act": "double", "hand": 2})
    desk.settle(round_id, hands("win", "lose", bank="20"))
    sent = {"revision": 1, "reason": "seen on camera 4", "bank": "20", "result.1.1": "win", "result.1.2": "lose"}
    added = {"act.1": "insurance", "box.1": "1", "guest.1": his, "amount.1": "50.00"}
    desk.post("boss", f"rounds/{round_id}/correct/", **sent | added | {"off.1": "on"})
    asked = Approval.objects.get(action="round.correct")
    insurance = {"box": 1, "guest": his, "act": "insurance", "amount_minor": 5000, "bank": "As"}
    assert asked.payload["placed"] == [{"placed": 2}, {"placed": 3}, {"placed": 4}, insurance]
    told = words(desk.get("boss", f"rounds/{round_id}/")).replace("\xa0", " ")
    me, him = f"1 Guest {owner.number}", f"1 Guest {other.number}"
    stood = f"{me} Stake of hand 2 CHF 100.00 {him} Stake of hand 2 CHF 100.00 {him} Double on hand 2 CHF 100.00"
    assert f"After the lock Box Guest What Stake {stood} {him} takes insurance CHF 50.00" in told
    seen = {"approval": asked.pk, "seen": bytes(asked.payload_hash).hex(), "secret": desk.pin("second")}
    desk.post("second", f"rounds/{round_id}/sign/", **seen)
    rows = RoundStake.objects.filter(round_id=round_id, revision=2).order_by("placed")
    assert [(one.placed, one.kind, one.takes_back) for one in rows] == [(5, "insurance", 1), (6, "insurance", None)]
    assert breached_here() == {}


def test_a_doubled_black_jack_whose_double_is_taken_off_is_paid(desk: Desk) -> None:
    """BJ-5: the result of what was doubled, with which the form came, goes with it."""
    round_id = UUID(desk.lock(desk.lies(), table_id=desk.jack.pk)["id"])
    by = {"house_id": desk.house.pk, "round_id": round_id, "person_id": desk.martina.pk}
    done(services.round_place, **by, placement={"box": 1, "guest": str(desk.owner.pk), "act": "double"})
    natural = {"result": "blackjack", "doubled_result": "lose"}
    desk.settle(round_id, {"bank": "20", "boxes": {"1": {"hands": [natural]}}})
    sent = {f"{name}.1.1": ended for name, ended in natural.items()} | {"off.1": "on", "bank": "20"}
    desk.post("boss", f"rounds/{round_id}/correct/", **sent, revision=1, reason="seen on camera 4")
    asked = Approval.objects.get(action="round.correct").payload
    assert (asked["placed"], asked["result"]["boxes"]) == ([], {"1": {"hands": [{"result": "blackjack"}]}})


def test_a_correction_on_the_page_that_touches_no_later_stake_leaves_them(desk: Desk) -> None:
    """BOX-5: also one that could not be placed like that again."""
    round_id = UUID(desk.lock(desk.lies(), table_id=desk.jack.pk)["id"])
    by = {"house_id": desk.house.pk, "round_id": round_id, "person_id": desk.martina.pk}
    done(services.round_place, **by, placement={"box": 1, "guest": str(desk.owner.pk), "act": "double"})
    desk.settle(round_id, hands("win", bank="20"))
    sent = {"revision": 1, "reason": "seen on camera 4", "bank": "20", "result.1.1": "lose"}
    desk.post("boss", f"rounds/{round_id}/correct/", **sent)
    assert "placed" not in Approval.objects.get(action="round.correct").payload


def test_what_was_placed_without_the_server_is_shown_to_the_pit_and_taken(desk: Desk) -> None:
    """BOX-5: refused as a whole, with everything that was sent; the pit reads it in words and books it with its placements."""
    owner, other, round_id = desk.owner, desk.sit(distance=1), uuid4()
    tablet = Callers(desk).at_tablet(desk.jack, desk.martina)
    lies = [{"box": 1, "guest": str(guest.pk), "kind": "stake", "amount_minor": 10_000} for guest in (owner, other)]
    placed = [
        {"box": 1, "guest": str(owner.pk), "act": "insurance", "amount_minor": 5000, "bank": "Ah"},
        {"box": 1, "guest": str(owner.pk), "act": "split", "cards": "8h 8d"},
        {"box": 1, "guest": str(owner.pk), "act": "split", "instead_of": str(other.pk)},
        {"box": 1, "guest": str(owner.pk), "act": "double", "hand": 2},
    ]
    sent = {"round": str(round_id), "stakes": lies, "placed": placed, "result": hands("win", "win", bank="20")}
    running = desk.lock(lies, table_id=desk.jack.pk)["id"]
    address = f"tables/{desk.jack.pk}/queued-rounds/"
    [refused] = tablet.post(address, {"rounds": [sent]})[1]["rounds"]
    assert (refused["outcome"], refused["problem"]["code"]) == ("to_clarify", "table.round_running")
    entry = ReviewItem.objects.get(pk=refused["to_clarify"]["id"])
    assert entry.payload == sent
    desk.settle(running, hands("win", bank="20"))
    page = words(desk.get("boss", f"to-clarify/{entry.pk}/")).replace("\xa0", " ")
    first, second = f"1 Guest {owner.number}", f"with the stake of Guest {other.number}"
    shown = f"{first} takes insurance CHF 50.00 {first} splits – {first} splits {second} – {first} doubles hand 2 –"
    assert shown in page
    desk.post("boss", f"to-clarify/{entry.pk}/take/", reason="seen on camera 4")
    found = RoundStake.objects.filter(round_id=round_id, placed__gt=0).order_by("placed")
    assert [one.kind for one in found] == ["insurance", "split_2", "split_2", "double_2"]
    assert [one["outcome"] for one in tablet.post(address, {"rounds": [sent]})[1]["rounds"]] == ["known"]
    fewer = sent | {"placed": placed[:2]}
    [other_one] = tablet.post(address, {"rounds": [fewer]})[1]["rounds"]
    assert (other_one["outcome"], other_one["problem"]["code"]) == ("to_clarify", "round.placed_otherwise")
    page = words(desk.get("boss", f"to-clarify/{other_one['to_clarify']['id']}/"))
    assert "This cannot be taken: This round is booked already, with other stakes after its lock." in page
    assert breached_here() == {}


def test_a_shoe_sends_the_cards_that_a_round_is_settled_by(desk: Desk) -> None:
    callers = Callers(desk)
    tablet, shoe = callers.at_tablet(desk.jack, desk.martina), callers.feed_at(desk.jack)
    lies = [{"box": 1, "guest": str(desk.owner.pk), "kind": "stake", "amount_minor": 10_000}]
    round_id = desk.lock(lies, table_id=desk.jack.pk)["id"]
    sent = {"cards": "As 9d Kh 5c 4h"}  # box, bank, box; the bank draws to 18
    assert answered(shoe.post(f"rounds/{round_id}/cards/", {"cards": sent}))["cards"] == sent
    status, refused = shoe.post(f"rounds/{round_id}/cards/", {"cards": {"board": "As"}})
    assert (status, refused["code"]) == (422, "round.result_wrong")
    settled = answered(tablet.post(f"rounds/{round_id}/settle/", {"result": {"feed": True}}))
    assert [(one["won_minor"], one["code"]) for one in settled["lines"]] == [(15_000, "blackjack.blackjack_won")]


def test_its_result_is_told_in_words_where_the_log_shows_it() -> None:
    with translation.override("en"):
        said = data_text(
            {"boxes": {"1": {"hands": [{"result": "push"}, {"result": "bust"}]}}, "bank": "blackjack"}, None
        )
    assert [line.strip() for line in said.splitlines()] == [
        "Boxes:",
        "Box 1:",
        "Hands 1:",
        "Result: a stand-off",
        "Hands 2:",
        "Result: bust",
        "The bank: Black Jack",
    ]
