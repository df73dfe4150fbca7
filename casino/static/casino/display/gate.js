// What the display says to the server: that it lives, what it shows, and, when tables wait for it, that it shows the new value.
import { isNoAnswer } from "display/feed";
import { digits } from "display/wheels";

const ALIVE_MS = 2_000;
const LOOK_MS = 200;
const FIRST_MS = 500;
const MOST_MS = 4_000;
const SESSION_MS = 6_000; // a session that was not heard for so long is live no more
const HEAL_MS = 2_000;
const FACE = '600 40px "Barlow Condensed"';
const HANDOVER = "saalchef-display-session";

export class Gate {
  // `view` shows; `feed` knows what is to be shown. `gone()`: the display is enrolled no more.
  constructor(settings, view, feed, gone) {
    Object.assign(this, { settings, view, feed, gone });
    this.session = session(settings.device);
    this.liveUntil = 0;
    this.next = 0; // when the next confirmation may be tried
    this.wait = FIRST_MS;
    this.healed = 0;
  }

  start() {
    this.alive();
    setInterval(() => this.alive(), ALIVE_MS);
    setInterval(() => this.look(), LOOK_MS);
  }

  async alive() {
    const { version = 0 } = this.feed.newest ?? {};
    const answer = await this.post(this.settings.alive, {
      session: this.session,
      shown: this.view.wheels.read(),
      version,
    });
    if (answer === null) return;
    if (answer.ok) this.liveUntil = performance.now() + SESSION_MS;
    const isElsewhere = answer.code === "display.session_taken";
    if (isElsewhere) this.liveUntil = 0;
    if (answer.ok || isElsewhere) this.view.elsewhere(isElsewhere);
  }

  // Confirm what is visible, if a gate waits for this display and every wheel stands still on the right digit.
  async look() {
    const told = this.feed.newest;
    const mine = told?.waiting_for.displays.find((one) => one.display === this.settings.device);
    if (!told?.gate || mine?.state !== "waiting") {
      this.wait = FIRST_MS;
      this.next = 0;
      return;
    }
    if (this.confirming || performance.now() < this.next || !this.isFit()) return;
    const shown = this.view.wheels.read();
    if (digits(shown) !== digits(told.text) || shown.includes("?")) {
      this.heal();
      return;
    }
    this.confirming = true;
    const { number: gate, nonce, version } = told.gate;
    const answer = await this.post(this.settings.confirm, {
      session: this.session,
      gate,
      nonce,
      version,
      shown,
    });
    this.confirming = false;
    this.view.refused(answer === null || answer.ok ? "" : answer.code);
    this.next = performance.now() + (answer?.ok ? MOST_MS : this.wait * (0.5 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, MOST_MS);
  }

  isFit() {
    return (
      !this.feed.isStale &&
      performance.now() < this.liveUntil &&
      document.visibilityState === "visible" &&
      document.fonts.status === "loaded" &&
      document.fonts.check(FACE) &&
      this.view.wheels.still &&
      this.view.isThere
    );
  }

  // A wheel stands wrong: they are made anew, now and then, and looked at again.
  heal() {
    if (performance.now() - this.healed < HEAL_MS) return;
    this.healed = performance.now();
    this.view.wheels.show(this.feed.newest.text, true);
  }

  // The answer's `ok` and the `code` of a refusal; null if there was none, or none that can be understood.
  async post(address, body) {
    try {
      const headers = {
        Accept: "application/json",
        "Content-Type": "application/json",
        "X-Saalchef-Device": this.settings.device,
      };
      const answer = await fetch(address, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
        cache: "no-store",
        signal: AbortSignal.timeout(4_000),
      });
      if (answer.ok) return { ok: true, code: "" };
      const { code = "" } = await answer.json();
      if (code === "device.not_enrolled") this.gone();
      return { ok: false, code };
    } catch (error) {
      if (!isNoAnswer(error)) throw error;
      return null;
    }
  }
}

// A session of one load of the page. A reload hands it on, or the display would take itself for another for 6 s; a copy of the window
// gets none, since it is only written while the page goes.
function session(device) {
  const key = `${HANDOVER}-${device}`;
  const handed = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  const own = handed ?? uuid();
  addEventListener("pagehide", () => sessionStorage.setItem(key, own));
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  return own;
}

// `crypto.randomUUID` is there on HTTPS only, and a house's own network may do without.
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
  return [8, 12, 16, 20].reduceRight(
    (text, place) => `${text.slice(0, place)}-${text.slice(place)}`,
    hex,
  );
}
