"""A round's page: what it shows, settled for a dead tablet, withdrawn, voided, corrected by request and signature."""

import re
from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.games.form import card_codes
from casino.games.uth.form import result_of_form
from payouts.audit import run_audits
from payouts.models import Approval
from tables.models import Round, RoundLine, RoundResult, RoundStake
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, state_of, words
from tests.floor import stakes_for, taps
from tests.turns import each
from tests.worlds import world

LOST = taps(b1={"play": 4, "result": "lose"})
WON = {"play__1": "4", "result__1": "win", "hand__1": "flush"}


pytestmark = world(FloorDesk)


def locked(desk: FloorDesk, boxes: int = 1, **stakes: int) -> str:
    guests = desk.open(entry_level=stakes.pop("level", "fast"))
    return desk.lock(stakes_for(guests[:boxes], **stakes))["id"]


def settled(desk: FloorDesk, result: object = LOST, **stakes: int) -> str:
    round_id = locked(desk, **stakes)
    desk.settle(round_id, result)
    return round_id


def audited() -> list[object]:
    return [result for result in run_audits() if result.breaches]


# What it shows
def test_lines_say_what_to_pay_and_why(desk):
    round_id = settled(desk, taps(b1={"play": 4, "result": "win", "hand": "flush"}), coins=1, trips=500)
    said = words(desk.get("watch", f"rounds/{round_id}/"))
    for text in (
        "Ante CHF 15.00 CHF 30.00 1:1 Ante wins: higher than the dealer, paid 1:1. UTH-4",
        "Blind wins with a flush, paid 3:2. UTH-6",
        "Trips wins with a flush",
        "The coin wins nothing: no hand that the progressive pays. PRG-2",
        "To pay",
        "from taps",
        "Box 1 4× wins · flush",
    ):
        assert text in said, text
    paid = sum(line.returned_minor + line.won_minor for line in RoundLine.objects.all())
    assert f"CHF {paid / 100:.2f}" in said.partition("Together")[2][:40]


def test_cards_are_drawn_and_read_out(desk):
    result = {"board": "Ah Kh Qh Jh 2c", "dealer": "3c 4c", "boxes": {"1": {"play": 4, "cards": "As Td"}}}
    page = desk.get("auditor", f"rounds/{settled(desk, result)}/")
    assert 'class="card heart"' in page
    for words_of_card in ("Ace of hearts", "Two of clubs", "Ten of diamonds", "Ace of spades"):
        assert words_of_card in page
    assert "from cards" in page


def test_stake_that_went_back_says_why_with_its_rule(desk):
    round_id = locked(desk)
    stake = RoundStake.objects.filter(kind="ante").get()
    RoundStake.objects.create(
        house=desk.house,
        round_id=round_id,
        box=2,
        guest=stake.guest,
        kind="ante",
        offered_minor=3000,
        accepted_minor=1000,
        returned_minor=2000,
        rank=2,
        reason="prime.cut",
        rule="PRM-3",
        data={"room_minor": 1000, "maximum_minor": 5000, "minimum_minor": 500, "guest": str(stake.guest_id)},
    )
    said = words(desk.get("boss", f"rounds/{round_id}/"))
    assert "Guest 1 gets CHF 20.00 back: rank 2 of PRM-1, CHF 10.00 left of the maximum CHF 50.00. PRM-3" in said


# A dead tablet
def test_settled_from_taps_for_the_croupier(desk):
    round_id = locked(desk, boxes=2)
    desk.post("boss", f"rounds/{round_id}/settle/", **WON, result__2="fold", dealer_without_pair="on")
    kept = RoundResult.objects.get()
    assert kept.result == {
        "boxes": {
            "1": {"play": 4, "result": "win", "hand": "flush", "on_board": False},
            "2": {"play": 0, "result": "fold"},
        },
        "dealer_without_pair": True,
    }
    assert (state_of(round_id), kept.entered_by) == ("settled", desk.people["boss"])


