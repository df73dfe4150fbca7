"""An evening of Ultimate Texas Hold'em through the API, against a running demo house (`make run`).

    python docs/evening.py [http://127.0.0.1:8000] [--rounds 200]

Only the standard library. The pit boss opens four tables, guests arrive, rounds are locked and settled by taps, by cards and for
the jackpot alone; some are withdrawn, reopened, voided, corrected with an approval, played without the server, clarified. At the
end the tables close, and every figure is read back: what the API shows must be what was played, stake by stake. Ends with 1 if it
is not. `manage.py audit` on the same database then recomputes the books themselves.
"""

import argparse
import http.cookiejar
import json
import random  # noqa: TID251  (an evening that never was)
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

PASSWORD = "Saalchef-Demo-7310"  # noqa: S105  (the demo's, as its sign-in page shows it)
PINS = {"m.frei": "270415", "n.egli": "947582", "l.moretti": "158693", "p.gerber": "269704", "r.caduff": "381926"}
MANAGERS_PIN = "836471"  # of b.zumstein, who witnesses counts
ANTES, COIN = (500, 1000, 1500, 2500), 500
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


class Refused(Exception):
    """A refusal of the API: its problem document."""

    def __init__(self, problem):
        self.problem, self.code = problem, problem.get("code", "")
        super().__init__(f"{problem.get('status')} {self.code}: {problem.get('title')}")


class Caller:
    """A browser or tablet: its cookies, and what it says with each call."""

    def __init__(self, address):
        self.address, self.headers = address, {"Accept-Language": "en"}
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def ask(self, path, data=None, headers=None):
        """One request; gives address and text of the answer. Raises Refused."""
        request = urllib.request.Request(  # noqa: S310  (the address that was asked for)
            self.address + path, data, self.headers | (headers or {})
        )
        try:
            with self.opener.open(request, timeout=60) as response:
                return response.geturl(), response.read().decode()
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            json_came = "json" in error.headers.get("Content-Type", "")
            raise Refused(json.loads(text) if json_came else {"status": error.code, "title": path}) from None

    def form(self, path, **fields):
        """Send a form of a page, with the token that the page's cookie holds."""
        fields["csrfmiddlewaretoken"] = self.token()
        return self.ask(path, urllib.parse.urlencode(fields).encode())

    def token(self):
        """The token against forged forms."""
        return next((one.value for one in self.cookies if one.name.startswith("saalchef-csrf-")), "")

    def get(self, path, **query):
        """Read."""
        return json.loads(self.ask(f"/api/{path}?{urllib.parse.urlencode(query)}")[1])

    def every(self, path, **query):
        """All rows of a list, page by page."""
        rows, cursor = [], ""
        while cursor is not None:
            page = self.get(path, limit=100, **query, **({"cursor": cursor} if cursor else {}))
            rows, cursor = rows + page["results"], page["next"]
        return rows

    def command(self, path, body=None, key=None):
        """Command, under a key of its own; asked again with the same key it is the same command, and says `replayed`."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": key or str(uuid.uuid4())}
        answer = self.ask(f"/api/{path}", json.dumps(body or {}).encode(), headers | {"X-CSRFToken": self.token()})
        return json.loads(answer[1])

    def post(self, path, body=None, key=None):
        """As `command`; gives only what it answered."""
        answer = self.command(path, body, key)
        return answer.get("answer", answer)

    def code(self, username):
        """The code that this person's app would show now."""
        return json.loads(self.ask("/sign-in/demo/")[1])["codes"][username]


def office(address, username, kind=Caller):
    """Sign in at the office: password and the code that the demo shows."""
    caller = kind(address)
    code = caller.code(username)
    caller.ask("/sign-in/")
    where, _page = caller.form("/sign-in/", username=username, password=PASSWORD, code=code)
    if "/sign-in/" in where:
        raise SystemExit(f"{username} was not signed in")
    return caller


