"""From an empty database to the first round, by the pages alone: three people, a screen and a tablet, each in a browser of its own.

What they do is counted: clicks and taps, and what they type.
"""

import base64
import re
import time
from dataclasses import dataclass

from django_otp.oath import hotp
from playwright.sync_api import Locator, Page, expect

PASSWORD, PIN = "Viel-zu-lang-fuer-einen-Zettel", "271828"
ROUND_THE_CLOCK = {"opens": "06:00", "closes": "30:00", "closes_latest": "30:00", "live_from": ""}
PERIOD_S, DEAD_MS = 30, 700


@dataclass
class Count:
    """What hands did."""

    clicks: int = 0
    fields: int = 0


@dataclass
class Someone:
    """One person at his own browser, with an authenticator in his pocket."""

    page: Page
    username: str
    count: Count
    secret: bytes = b""
    last_step: int = 0

    def click(self, where: Locator) -> None:
        self.count.clicks += 1
        where.click()

    def type(self, where: Locator | str, text: str) -> None:
        self.count.fields += 1
        (self.page.locator(where) if isinstance(where, str) else where).fill(text)

    def choose(self, where: str, label: str | re.Pattern[str]) -> None:
        self.count.clicks += 2
        select = self.page.locator(where)
        if isinstance(label, str):
            select.select_option(label=label)
        else:
            select.select_option(label=select.locator("option").filter(has_text=label).first.inner_text())

    def send(self, form: str) -> None:
        """Press the button of the form that goes there."""
        self.click(self.page.locator(f'form[action$="{form}"] button:not([type=button])').last)

    def code(self) -> str:
        """The next code that the app shows; each is taken once, and one step ahead is taken too."""
        while (step := max(int(time.time()) // PERIOD_S, self.last_step + 1)) > int(time.time()) // PERIOD_S + 1:
            self.page.wait_for_timeout(1000)
        self.last_step = step
        return f"{hotp(self.secret, step):06d}"

    def tap(self, where: Locator) -> None:
        """As late as a finger that has seen what is drawn: the action takes no tap right after a change."""
        self.page.wait_for_timeout(DEAD_MS)
        self.click(where)

    # Signing in
    def sign_in_first(self, password: str, own: str = "") -> None:
        """The first sign-in: in place of a one-time password an own one, and the authenticator."""
        page = self.page
        page.goto("/sign-in/")
        self.type("[name=username]", self.username)
        self.type("[name=password]", password)
        self.click(page.locator("form.sign-in button[type=submit]"))
        if own:
            self.type("[name=password]", own)
            self.type("[name=again]", own)
            self.click(page.locator("main button[type=submit]"))
        shown = page.locator("dd.secret").inner_text().replace(" ", "").upper()
        self.secret = base64.b32decode(shown + "=" * (-len(shown) % 8))
        self.type("[name=code]", self.code())
        self.click(page.locator("main button[type=submit]"))
        expect(page.locator("main")).to_contain_text(re.compile("First steps|Erste Schritte"))

    def to_first_steps(self) -> None:
        self.page.goto("/")
        self.click(self.page.locator('a[href="/first-steps/"]'))

    def open_steps(self) -> list[str]:
        """The steps that the page says are still to be done."""
        self.page.goto("/first-steps/")
        ids = self.page.eval_on_selector_all(".first > .open", "all => all.map(one => one.id)")
        return [str(one).removeprefix("step-") for one in ids]


def add_person(manager: Someone, username: str, full_name: str, *roles: str) -> str:
    """By the page of people; gives the one-time password."""
    manager.to_first_steps()
    manager.click(manager.page.locator('a[href="/admin/casino/person/add/"]'))
    manager.type("[name=username]", username)
    manager.type("[name=full_name]", full_name)
    if manager.page.locator("select[name=house]").count():
        manager.choose("select[name=house]", re.compile("Casino"))
    for role in roles:
        manager.click(manager.page.locator(f"[name=roles][value={role}]"))
    manager.click(manager.page.locator("[name=_save]"))
    return manager.page.locator("dd.secret").inner_text()


def rules(technician: Someone, *signers: Someone) -> None:
    """The starter set is drafted, its hours are changed, its signatures asked for and given."""
    technician.to_first_steps()
    technician.send("/first-steps/draft/")
    technician.click(technician.page.locator("#step-hours .button"))
    for name, text in ROUND_THE_CLOCK.items():
        for day in range(7):
            technician.type(f'[name="f.week.{day}.{name}"]', text)
    technician.click(technician.page.locator("form.drafting button.act"))
    technician.to_first_steps()
    technician.send("/first-steps/ask/")
    for signer in signers:
        signer.to_first_steps()
        signer.type("#sign-secret", signer.code())
        signer.send("/first-steps/sign/")


def floor(technician: Someone) -> None:
    """A pit, a jackpot, a table, and the link between the two."""
    technician.to_first_steps()
    technician.click(technician.page.locator("#step-tables .button"))
    technician.type("#pit-name", "Saal")
    technician.send("/set-up/pit/")
    technician.type("#jackpot-name", "Progressive")
    technician.send("/set-up/jackpot/")
    technician.type("#table-uth-name", "UTH 1")
    technician.click(technician.page.locator("form:has(#table-uth-name) button.act"))  # each game has its own
    technician.choose("select[name=jackpot]", "Progressive")
    technician.send("/set-up/link/")


def display(technician: Someone, screen: Page) -> None:
    """A code, typed on the screen; then the tables wait for it."""
    technician.to_first_steps()
    technician.click(technician.page.locator("#step-displays .button"))
    technician.send("/devices/display/")
    screen.goto("/display/enrol/")
    screen.locator("#code").fill(technician.page.locator(".secret").inner_text())
    screen.keyboard.press("Enter")
    expect(screen).to_have_url(re.compile(r"/display/[0-9a-f-]{36}/"))
    technician.page.goto("/devices/")
    technician.click(technician.page.locator('form[action$="/require/"] button'))


def tablet(technician: Someone, page: Page) -> None:
    technician.to_first_steps()
    technician.click(technician.page.locator("#step-tablets .button"))
    technician.send("/devices/code/")
    page.goto("/tablet/enrol/")
    page.locator("#code").fill(technician.page.locator(".secret").inner_text())
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/tablet/[0-9a-f-]{36}/"))


def cash(manager: Someone) -> None:
    manager.to_first_steps()
    for name, amount in (("cash", "200000"), ("chips", "150000"), ("fill", "50000")):
        manager.type(f"#cash-{name}", amount)
    manager.send("/first-steps/cash/")


def pin(croupier: Someone, password: str) -> None:
    croupier.page.goto("/pin/")
    croupier.type("[name=present]", password)
    croupier.type("[name=pin]", PIN)
    croupier.type("[name=again]", PIN)
    croupier.click(croupier.page.locator("main form button.act"))


def open_table(boss: Someone, croupier: str) -> None:
    boss.to_first_steps()
    boss.click(boss.page.locator("#step-round .button"))
    boss.click(boss.page.locator(".tile a").first)
    boss.choose("#open-croupier", croupier)
    boss.send("/open/")  # asks once: who was made today signs and pays no prize before tomorrow
    boss.type("#open-reason", "erster Abend, die Leitung ist im Haus")
    boss.send("/open/")


def play(croupier: Someone, full_name: str, tablet: Page) -> None:
    """On the tablet: name and PIN, a guest with a coin, no more bets, he folds, settled."""
    hand = Someone(tablet, croupier.username, croupier.count)
    tablet.goto("/tablet/")
    hand.click(tablet.locator("label.one").filter(has_text=full_name))
    hand.type("#pin", PIN)  # with the sixth digit it is sent
    box = tablet.locator(".columns > *").first
    for where in (box, box.locator("[data-part=coin]"), tablet.locator(".action")):
        hand.tap(where)
    expect(tablet.locator(".round")).to_have_attribute("data-phase", "play")
    for where in (box.locator('[data-cell="0:fold"]'), tablet.locator(".action")):
        hand.tap(where)
    expect(tablet.locator(".round")).to_have_attribute("data-phase", "bets")