def test_settled_from_cards_as_people_write_them(desk):
    round_id = locked(desk, level="full_cards", coins=1)
    fields = {"board": "ah kh QH jh, 2c", "dealer": "3c4c", "play__1": "4", "cards__1": "10♥ a♠"}
    desk.post("boss", f"rounds/{round_id}/settle/", REFUSED, **(fields | {"cards__1": "10♥ 10♥"}))
    assert state_of(round_id) == "locked"
    desk.post("boss", f"rounds/{round_id}/settle/", **(fields | {"cards__1": "10♦ a♠"}))
    assert RoundResult.objects.get().result["boxes"]["1"]["cards"] == "Td As"


def test_settled_by_coins_alone(desk):
    guests = desk.open(entry_level="jackpot_only")[:1]
    coin = [{"box": 1, "guest": str(guests[0].pk), "kind": "coin", "amount_minor": 500}]
    round_id = desk.lock(coin)["id"]
    page = desk.get("boss", f"rounds/{round_id}/")
    assert 'name="result.1"' not in page
    desk.post("boss", f"rounds/{round_id}/settle/")
    assert state_of(round_id) == "settled"


def test_royal_flush_without_a_coin_where_coins_alone_are_entered(desk):
    """PRG-6: entered with its guest; a correction begins with what was entered, so it does not lose the Envy unseen."""
    guests = desk.open(entry_level="jackpot_only")
    coins = [{"box": one.box, "guest": str(one.pk), "kind": "coin", "amount_minor": 500} for one in guests[:2]]
    round_id = desk.lock(coins)["id"]
    royal = {"board": "Tc Jc Qc 4d 4s", "other__box": "3", "other__cards": "kc ac"}
    page = desk.post("boss", f"rounds/{round_id}/settle/", REFUSED, **royal)
    assert 'value="kc ac"' in page
    assert '<option value="3" selected>' in page
    desk.post("boss", f"rounds/{round_id}/settle/", **royal, other__guest=guests[2].pk, reason="seen on camera")
    desk.post("second", f"rounds/{round_id}/sign/", **signing(desk, Approval.objects.get(), "second"))
    assert set(RoundLine.objects.filter(kind="envy").values_list("box", "prize_minor")) == {(1, 50_000), (2, 50_000)}
    form = desk.get("manager", f"rounds/{round_id}/").partition("/correct/")[2].partition("</form>")[0]
    assert f'<option value="{guests[2].pk}" selected>Guest 3' in form
    assert 'value="Kc Ac"' in form


@each(
    ("fields", "said"),
    [
        ({}, "Box 1 has no result yet"),
        ({"result__1": "glory"}, "must be win, lose, tie or fold"),
        ({"play__1": "9999", "result__1": "win"}, "must be a whole number from 0 to 10"),
        ({"play__1": "7", "result__1": "win"}, "7"),
        ({"board": "Ah Ah Kd Qs Jc"} | WON, "appears more than once"),
        ({"board": "Ah <b>Kd</b>"} | WON, "is not a card"),
        ({"result__1": "win", "play__1": "4", "hand__1": "royal_flush"}, "The cards of box 1 are missing"),
    ],
)
def test_refused_result_says_why_and_keeps_what_was_typed(desk, fields, said):
    round_id = locked(desk)
    page = desk.post("boss", f"rounds/{round_id}/settle/", REFUSED, **fields)
    form = page.partition("/settle/")[2].partition("</form>")[0]
    assert 'role="alert"' in form
    assert said in words("<main" + form)
    if "board" in fields:
        assert f'value="{fields["board"]}"'.replace("<b>", "&lt;b&gt;").replace("</b>", "&lt;/b&gt;") in form
    assert state_of(round_id) == "locked"


def test_double_click_settles_once(desk):
    round_id, key = locked(desk), str(uuid4())
    for _click in range(2):
        desk.post("boss", f"rounds/{round_id}/settle/", key=key, **WON)
    assert Round.objects.get().revision == 1


