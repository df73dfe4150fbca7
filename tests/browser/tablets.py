"""A croupier's tablet in Chromium: enrolled, signed in, tapped by the words and places that people see."""

import itertools
import re
from zoneinfo import ZoneInfo

from playwright.sync_api import Locator, Page, expect

from casino.devices.kinds import TABLETS
from casino.devices.models import Device
from casino.devices.services import device_code_make, device_enrol
from casino.devices.signin import device_sign_in
from casino.people.models import Person
from casino.people.pins import pin_set
from tables.models import Round, Table
from tests.browser.conftest import address_of
from tests.browser.people import somebody
from tests.casino.devices.devices import PIN

_numbers = itertools.count(1)
DEAD_MS = 650  # the action takes no tap for so long after a change of phase
# A test does not wait for that, it puts the page's stop-watch on; `test_mistakes_are_taken_back` taps twice at once.
STOP_WATCH = """(() => {
    const now = performance.now.bind(performance);
    window.passed = 0;
    performance.now = () => now() + window.passed;
    const after = window.setTimeout;  // whether the page is stored after half a minute is asked by `judge` alone
    window.setTimeout = (act, ms, ...more) => (ms === 30000 ? void (window.judge = act) : after(act, ms, ...more));
})()"""

PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
# The page's stop-watch stands, and goes on only as `passed` says, until it goes by itself again.
STANDS = """() => {
    window.goes = performance.now;
    const at = performance.now() - passed;
    performance.now = () => at + passed;
}"""
GOES = "() => { performance.now = window.goes; }"

# A page that never asks by itself: what it knows, it was told.
ASKS_NEVER = """(() => {
    const every = setInterval;
    window.setInterval = (act, ms) => every(act, ms === 1000 ? 1e9 : ms);
})()"""

# On a busy machine the steps of a test take seconds of which a croupier knows nothing: here a tenth of them passes.
UNHURRIED = """(() => {
    const [now, ms, after] = [Date.now.bind(Date), performance.now.bind(performance), AbortSignal.timeout.bind(AbortSignal)];
    const from = Number(sessionStorage.from ??= now());
    Date.now = () => Math.round(from + (now() - from) / 10);
    performance.now = () => ms() / 10;
    AbortSignal.timeout = (patience) => after(patience * 10);
})()"""

# Not `wait_for_function`: what is not true at once it asks again by `eval`, which the policy rightly forbids.
CONTROLLED = """() => new Promise(done => {
    navigator.serviceWorker.addEventListener('controllerchange', () => done());
    if (navigator.serviceWorker.controller) done();
})"""
KEPT = """async () => {
    const shell = await caches.open('saalchef-shell');
    while (!(await shell.match(location.href))) await new Promise(done => setTimeout(done, 50));
}"""
# What is read of the database after a tap waits for what the tap writes there.
WRITTEN = "async () => { await (await import('tablet/frame/store')).stepsRead(); }"


# From now on the page writes down how high its tones are.
TONES = """() => {
    window.tones = [];
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (at) { tones.push(this.frequency.value); return start.call(this, at); };
}"""


class Tablet:
    """One tablet at one table, with the round on its screen. `taps` counts every tap that a finger makes."""

    def __init__(self, page: Page, table: Table, person: Person) -> None:
        self.page, self.table, self.person = page, table, person
        self.device = self._enrol()
        pin_set(person=person, pin=PIN)
        page.context.add_init_script(STOP_WATCH)
        self.sign_in()

    def _enrol(self) -> Device:
        boss = somebody(self.table.house, "pit_boss")
        device, token = device_enrol(
            kind="tablet",
            code=device_code_make(kind="tablet", place_id=self.table.pk, name=f"Tablet {next(_numbers)}", by=boss)[1],
        )
        cookie = {"name": TABLETS.cookie(device.pk), "value": token, "url": address_of(self.page)}
        self.page.context.add_cookies([cookie])
        return device

    def sign_in(self) -> None:
        """Sign the person in without the form, and open the round."""
        device_sign_in(device=self.device, pin=PIN, username=self.person.username)
        self.page.goto(f"/tablet/{self.device.pk}/")
        self.phase("bets|play")

    @property
    def zone(self) -> ZoneInfo:
        """Where the house is."""
        return ZoneInfo(self.table.house.time_zone)

    def has_worker(self) -> None:
        """Wait until the service worker answers this page, and has kept it."""
        self.page.evaluate(CONTROLLED)
        self.page.evaluate(KEPT)

    def written(self) -> None:
        """Wait until every tap is in the browser's database: the screen shows it before, and a page that ends now would lose it."""
        self.page.evaluate(WRITTEN)

    def reload(self) -> None:
        """Load the page anew, some time after the last tap."""
        self.written()
        self.page.reload()

    # Places on the screen
    @property
    def action(self) -> Locator:
        return self.page.locator(".action")

    def box(self, number: int) -> Locator:
        return self.page.locator(".columns > *").nth(number - 1)

    def tile(self, box: int, part: str) -> Locator:
        return self.box(box).locator(f"[data-part={part}]")

    def key(self, words: str) -> Locator:
        """A key of the rail or the dock."""
        return self.page.locator(".rail-key, .dock .key").filter(has_text=words)

    def chip(self, amount: str) -> Locator:
        return self.page.locator(".dock").get_by_role("button", name=amount, exact=True)

    def phase(self, name: str) -> None:
        """Wait until the round is in this phase."""
        expect(self.page.locator(".round")).to_have_attribute("data-phase", re.compile(f"^({name})$"))

    # Taps
    def seat(self, *boxes: int) -> None:
        for box in boxes:
            self.box(box).tap()
            expect(self.box(box).locator(".guest")).not_to_be_empty()

    def act(self) -> None:
        """Tap the large action, as late as a finger that has seen it: when what is drawn now has been painted."""
        self.page.evaluate(PAINTED)
        self.page.evaluate(f"passed += {DEAD_MS}")
        self.action.tap()

    def lock(self) -> None:
        self.act()
        self.phase("play")

    def cell(self, box: int, name: str) -> None:
        """Tap `4+`, `1-` or `fold`."""
        times = name[0]
        wanted = "0:fold" if name == "fold" else f"{times}:{'win' if name[1] == '+' else 'lose'}"
        self.box(box).locator(f'[data-cell="{wanted}"]').tap()

    def hand(self, name: str) -> None:
        self.page.locator(f"[data-hand='{name}']").tap()

    def cards(self, text: str) -> None:
        """Tap cards, as late as a finger that has seen the keys."""
        self.page.evaluate(f"passed += {DEAD_MS}")
        for card in text.split():
            self.page.locator(f"[data-card='{card}']").tap()

    def finish(self) -> None:
        self.act()
        self.phase("bets")

    def rounds(self) -> list[Round]:
        """What the server has of this table, in the order of the numbers."""
        return list(Round.objects.filter(table=self.table).order_by("number"))
