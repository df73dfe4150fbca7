"""Two royal flushes at once, against a running demo house (`make run`): from the coins to the paid slips and betting open again.

    python docs/double_royal.py [http://127.0.0.1:8000] [--kill] [--screen]

Only the standard library. Four linked tables play; one calls *Royal!*, a second one settles a royal flush, the third settles, the
fourth is voided by the pit boss. Both claims are verified, two people sign with their authenticators, a display shows the new
value and confirms it, betting opens, the cage pays. Then everything is read back and compared with what is worked out here.

`--kill` ends processes of the house in this folder with SIGKILL, each at a telling moment: the web while a royal flush is being
settled, the worker before the last round ends, Redis between the last signature and the display's confirmation. Commands are
repeated under their own keys until they are answered. `--screen` leaves the display to a real browser, and waits
for it. Ends with 1 if anything is not as it must be.
"""

import argparse
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from evening import Refused, count, office, tablet
from running_house import House, Patient, Screen, say, until

CROUPIERS = {"m.frei": "Martina Frei", "n.egli": "Nora Egli", "l.moretti": "Luca Moretti", "p.gerber": "Pia Gerber"}
CALLS, SETTLES, PLAYS, VOIDED = range(4)  # what becomes of the round at each table
LEVELS = ("full_cards", "full_cards", "fast", "fast")
GUESTS = 3
COINS = (3, 2, 3, 1)  # of the first boxes at each table
COINS_AFTER = 2  # in the first round after the reopening
FOLDS = {"boxes": {str(box): {"result": "fold"} for box in range(1, GUESTS + 1)}}
ANTE = 500  # and Blind, and the coin
OF_A_COIN, SEED, ENVY = 100, 1_000_000, 50_000  # as the demo house posts them
BLIND_ODDS = 500  # for a royal flush
CASH = 5  # no coin is smaller
CASHIERS_PIN = "492037"  # of l.bianchi, who pays
WAITS_S = 600  # for a browser that somebody opens