def test_withdrawn_and_voided_with_a_reason(desk):
    guests = desk.open()[:1]
    first = desk.lock(stakes_for(guests, coins=1))["id"]
    desk.post("boss", f"rounds/{first}/withdraw/")
    second = desk.lock(stakes_for(guests))["id"]
    page = desk.post("boss", f"rounds/{second}/void/", REFUSED, reason="x")
    assert 'value="x"' in page
    desk.post("boss", f"rounds/{second}/void/", reason="a card fell from the table")
    assert [state_of(first), state_of(second)] == ["voided", "voided"]
    assert "a card fell from the table · Name boss.floor" in words(desk.get("watch", f"rounds/{second}/"))
    page = desk.post("boss", f"rounds/{second}/settle/", REFUSED, **WON)
    assert 'role="alert"' in page  # its form is gone, so the page says it at the top
    desk.post("boss", f"rounds/{second}/nothing/", 404)


# Corrections
def test_books_balance_after_all_that_the_pages_do(desk, own_database):
    guests = desk.open()
    desk.post("boss", f"rounds/{desk.lock(stakes_for(guests, coins=3))['id']}/withdraw/")
    desk.post("boss", f"rounds/{desk.lock(stakes_for(guests, coins=2))['id']}/void/", reason="misdeal")
    round_id = desk.lock(stakes_for(guests[:1], coins=1, trips=500))["id"]
    desk.post("boss", f"rounds/{round_id}/settle/", play__1="4", result__1="lose")
    desk.post("second", f"rounds/{round_id}/correct/", **WON, reason="box 1 had won")
    approval = Approval.objects.get()
    desk.post("manager", f"rounds/{round_id}/sign/", **signing(desk, approval, "manager"))
    assert Round.objects.get(pk=round_id).revision == 2
    assert audited() == []


def asked(desk: FloorDesk, who: str = "boss") -> tuple[str, Approval]:
    round_id = settled(desk)
    desk.post(who, f"rounds/{round_id}/correct/", **WON, reason="box 1 had won")
    return round_id, Approval.objects.get(state="open")


def signing(desk: FloorDesk, approval: Approval, who: str, **changes: object) -> dict[str, object]:
    values = {"approval": approval.pk, "seen": bytes(approval.payload_hash).hex(), "secret": desk.pin(who)}
    return values | changes


def test_correction_is_asked_for_and_signed_by_another(desk):
    round_id, approval = asked(desk)
    assert "To be signed (1)" in words(desk.get("second"))
    said = words(desk.get("boss", f"rounds/{round_id}/"))
    assert "You asked for it. Somebody else looks at it and signs." in said
    said = words(desk.get("second", f"rounds/{round_id}/"))
    for text in ("box 1 had won", "Ante CHF 0.00 CHF 30.00", "Together CHF 0.00 CHF 187.50", "Your PIN"):
        assert text in said, text
    desk.post("boss", f"rounds/{round_id}/sign/", REFUSED, **signing(desk, approval, "boss"))
    desk.post("second", f"rounds/{round_id}/sign/", **signing(desk, approval, "second"))
    round_ = Round.objects.get()
    kept = RoundResult.objects.get(revision=2)
    assert (round_.revision, kept.approval_id, kept.entered_by) == (2, approval.pk, desk.people["second"])
    page = desk.get("auditor", f"rounds/{round_id}/")
    assert "<del>CHF\xa00.00</del>" in page
    assert "<del>Ante loses: the dealer is higher.</del>" in page
    said = words(page)
    for text in ("Revision 2 counts", "Revision 1 no longer counts", "Ante wins: higher than the dealer", "corrected"):
        assert text in said, text


def test_only_what_a_correction_changed_is_struck_through(desk):
    round_id = settled(desk, coins=1)
    desk.post("boss", f"rounds/{round_id}/correct/", **WON, reason="box 1 had won")
    desk.post("second", f"rounds/{round_id}/sign/", **signing(desk, Approval.objects.get(), "second"))
    page = desk.get("boss", f"rounds/{round_id}/")
    body = page.partition("lines-table")[2].partition("<tbody>")[2].partition("</tbody>")[0]
    rows = [re.findall(r"(<del>)?CHF\xa0([0-9.]+)", row)[-2:] for row in body.split("<tr>")[1:]]
    changed = [(then[0], then[1] != now[1]) for then, now in rows]
    assert changed == [*[("<del>", True)] * 3, ("", False)]  # the coin won nothing either way