def tablet(address, table_id, username, kind=Caller):
    """Become a tablet of the table, as the demo allows with one tap, and sign in by PIN."""
    caller = kind(address)
    caller.ask("/tablet/enrol/")
    where, _page = caller.form("/tablet/demo/", table=table_id)
    device = urllib.parse.urlsplit(where).path.split("/")[2]
    where, _page = caller.form(f"/tablet/{device}/sign-in/", username=username, pin=PINS[username])
    if where.endswith("/sign-in/"):
        raise SystemExit(f"{username} was not signed in on the tablet")
    caller.headers["X-Saalchef-Device"] = device
    return caller


def display(address, jackpot_id):
    """Become a display of the jackpot, as the demo allows with one tap: the tables wait for it, and take coins."""
    caller = Caller(address)
    caller.ask("/display/enrol/")
    caller.form("/display/demo/", jackpot=jackpot_id)


def lies(caller, table, floats):
    """What lies in a tray, in minor units: as it was counted last, or the chips of its float, and what rounds have moved since."""
    counts = [row for row in caller.every("counts/", table=table["id"], state="signed") if row["place_kind"] == "tray"]
    if not counts:
        return worth(next(row for row in floats if row["name"] == table["posted"]["tray_float"])["data"]["lines"])
    since, session = counts[0]["signed"]["signed_at"], table["session"]
    rounds = caller.every("rounds/", session=session["id"]) if session else []
    ended = [row["id"] for row in rounds if row["state"] == "settled" and row["ended_at"] > since]
    lines = [line for round_id in ended for line in caller.get(f"rounds/{round_id}/")["lines"]]
    return worth(counts[0]["entries"][-1]["lines"]) + sum(line["stake_minor"] - line["paid_minor"] for line in lines)


def worth(lines):
    """What chips are worth together."""
    return sum(line["value_minor"] * line["pieces"] for line in lines)


