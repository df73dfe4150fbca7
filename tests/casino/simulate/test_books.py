"""The comparison at the end: an evening that went right has no difference, and each amount that is changed is found."""

from casino.simulate.books.compare import Books
from casino.simulate.books.results import FIGURES, with_hold
from tests.casino.simulate import rows
from tests.casino.simulate.test_sums import JACKPOT
from tests.turns import each

# By hand: 6 000 lost in the first round, 13 500 in the second, and 753 000 won in it by the royal flush; three coins, one Envy.
TOOK = {
    "rounds": 2, "stakes": 25_500, "result": -733_500, "coin_income": 1_125, "prizes": -50_000, "drop": 0, "rake": 0, "tips": 0,
    "time_charge": 0, "hold_per_mille": None,
}  # fmt: skip
# 100 and 30 on the first hand, 100 on the second, all won; 50 and 20 of insurance lost.
TOOK_BESIDE = dict.fromkeys(TOOK, 0) | {"rounds": 1, "stakes": 30_000, "result": -16_000, "hold_per_mille": None}


def differences(spoil=lambda service: None):
    rounds = rows.evening()
    service = rows.service(rounds)
    spoil(service)
    return Books(rounds, JACKPOT).compare(service)


def test_an_evening_that_went_right_has_no_difference():
    rounds = rows.evening()
    books = Books(rounds, JACKPOT)
    assert books.compare(rows.service(rounds)) == []
    assert books.compared > 100
    assert [split.share for split in books.splits] == [500_300]  # 10 006.01 for two (PRG-7); 0.01 stays (PRG-10)
    assert books.tables["UTH 2, 2026-11-21"] == TOOK
    assert books.tables["Black Jack 1, 2026-11-21"] == TOOK_BESIDE
    assert books.games["Black Jack"] == TOOK_BESIDE
    assert books.games["UTH"]["rounds"] == 5
    assert books.games["UTH"]["result"] == sum(books.tables[f"UTH {one}, 2026-11-21"]["result"] for one in (1, 2))


@each("name", ["stake_minor", "returned_minor", "won_minor", "prize_minor", "paid_minor"])
def test_a_changed_amount_of_any_line_is_found(name):
    for one in rows.evening():
        for place in range(len(one.lines)):

            def spoil(service, one=one, place=place):
                service.rounds[one.id]["lines"][place][name] += 5

            assert differences(spoil), (one.id, place)


def hit(service):
    return service.hits[0]


def took(service, table):
    return service.results[table, "2026-11-21"]


SPOILED = {
    "what one guest won on a box is another's": lambda service: service.rounds["round-3-1"]["lines"][1].update(
        guest="id of A"
    ),
    "a line is missing": lambda service: service.rounds["round-1-1"]["lines"].pop(),
    "a line is there twice": lambda s: s.rounds["round-1-1"]["lines"].append(s.rounds["round-1-1"]["lines"][0]),
    "a round is in another state": lambda service: service.rounds["round-1-3"].update(state="settled"),
    "a round is not there": lambda service: service.rounds.pop("round-2-1"),
    "a round is there that nobody played": lambda service: service.known[2].append({"id": "another"}),
    "the meter": lambda service: service.jackpot.update(shown_minor=service.jackpot["shown_minor"] + 100),
    "the coins": lambda service: service.meters.update(coins=7),
    "the coins in": lambda service: service.meters.update(coins_in_minor=4500),
    "what was won": lambda service: service.meters.update(won_minor=1),
    "the reserve": lambda service: service.meters.update(reserve_minor=25),
    "a second hit": lambda service: service.meters.update(hits=2),
    "the amount when it was hit": lambda service: hit(service).update(shown_minor=1_000_701),
    "the hit was rejected": lambda service: hit(service).update(state="rejected"),
    "a claim was refused": lambda service: hit(service)["claims"][0].update(state="refused"),
    "a share": lambda service: hit(service)["splits"][-1].update(shares=[{"share_minor": 1}] * 2),
    "the remainder": lambda service: hit(service)["splits"][-1].update(remainder_minor=0),
    "an award": lambda service: hit(service)["awards"][0].update(amount_minor=1),
    "a slip is not paid": lambda service: hit(service)["awards"][0]["slip"].update(state="open"),
    "a slip is paid otherwise": lambda service: hit(service)["awards"][0]["slip"].update(cash_minor=5),
    **{
        f"a table's {figure}": lambda service, figure=figure: took(service, "UTH 2").update(
            {figure: took(service, "UTH 2")[figure] + 1}
        )
        for figure in FIGURES
    },
    "two tables' results, the sum of which agrees": lambda service: (
        took(service, "UTH 1").update(result=took(service, "UTH 1")["result"] + 500),
        took(service, "UTH 2").update(result=took(service, "UTH 2")["result"] - 500),
    ),
    "a table is not told of": lambda service: service.results.pop(("UTH 2", "2026-11-21")),
    "what a table took before": lambda service: service.results_before[("UTH 1", "2026-11-21")].update(result=69_999),
    "one signature": lambda service: hit(service)["approvals"][0].update(signed_by=["a"]),
    "the gate's amount": lambda service: hit(service)["gate"].update(amount_minor=1_000_000),
    "a number of a slip is left out": lambda service: service.slips[1].update(number=3),
    "a stake while betting was closed": lambda service: service.rounds["round-1-3"].update(locked_at=rows.at(4)),
}


def test_prg8_which_meter_a_round_fed_is_told_by_our_own_clock_and_the_list_of_the_hit():
    rounds = rows.evening()
    service = rows.service(rounds)
    rounds[2].known_at = 5  # its answer came when betting was closed: but the hit lists it
    assert Books(rounds, JACKPOT).compare(service) == []
    rounds[5].known_at = 3
    assert [one.partition(":")[0] for one in Books(rounds, JACKPOT).compare(service)][:2] == [
        "hit 1",
        "hit 1",
    ]


def test_the_hold_is_a_part_of_the_drop_where_there_is_one():
    assert with_hold({"result": 30, "drop": 400})["hold_per_mille"] == 75
    assert with_hold({"result": 30, "drop": 0})["hold_per_mille"] is None


@each("what", SPOILED)
def test_whatever_else_is_changed_is_found(what):
    assert differences(SPOILED[what])