class Night:
    """The double royal: what is done, what must come of it, what does not."""

    def __init__(self, address, *, kill, screen):
        self.address, self.wrong, self.begun = address, [], time.monotonic()
        self.house = House(address) if kill else None
        self.boss, self.technician = office(address, "r.caduff", Patient), office(address, "a.gantenbein", Patient)
        self.manager, self.cage = office(address, "b.zumstein", Patient), office(address, "l.bianchi", Patient)
        self.by_hand = screen
        self.names = {self.boss: "r.caduff", self.manager: "b.zumstein"}

    def step(self, text):
        """Say how far we are."""
        say(f"{time.monotonic() - self.begun:5.1f} s  {text}")

    def same(self, what, found, expected):
        """Compare what the house says with what was worked out here."""
        if found != expected:
            self.wrong.append(f"{what}: {found!r} instead of {expected!r}")

    def holds(self, what, is_so):
        """Note what is not so."""
        if not is_so:
            self.wrong.append(f"it is not so that {what}")

    def now(self):
        """The jackpot as it stands."""
        return self.boss.get(f"jackpots/{self.jackpot['id']}/")

    def phase(self, name):
        """Wait until the jackpot is in this phase."""
        until(f"for the phase {name}", lambda: self.now()["phase"] == name)
        self.step(f"the jackpot is {name}")

    # Set-up
    def open(self):
        """Four linked tables with a croupier and guests each; a display that they wait for."""
        self.jackpot = self.boss.every("jackpots/")[0]
        if self.jackpot["phase"] != "open":
            raise SystemExit(
                f"{self.jackpot['name']} is {self.jackpot['phase']}, not open: bring that to its end first."
            )
        people = {one["name"]: one["id"] for one in self.boss.every("croupiers/")}
        self.tables = self.boss.every("tables/")[:4]
        self.tablets, self.guests = [], []
        for table, (username, name), level in zip(self.tables, CROUPIERS.items(), LEVELS, strict=True):
            self.clear(table)
            place = f"tables/{table['id']}/"
            count(self.boss, self.manager, table["id"], "opener")
            self.boss.post(f"{place}open/", {"croupier": people[name], "entry_level": level})
            self.tablets.append(tablet(self.address, table["id"], username, Patient))
            seats = [{"box": box, "seated": True} for box in range(1, GUESTS + 1)]
            self.guests.append([self.boss.post(f"{place}guests/", seat) for seat in seats])
        self.step("four linked tables are open, each with three guests")
        self.enrol()
        self.before = self.now()

    def clear(self, table):
        """End what an evening before this one left at a table; link it."""
        if table["running_round"]:
            self.boss.post(f"rounds/{table['running_round']['id']}/void/", {"reason": "left over"})
        if table["state"] == "open":
            count(self.boss, self.manager, table["id"], "closer")
            self.boss.post(f"tables/{table['id']}/close/", {"cards_complete": True})
        if table["jackpot"] != self.jackpot["id"]:
            self.technician.post(f"tables/{table['id']}/link/", {"jackpot": self.jackpot["id"]})

    def enrol(self):
        """The demo house's own display, for which its tables wait: one tap makes a browser it.

        No dead one of before is waited for.
        """
        path = f"jackpots/{self.jackpot['id']}/displays/"
        begun = datetime.now(UTC)
        self.screen = None if self.by_hand else Screen(self.address, self.jackpot["id"])
        if self.by_hand:
            say(f"Open {self.address}/display/ in a browser and tap {self.jackpot['name']}")

        def heard():
            return [
                one
                for one in self.boss.every(path)
                if one["required_since"] and one["seen_at"] and datetime.fromisoformat(one["seen_at"]) > begun
            ]

        own = until("for the display", heard, seconds=WAITS_S)[0]
        self.display = own["display"]
        dark = datetime.fromisoformat(own["seen_at"]) - timedelta(seconds=10)
        for one in self.boss.every(path):
            lives = one["in_service"] and one["seen_at"] and datetime.fromisoformat(one["seen_at"]) > dark
            if one["required_since"] and not lives:
                asked = self.manager.post(f"{path}{one['display']}/out-request/", {"reason": "it has been dark"})
                self.sign(self.boss, asked)
        self.step("a display is there, and the tables wait for it")

    def sign(self, caller, asked):
        """Sign what was asked for, with a code of one's own authenticator."""
        seen = {"payload_hash": asked["payload_hash"], "secret": caller.code(self.names[caller])}
        return caller.post(f"approvals/{asked['id']}/sign/", seen)

    # The rounds
    def lock(self, at, *, coins):
        """No more bets at a table, with so many coins; gives the round's id."""
        round_id, stakes = str(uuid.uuid4()), []
        for guest in self.guests[at]:
            kinds = ("ante", "blind", "coin") if guest["box"] <= coins else ("ante", "blind")
            where = {"box": guest["box"], "guest": guest["id"], "amount_minor": ANTE}
            stakes += [where | {"kind": kind} for kind in kinds]
        self.tablets[at].post(f"tables/{self.tables[at]['id']}/rounds/{round_id}/lock/", {"stakes": stakes})
        return round_id

    def settle(self, at, result):
        """Settle the round at a table, ask once more under the same key, and have the same answer."""
        path, key = f"rounds/{self.rounds[at]}/settle/", str(uuid.uuid4())
        victims = self.house.of("web") if self.house and at == SETTLES else None
        with ThreadPoolExecutor(1) as hands:
            sent = hands.submit(self.tablets[at].command, path, {"result": result}, key)
            if victims is not None:
                time.sleep(0.01)  # it may have been settled by then, or not: both must come out right
                self.house.kill("web", victims, "while a royal flush is being settled")
            answer = sent.result()["answer"]
        again = self.tablets[at].command(path, {"result": result}, key)
        self.same("the settlement again", (again["replayed"], again["answer"]), (True, answer))

    def play(self):
        """All tables lock; one calls, two settle, one is voided: the hit has drained."""
        self.rounds = [self.lock(at, coins=coins) for at, coins in enumerate(COINS)]
        self.tablets[CALLS].post(f"rounds/{self.rounds[CALLS]}/call/")
        self.same("the phase after the call", self.now()["phase"], "draining")
        self.step("Royal! is called at the first table; the other rounds run on")
        self.settle(SETTLES, royal("s"))
        self.settle(PLAYS, FOLDS)
        try:
            self.lock(PLAYS, coins=1)
            self.wrong.append("a stake was taken between the hit and the reopening")
        except Refused as refused:
            self.same("the refusal of a stake", refused.code, "jackpot.not_open")
        self.settle(CALLS, royal("h"))
        if self.house:
            self.house.kill("worker", self.house.of("worker"), "before the last round ends")
        self.boss.post(f"rounds/{self.rounds[VOIDED]}/void/", {"reason": "misdeal"})
        self.step("the last round has ended")
        self.phase("verifying")

    # The decision
    def decide(self):
        """Verify both claims, sign the split twice, show the new value: betting is open."""
        hit = self.hit = self.boss.get(f"hits/{self.now()['hit']['id']}/")
        checklist = {item: f"seen by R. Caduff ({item})" for item in hit["checklist"]}
        for claim in hit["claims"]:
            self.boss.post(f"claims/{claim['id']}/verify/", {"checklist": checklist})

        def asked():
            rows = self.boss.get(f"hits/{hit['id']}/")["approvals"]
            return next((one for one in rows if (one["action"], one["state"]) == ("jackpot.award", "open")), None)

        award = until("for the split", asked)
        self.step("both claims are verified; the split waits for two signatures")
        self.sign(self.boss, award)
        victims = self.house.of("redis") if self.house else None
        self.sign(self.manager, award)
        if victims is not None:
            self.house.kill("redis", victims, "after the last signature, before the display has confirmed")
        self.step("both have signed")
        if self.screen:
            self.screen.confirm()
        self.phase("open")
        if self.house:
            until("for what was killed", self.house.back)
            self.boss.ask("/readyz")  # which is asked again until it says yes
        self.rounds.append(self.lock(PLAYS, coins=COINS_AFTER))
        self.tablets[PLAYS].post(f"rounds/{self.rounds[-1]}/settle/", {"result": FOLDS})
        self.step("a round was played after the reopening")

    def pay(self):
        """The cage pays both slips, each once."""
        self.slips = self.cage.every("slips/")[:2][::-1]
        for slip in self.slips:
            path, cash = f"slips/{slip['id']}/pay/", to_coins(slip["award"]["amount_minor"])
            payment = {"cash_minor": cash, "secret": CASHIERS_PIN}
            self.cage.post(path, payment)
            try:
                self.cage.post(path, payment)
                self.wrong.append(f"slip {slip['written']} was paid twice")
            except Refused as refused:
                self.same("the refusal of a second payment", refused.code, "slip.state")
        self.step("both slips are paid")

    # Reading back
    def check(self):
        """Read everything back, and compare it with what is worked out from the stakes alone."""
        shown = self.before["shown_minor"] + OF_A_COIN * sum(COINS)
        won = shown - OF_A_COIN * COINS[VOIDED]
        self.check_rounds()
        self.check_hit(shown, won)
        self.check_slips(won // 2)
        now, new = self.now(), SEED + won % 2 + OF_A_COIN * COINS_AFTER
        self.same("the jackpot", (now["phase"], now["shown_minor"]), ("open", new))
        self.same("its epoch", now["epoch"], self.before["epoch"] + 1)
        self.same("its incarnation", now["incarnation"], self.before["incarnation"])
        self.holds("its version rose", now["version"] > self.before["version"])
        until(f"for a display that shows {now['shown_minor']}", lambda: self.shows(now["shown_minor"]))
        return new

    def shows(self, amount):
        """Whether the display has confirmed, and says with its signs of life that it shows this amount."""
        rows = self.boss.every(f"jackpots/{self.jackpot['id']}/displays/")
        own = next(one for one in rows if one["display"] == self.display)
        return (own["gate"], digits(own["shown"])) == ("confirmed", str(amount))

    def check_rounds(self):
        """What each stake was paid."""
        expected = [royal_pays(COINS[CALLS]), royal_pays(COINS[SETTLES]), loses(COINS[PLAYS]), {}, loses(COINS_AFTER)]
        for round_id, lines, place in zip(self.rounds, expected, range(5), strict=True):
            there = self.boss.get(f"rounds/{round_id}/")
            self.same(f"round {place + 1}", there["state"], "voided" if place == VOIDED else "settled")
            paid = {(one["box"], one["kind"]): one["paid_minor"] for one in there["lines"]}
            self.same(f"what round {place + 1} paid", paid, lines)

    def check_hit(self, shown, won):
        """The life of the hit."""
        hit = self.boss.get(f"hits/{self.hit['id']}/")
        self.same("the hit", (hit["state"], hit["shown_minor"]), ("paid", shown))
        ended = {one["round"]: one["ended_as"] for one in hit["rounds"]}
        became = ("settled", "settled", "settled", "voided")
        self.same("the rounds that the hit waited for", ended, dict(zip(self.rounds, became, strict=False)))
        claims = {(one["round"], one["box"], one["guest"], one["origin"], one["state"]) for one in hit["claims"]}
        winners = ((CALLS, "called"), (SETTLES, "settled"))
        due = {(self.rounds[at], 1, self.guests[at][0]["id"], origin, "verified") for at, origin in winners}
        self.same("the claims", claims, due)
        split = hit["splits"][-1]
        amounts = [split[f"{name}_minor"] for name in ("sum", "won", "remainder", "carried", "overflow", "shortfall")]
        self.same("the split", amounts, [won, won, won % 2, 0, 0, 0])
        self.same("the shares", [one["share_minor"] for one in split["shares"]], [won // 2] * 2)
        signed = [len(one["signed_by"]) for one in hit["approvals"] if one["state"] == "used"]
        self.same("the signatures", signed, [2])
        gate = hit["gate"]
        self.same("the gate", (gate["state"], gate["amount_minor"]), ("passed", SEED + won % 2))
        own = next(one for one in gate["displays"] if one["display"] == self.display)
        self.same("what the display confirmed", digits(own["shown"]), str(SEED + won % 2))
        if self.house:
            drained, confirmed = (datetime.fromisoformat(text) for text in (hit["drained_at"], own["at"]))
            self.holds("the worker died before the last round ended", self.house.killed["worker"][1] < drained)
            self.holds("Redis died before the display confirmed", self.house.killed["redis"][1] < confirmed)

    def check_slips(self, share):
        """Two slips in a row, paid once with what coins can pay."""
        rows = {one["id"]: one for one in self.cage.every("slips/")}
        slips = [rows[slip["id"]] for slip in self.slips]
        self.same("the slips", [(one["state"], one["cash_minor"]) for one in slips], [("paid", to_coins(share))] * 2)
        self.same("what they are for", [one["award"]["amount_minor"] for one in slips], [share] * 2)
        self.same("their hit", {one["award"]["hit"] for one in slips}, {self.hit["id"]})
        numbers = sorted(one["number"] for one in rows.values())
        self.same("their numbers", numbers, list(range(1, len(rows) + 1)))


def royal(suit):
    """Box 1 has the royal flush with one hole card; the others lose to the dealer's pair."""
    board = " ".join(f"{rank}{suit}" for rank in "AKQJ") + (" 2d" if suit == "h" else " 2c")
    hands = {"1": f"T{suit} 9s" if suit != "s" else "Ts 9h", "2": "3c 4d", "3": "5c 6d"}
    boxes = {box: {"play": 4 if box == "1" else 1, "cards": cards} for box, cards in hands.items()}
    return {"board": board, "dealer": "9c 9d", "boxes": boxes}


def royal_pays(coins):
    """What that round pays, stake by stake: the winner by the paytable, Envy for each other coin, the jackpot by the slip."""
    paid = {(1, "ante"): 2 * ANTE, (1, "blind"): (1 + BLIND_ODDS) * ANTE, (1, "play"): 2 * 4 * ANTE}
    paid |= {(box, kind): 0 for box in range(2, GUESTS + 1) for kind in ("ante", "blind", "play")}
    paid |= {(box, "coin"): 0 for box in range(1, coins + 1)}
    return paid | {(box, "envy"): ENVY for box in range(2, coins + 1)}


def loses(coins):
    """What a round pays in which everybody folds."""
    lost = {(box, kind): 0 for box in range(1, GUESTS + 1) for kind in ("ante", "blind")}
    return lost | {(box, "coin"): 0 for box in range(1, coins + 1)}


def to_coins(amount_minor):
    """The nearest amount that coins can pay."""
    return (amount_minor + CASH // 2) // CASH * CASH


def digits(shown):
    """The digits of an amount as it is shown."""
    return "".join(sign for sign in shown if sign.isdigit())


def main():
    """Play it."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("address", nargs="?", default="http://127.0.0.1:8000")
    asked.add_argument("--kill", action="store_true", help="kill web, worker and Redis on the way")
    asked.add_argument("--screen", action="store_true", help="wait for a real browser to be the display")
    given = asked.parse_args()
    night = Night(given.address.rstrip("/"), kill=given.kill, screen=given.screen)
    night.open()
    night.play()
    night.decide()
    night.pay()
    new = night.check()
    right = f"Everything is as it must be; the meter stands at {new / 100:.2f}, and betting is open."
    say("\n".join(night.wrong or [right]))
    return 1 if night.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