def test_signing_locks_the_round_before_the_approval_as_every_correction_does(desk):
    round_id, approval = asked(desk)
    fields = signing(desk, approval, "second")
    with CaptureQueriesContext(connection) as captured:
        desk.post("second", f"rounds/{round_id}/sign/", **fields)
    held = [query["sql"] for query in captured if " FOR " in query["sql"] and "UPDATE" in query["sql"]]
    order = [
        next((name for name in ("tables_round", "payouts_approval") if f'FROM "{name}"' in sql), "") for sql in held
    ]
    assert [name for name in dict.fromkeys(order) if name] == ["tables_round", "payouts_approval"]


def test_wrong_pin_signs_nothing_and_is_counted(desk):
    round_id, approval = asked(desk)
    page = desk.post("second", f"rounds/{round_id}/sign/", REFUSED, **signing(desk, approval, "second", secret="1"))
    assert 'role="alert"' in page
    desk.people["second"].refresh_from_db()
    assert desk.people["second"].pin_failures == 1
    assert Round.objects.get().revision == 1
    changed = signing(desk, approval, "second", seen="0" * 64)
    page = desk.post("second", f"rounds/{round_id}/sign/", REFUSED, **changed)
    assert f'name="seen" value="{bytes(approval.payload_hash).hex()}"' in page
    for wrong in ("", "x", str(uuid4())):
        desk.post("second", f"rounds/{round_id}/sign/", REFUSED, **(changed | {"approval": wrong}))
    assert approval.signatures.count() == 0


def test_signed_twice_corrects_once(desk):
    round_id, approval = asked(desk)
    fields = signing(desk, approval, "manager", key=str(uuid4()))
    for _click in range(2):
        desk.post("manager", f"rounds/{round_id}/sign/", **fields)
    assert Round.objects.get().revision == 2
    assert "<main" in desk.post("second", f"rounds/{round_id}/sign/", REFUSED, **signing(desk, approval, "second"))


def test_who_may_sign_follows_the_matrix_and_who_dealt_may_not(desk):
    round_id, approval = asked(desk, "manager")
    for who in ("auditor", "watch", "tech"):
        desk.pin(who)
        assert "Your PIN" not in desk.get(who, f"rounds/{round_id}/")
        desk.post(who, f"rounds/{round_id}/sign/", REFUSED, **signing(desk, approval, who))
        desk.post(who, f"rounds/{round_id}/reject/", REFUSED, approval=approval.pk, reason="no, I say")
    assert Round.objects.get().revision == 1
    assert desk.martina.pk in approval.excluded


def test_correction_is_rejected_or_taken_back_with_a_reason(desk):
    round_id, approval = asked(desk)
    desk.post("second", f"rounds/{round_id}/reject/", REFUSED, approval=approval.pk, reason="")
    desk.post("boss", f"rounds/{round_id}/reject/", approval=approval.pk, reason="I misread the card")
    approval.refresh_from_db()
    assert approval.state == "rejected"
    assert "To be signed 0" in words(desk.get("second"))
    desk.post("second", f"rounds/{round_id}/sign/", REFUSED, **signing(desk, approval, "second"))


def test_refused_correction_keeps_what_was_typed(desk):
    round_id = settled(desk)
    page = desk.post("boss", f"rounds/{round_id}/correct/", REFUSED, **WON, reason="")
    form = page.partition("/correct/")[2].partition("</form>")[0]
    assert 'value="flush" selected' in form
    assert '<details class="panel" open>' in page
    assert not Approval.objects.exists()