def count(boss, manager, table_id, purpose):
    """Where a table is counted before it opens and before it closes: the pit boss counts its tray, the manager witnesses."""
    table = boss.get(f"tables/{table_id}/")
    if "cage_rules" not in table["posted"]:
        return
    minor = lies(boss, table, manager.every("posted-tables/", kind="tray_float"))
    pieces = []
    begun = boss.post(f"tables/{table_id}/counts/", {"purpose": purpose})
    chips = manager.every("posted-tables/", kind="chip_set")
    chips = next(row for row in chips if row["name"] == table["posted"]["chip_set"])["data"]["denominations"]
    for value in sorted((chip["value_minor"] for chip in chips), reverse=True):
        pieces.append({"value_minor": value, "pieces": minor // value})
        minor %= value
    boss.post(f"counts/{begun['id']}/enter/", {"lines": pieces, "secret": PINS["r.caduff"]})
    signed = manager.post(f"counts/{begun['id']}/witness/", {"entry": 1, "ok": True, "secret": MANAGERS_PIN})
    if signed["state"] != "signed" or signed["signed"]["difference_minor"]:
        raise SystemExit(f"{table['name']}: its {purpose} is not as its rounds say")


class Evening:
    """The floor of one evening, and what was played there."""

    def __init__(self, address, seed):
        self.address, self.luck = address, random.Random(seed)
        self.boss, self.setter = office(address, "r.caduff"), office(address, "a.gantenbein")
        self.manager = office(address, "b.zumstein")
        self.played, self.counted, self.coins, self.blind = {}, {}, 0, {}

    # Opening
    def open(self):
        """Four tables: two fast, one by cards, one for the jackpot alone; the second fast one without a jackpot."""
        self.jackpot = self.boss.every("jackpots/")[0]
        displays = self.boss.every(f"jackpots/{self.jackpot['id']}/displays/")
        if not any(one["required_since"] for one in displays):
            display(self.address, self.jackpot["id"])
        dealers = {one["name"]: one["id"] for one in self.boss.every("croupiers/")}
        self.martina, self.reto = dealers["Martina Frei"], dealers["Reto Caduff"]
        self.tables = self.boss.every("tables/")[:4]
        self.setter.post(f"tables/{self.tables[1]['id']}/link/", {"jackpot": None})
        self.tablets, self.guests, self.levels = {}, {}, {}
        for table, level in zip(self.tables, ("fast", "fast", "full_cards", "jackpot_only"), strict=True):
            place = f"tables/{table['id']}/"
            if table["state"] == "open":
                self.shut(table)  # of an evening before this one
            count(self.boss, self.manager, table["id"], "opener")
            self.boss.post(f"{place}open/", {"croupier": self.martina, "entry_level": level})
            self.levels[table["id"]] = level
            self.tablets[table["id"]] = tablet(self.address, table["id"], "m.frei")
            self.guests[table["id"]] = [
                self.boss.post(f"{place}guests/", {"box": box, "seated": True})
                for box in range(1, self.luck.randint(4, table["boxes"]) + 1)
            ]

    # Rounds
    def stakes(self, table_id, *, linked=True):
        """Stakes of the guests: Ante and Blind, often Trips, and coins where there is a jackpot."""
        stakes = []
        for guest in self.guests[table_id]:
            ante, level = self.luck.choice(ANTES), self.levels[table_id]
            laid = {"coin": COIN} if level == "jackpot_only" else {"ante": ante, "blind": ante}
            if level != "jackpot_only" and self.luck.random() < 0.4:
                laid["trips"] = self.luck.choice(ANTES)
            if level != "jackpot_only" and linked and self.luck.random() < 0.6:
                laid["coin"] = COIN
            where = {"box": guest["box"], "guest": guest["id"]}
            stakes += [where | {"kind": kind, "amount_minor": amount} for kind, amount in laid.items()]
        return stakes + self.further(table_id)

    def further(self, table_id):
        """Now and then the last guest plays the free box beside him too, blind: its Play lies there from the start."""
        last, table = self.guests[table_id][-1], next(one for one in self.tables if one["id"] == table_id)
        free = last["box"] < table["boxes"] and table is not self.tables[1] and self.levels[table_id] != "jackpot_only"
        self.blind[table_id] = None
        if not free or self.luck.random() >= 0.3:
            return []
        ante, times = self.luck.choice(ANTES), self.luck.choice((1, 2, 4))
        self.blind[table_id] = last["box"] + 1, times
        where = {"box": last["box"] + 1, "guest": last["id"]}
        laid = {"ante": ante, "blind": ante, "play": times * ante}
        return [where | {"kind": kind, "amount_minor": amount} for kind, amount in laid.items()]

    def result(self, table_id):
        """How the round ended: tapped, from a shuffled deck, or the hands that coins are paid for."""
        boxes, level = [guest["box"] for guest in self.guests[table_id]], self.levels[table_id]
        blind, times = self.blind[table_id] or (None, 0)
        if level == "jackpot_only":
            return {"boxes": {str(box): {"hand": "straight"} for box in boxes if self.luck.random() < 0.05}}
        if level == "fast":
            tapped = {str(box): self.tapped() for box in boxes}
            seen = {str(blind): {"play": times, "result": self.luck.choice(("win", "lose"))}} if blind else {}
            return {"boxes": tapped | seen}
        boxes += [blind] if blind else []
        deck = self.luck.sample(DECK, 7 + 2 * len(boxes))
        hands = {box: " ".join(deck[7 + 2 * place : 9 + 2 * place]) for place, box in enumerate(boxes)}
        plays = {box: times if box == blind else self.luck.choice((4, 2, 1, 1, 0)) for box in boxes}
        cards = {str(box): {"cards": hands[box], "play": plays[box]} for box in boxes}
        return {"board": " ".join(deck[:5]), "dealer": " ".join(deck[5:7]), "boxes": cards}

    def tapped(self):
        """What a croupier taps for one box."""
        draw = self.luck.random()
        if draw < 0.2:
            return {"play": 0, "result": "fold"}
        play = self.luck.choice((4, 2, 1))
        if draw < 0.25:
            return {"play": play, "result": "win", "hand": self.luck.choice(("straight", "flush"))}
        return {"play": play, "result": self.luck.choice(("win", "lose", "lose", "tie"))}

    def lock(self, table_id):
        """No more bets; gives the round's id."""
        round_id, linked = str(uuid.uuid4()), table_id != self.tables[1]["id"]
        stakes = self.stakes(table_id, linked=linked)
        self.tablets[table_id].post(f"tables/{table_id}/rounds/{round_id}/lock/", {"stakes": stakes})
        return round_id, sum(one["kind"] == "coin" for one in stakes)

    def play(self, table_id):
        """A whole round; one whose cards nobody saw is voided. Gives its id."""
        round_id, coins = self.lock(table_id)
        try:
            settled = self.tablets[table_id].post(f"rounds/{round_id}/settle/", {"result": self.result(table_id)})
        except Refused as refused:
            if refused.code != "uth.cards_missing":
                raise
            self.boss.post(f"rounds/{round_id}/void/", {"reason": "the cards were swept in unseen"})
            self.count("voided")
            return None
        self.played[round_id] = settled
        self.coins += coins
        if self.blind[table_id]:
            self.count("boxes played blind")
        self.count(f"settled, {self.levels[table_id].replace('_', ' ')}")
        return round_id

    def count(self, what):
        """Count what happened."""
        self.counted[what] = self.counted.get(what, 0) + 1

    # What goes wrong on an evening
    def mishaps(self):
        """A lock without an answer, a lock too early, a misdeal, a new croupier, a wrong entry, a dead network."""
        fast, plain = self.tables[0]["id"], self.tables[1]["id"]
        self.withdraw(fast)
        round_id, _coins = self.lock(fast)
        self.tablets[fast].post(f"rounds/{round_id}/reopen/")
        self.count("reopened")
        round_id, _coins = self.lock(fast)
        self.boss.post(f"rounds/{round_id}/void/", {"reason": "misdeal"})
        self.count("voided")
        self.correct(plain)
        self.queue(plain)
        round_id, _coins = self.lock(plain)  # the pit boss takes over in the middle of a round, on his own tablet
        self.boss.post(f"tables/{plain}/hand-over/", {"croupier": self.reto})
        self.tablets[plain] = tablet(self.address, plain, "r.caduff")
        self.played[round_id] = self.tablets[plain].post(f"rounds/{round_id}/settle/", {"result": self.result(plain)})
        self.count("settled after a hand-over")

    def withdraw(self, table_id):
        """A lock whose answer never came is withdrawn; when it comes after all it is refused, and kept for the pit."""
        round_id, stakes = str(uuid.uuid4()), self.stakes(table_id)
        where = f"tables/{table_id}/rounds/{round_id}"
        self.tablets[table_id].post(f"{where}/withdraw/")
        self.count("withdrawn")
        try:
            self.tablets[table_id].post(f"{where}/lock/", {"stakes": stakes})
        except Refused as refused:
            kept = refused.problem["to_clarify"]["id"]
        self.boss.post(f"to-clarify/{kept}/dismiss/", {"reason": "the chips went back"})
        self.count("dismissed")

    def correct(self, table_id):
        """The croupier mistyped and noticed it after the next lock: the manager asks, the pit boss signs by PIN."""
        round_id = None
        while round_id is None:
            round_id = self.play(table_id)
        self.play(table_id)
        boxes = {str(guest["box"]): {"play": 1, "result": "win"} for guest in self.guests[table_id]}
        wanted = {"result": {"boxes": boxes}, "reason": "the dealer did not qualify"}
        asked = self.manager.post(f"rounds/{round_id}/correction-request/", wanted)
        seen = {"payload_hash": asked["payload_hash"], "secret": PINS["r.caduff"]}
        self.boss.post(f"approvals/{asked['id']}/sign/", seen)
        approved = wanted | {"approval": asked["id"]}
        self.played[round_id] = self.manager.post(f"rounds/{round_id}/correct/", approved)
        self.count("corrected with an approval")

    def queue(self, table_id):
        """Rounds played without the server, sent in one batch; one has a stake off the step, which the pit looks at."""
        rounds = [
            {"round": str(uuid.uuid4()), "stakes": self.stakes(table_id, linked=False), "result": self.result(table_id)}
            for _ in range(5)
        ]
        rounds[2]["stakes"][0]["amount_minor"] += 1
        sent = self.tablets[table_id].post(f"tables/{table_id}/queued-rounds/", {"rounds": rounds})
        for one in sent["rounds"]:
            if one["outcome"] == "to_clarify":
                self.boss.post(f"to-clarify/{one['to_clarify']['id']}/dismiss/", {"reason": "counted again: 5 chips"})
                self.count("dismissed")
            else:
                self.played[one["round"]] = one["answer"]
                self.count("queued and taken")

    def take(self, table_id):
        """A settlement of a round that somebody has withdrawn comes late; a round locked meanwhile is taken by the pit."""
        round_id, stakes = str(uuid.uuid4()), self.stakes(table_id, linked=False)
        batch = {"round": round_id, "stakes": stakes, "result": self.result(table_id)}
        running, _coins = self.lock(table_id)
        sent = self.tablets[table_id].post(f"tables/{table_id}/queued-rounds/", {"rounds": [batch]})["rounds"][0]
        self.played[running] = self.tablets[table_id].post(
            f"rounds/{running}/settle/", {"result": self.result(table_id)}
        )
        self.count("settled, fast")
        self.played[round_id] = self.boss.post(
            f"to-clarify/{sent['to_clarify']['id']}/take/", {"reason": "seen on camera"}
        )["round"]
        self.count("taken after clarifying")

    # Closing
    def shut(self, table):
        """A table closes, its chips and cards counted."""
        count(self.boss, self.manager, table["id"], "closer")
        self.boss.post(f"tables/{table['id']}/close/", {"cards_complete": True})

    def close(self):
        """All tables close; the second one is linked again."""
        for table in self.tables:
            self.shut(table)
        self.setter.post(f"tables/{self.tables[1]['id']}/link/", {"jackpot": self.jackpot["id"]})

    def check(self):
        """Read everything back; gives what is not as it was played."""
        wrong = []
        for round_id, settled in self.played.items():
            there = self.boss.get(f"rounds/{round_id}/")
            shown = [(one["box"], one["kind"], one["stake_minor"], one["paid_minor"]) for one in there["lines"]]
            said = [(one["box"], one["kind"], one["stake_minor"], one["paid_minor"]) for one in settled["lines"]]
            laid = sum(one["accepted_minor"] for one in there["stakes"])
            if (there["state"], shown) != ("settled", said):
                wrong.append(f"round {round_id} is {there['state']}, and not as it was settled")
            if laid != sum(stake for _box, _kind, stake, _paid in shown):
                wrong.append(f"round {round_id}: stakes and lines differ")
        now = self.boss.get(f"jackpots/{self.jackpot['id']}/")
        grown = now["shown_minor"] - self.jackpot["shown_minor"]
        if self.coins and grown % self.coins:
            wrong.append(f"the meter grew by {grown} with {self.coins} coins")
        if any(table["state"] == "open" for table in self.boss.every("tables/")[:4]):
            wrong.append("a table is open")
        return wrong, grown

    def summary(self):
        """What was played, for people."""
        lines = [line for settled in self.played.values() for line in settled["lines"]]
        staked, paid = (sum(line[name] for line in lines) for name in ("stake_minor", "paid_minor"))
        yield from (f"{count:5} {what}" for what, count in sorted(self.counted.items()))
        yield f"{len(lines):5} stakes of {staked / 100:.2f} in all, paid {paid / 100:.2f}, {self.coins} coins"


def main():
    """Play the evening."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("address", nargs="?", default="http://127.0.0.1:8000")
    asked.add_argument("--rounds", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    evening = Evening(given.address.rstrip("/"), given.seed)
    evening.open()
    for number in range(given.rounds):
        evening.play(evening.tables[number % 4]["id"])
    evening.mishaps()
    evening.take(evening.tables[1]["id"])
    evening.close()
    wrong, grown = evening.check()
    print(*evening.summary(), f"The meter grew by {grown / 100:.2f}.", sep="\n")  # noqa: T201
    print(*wrong or ["Every round reads as it was played; the tables are closed."], sep="\n")  # noqa: T201
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
