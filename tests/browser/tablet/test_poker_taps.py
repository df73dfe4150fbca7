"""How many taps a hand of poker takes at *rake only*: two, counted by a script on the real page; one where nothing is raked."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.hands import PatientRoom, hand_tablet

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1_200)]
HANDS = 60
PLAY = """async ([hands, isRaked]) => {
    const [LATE_MS, MOST_MS] = [700, 60_000];
    let [ahead, taps] = [0, 0];
    const clock = performance.now.bind(performance);
    performance.now = () => clock() + ahead;
    const tap = async (found) => {
        if (!found || found.disabled) throw new Error(`nothing to tap: ${document.body.innerText}`);
        taps += 1;
        ahead += LATE_MS;
        found.click();
        await new Promise(done => setTimeout(done));
    };
    const { draft } = await import("tablet/hand/state");
    const become = async (isSo) => {
        const until = Date.now() + MOST_MS;
        while (!isSo(draft.value)) {
            if (Date.now() > until) throw new Error(document.body.innerText);
            await new Promise(done => setTimeout(done, 5));
        }
        await new Promise(done => setTimeout(done));
    };
    const counted = [];
    for (let number = 0; number < hands; number += 1) {
        taps = 0;
        const { hand } = draft.value;
        if (isRaked) {
            const keys = [...document.querySelectorAll(".dock [data-key]")].filter(key => key.dataset.key !== "other");
            await tap(keys[number % keys.length]);
            await become(now => now.phase === "between");
        }
        await tap(document.querySelector(".action"));
        await become(now => now.phase === "dealt" && now.hand !== hand);
        counted.push(taps);
    }
    return counted;
}"""


@pytest.mark.parametrize(("kind", "most"), [("raked", 2), ("timed", 1)])
def test_taps_of_a_hand(floor_server: object, new_floor_page: Callable[..., Page], kind: str, most: int) -> None:
    room = PatientRoom()
    tablet = hand_tablet(new_floor_page, room, getattr(room, kind))
    for seat in range(1, 7):
        tablet.buy_in(seat, 4_000)
    tablet.next_hand()
    taps = tablet.page.evaluate(PLAY, [HANDS, kind == "raked"])
    tablet.page.locator(".helps").tap()  # another tap: the last one goes
    tablet.page.evaluate("async () => (await import('tablet/hand/flow')).release()")
    assert taps == [most] * HANDS
    assert len(tablet.hands(HANDS)) == HANDS
    assert tablet.page.get_by_role("alert").count() == 0