def test_correction_names_the_revision_that_was_seen(desk):
    round_id = settled(desk)
    assert 'name="revision" value="1"' in desk.get("boss", f"rounds/{round_id}/")
    desk.correct(round_id, taps(b1={"play": 4, "result": "tie"}))
    for seen in ("1", "", "x", "3"):
        page = desk.post("boss", f"rounds/{round_id}/correct/", REFUSED, **WON, reason="box 1 had won", revision=seen)
        assert "The round was changed by somebody else." in words(page)
        assert 'name="revision" value="2"' in page  # so that the same form, sent again, is about what is there now
    assert not Approval.objects.exists()
    desk.post("boss", f"rounds/{round_id}/correct/", **WON, reason="box 1 had won", revision="2")
    assert Approval.objects.get().revision == 2


def test_second_request_does_not_end_the_first_unseen(desk):
    round_id, approval = asked(desk)
    page = desk.post("second", f"rounds/{round_id}/correct/", REFUSED, **WON, reason="I saw it too")
    assert "already waits for a signature" in words(page)
    assert Approval.objects.get().state == "open"
    turned_down = {"approval": approval.pk, "reason": "ask again, please"}
    desk.post("manager", f"rounds/{round_id}/reject/", REFUSED, **turned_down)
    assert Approval.objects.get().state == "open"
    desk.post("manager", f"rounds/{round_id}/reject/", **turned_down, secret=desk.pin("manager"))
    desk.post("second", f"rounds/{round_id}/correct/", **WON, reason="I saw it too")
    assert Approval.objects.filter(state="open").count() == 1


def test_double_click_asks_once(desk):
    round_id, key = settled(desk), str(uuid4())
    for _click in range(2):
        desk.post("boss", f"rounds/{round_id}/correct/", key=key, **WON, reason="box 1 had won")
    assert Approval.objects.get().state == "open"


def test_who_may_take_which_step(desk):
    """Who runs the floor, or verifies hits, or corrects; what waits is seen, and signed or turned down, by who reads rounds."""
    round_id = settled(desk)
    decides = ("boss", "manager")
    reads = (*decides, "watch", "auditor", "tech")
    steps = dict.fromkeys(("settle", "withdraw", "void", "call"), ("boss",))
    steps |= dict.fromkeys(("void-ask", "correct"), decides) | dict.fromkeys(("sign", "reject"), reads)
    for step, may in steps.items():
        for who in ("croupier", *reads):
            desk.post(who, f"rounds/{round_id}/{step}/", (400, 404, 409, 422) if who in may else 403)
    assert Round.objects.get().revision == 1


def test_running_round_says_how_long(desk):
    said = words(desk.get("boss", f"rounds/{locked(desk)}/"))
    assert "running 0:0" in said


def test_correct_form_begins_with_what_counts(desk):
    round_id = settled(desk, taps(b1={"play": 3, "result": "tie"}))
    form = desk.get("boss", f"rounds/{round_id}/").partition("/correct/")[2].partition("</form>")[0]
    assert 'value="3" selected' in form
    assert 'value="tie" selected' in form


# What is typed
@each(
    ("text", "read"),
    [
        ("Ah Kd", "Ah Kd"),
        ("AHKD", "Ah Kd"),
        ("10h, 10d", "Th Td"),
        ("td 9c", "Td 9c"),
        ("A♥K♦", "Ah Kd"),
        ("A♥️ K♦️", "Ah Kd"),
        ("  ", ""),
        ("1h 0d", "1h 0d"),
        ("ahk", "ahk"),
        ("🂡", "🂡"),
    ],
)
def test_cards_as_people_type_them(text, read):
    assert card_codes(text) == read


def test_only_what_was_entered_is_in_the_result():
    assert result_of_form({}, [1, 2]) == {"boxes": {}}
    typed = {"play.1": "x", "hand.2": "flush", "on_board.2": "on", "on_board.1": "on", "cards.9": "Ah", "feed": "on"}
    assert result_of_form(typed, [1, 2]) == {"feed": True, "boxes": {"2": {"hand": "flush", "on_board": True}}}
