// A tablet that nobody touches between two rounds asks for the PIN of who is signed in (`idle_minutes` of the floor rules).
//
// Never while a round runs, while something waits for its answer, or without the server, which alone knows the PIN. What was entered
// stays as it is. The server is told, and takes no command from then on; a page that is loaded anew knows it from there or from here.
//
// The server is told of touches, too, and of a round that runs: it takes no command of a tablet of
// which it heard nothing for longer than that, as after hours without a connection. The page asks
// for the PIN then as soon as no round runs, whatever waits to be sent.
import { useState } from "preact/hooks";
import { page, remember } from "tablet/frame/page";
import { idle, left, pending } from "tablet/frame/outbox";
import { link } from "tablet/frame/live";
import { isRunning } from "tablet/play";
import { html, icon, w } from "tablet/frame/words";
import { PIN, PinPad } from "tablet/frame/pin-pad";
import { wrong } from "tablet/frame/sound";
import { working } from "tablet/frame/screen";

const [LOOK_MS, NOTE_MS, USE_MS] = [1_000, 10_000, 60_000];
const KEPT = `saalchef-tablet-touched-${page.device}`;

const before = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
let touchedAt = before.of === page.session ? before.at : Date.now() - page.signed_in_s * 1000;
let notedAt = 0;
let isTold = page.idle;
let useToldAt = -Infinity;
if (before.of === page.session && before.idle) idle.value = true;

const note = () => {
  notedAt = Date.now();
  remember(KEPT, JSON.stringify({ of: page.session, at: touchedAt, idle: idle.value }));
};

function touched() {
  touchedAt = Date.now();
  if (idle.value) return;
  if (touchedAt - notedAt > NOTE_MS) note();
  tellUse();
}

const isHeard = () => ["ok", "slow"].includes(link.value);

function tellUse() {
  if (performance.now() - useToldAt < USE_MS || !isHeard()) return;
  useToldAt = performance.now();
  post(page.urls.touched)
    .then(async (answer) => {
      if (answer.status === 401) left.value = (await answer.json()).code === "device.idle";
    })
    .catch(() => {
      useToldAt = -Infinity; // told by the next touch
    });
}

const isFree = () =>
  !isRunning() && !working.value && !pending.value.some((one) => !one.refused) && isHeard();
const isDue = () => Math.abs(Date.now() - touchedAt) > page.game.idle_s * 1000; // also by a clock that was set back

function look() {
  if (!idle.value && isRunning()) tellUse();
  if (!idle.value && ((isDue() && isFree()) || (left.value && !isRunning()))) {
    idle.value = true;
    note();
    document.querySelector("dialog[open]")?.close();
  }
  if (idle.value && !isTold) tell();
}

// True once the server takes no command of this tablet; asked again each second until it says so.
let telling = null;
const tell = () =>
  (telling ??= post(page.urls.idle)
    .then((answer) => {
      isTold = answer.ok;
      return isTold;
    })
    .catch(() => false)
    .finally(() => {
      telling = null;
    }));

function post(address, fields = {}) {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return fetch(address, {
    method: "POST",
    body,
    headers: { Accept: "application/json", "Accept-Language": document.documentElement.lang },
    redirect: "error",
    cache: "no-store",
  });
}

export function watchIdle() {
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, touched, { capture: true });
  addEventListener("visibilitychange", look);
  setInterval(look, LOOK_MS);
  look();
}

// The problem that the server has with the PIN, null if it was right.
async function wake(pin) {
  try {
    if (!isTold && !(await tell())) throw new TypeError("no answer");
    const answer = await post(page.urls.wake, { pin });
    if (answer.ok) return null;
    const problem = await answer.json();
    if (answer.status === 401) location.assign(page.urls.signIn); // the sign-in is over
    return problem;
  } catch (error) {
    if (!["TypeError", "SyntaxError"].includes(error.name)) throw error;
    return { title: w("no_answer"), detail: w("idle_offline") };
  }
}

export function Idle() {
  const [pin, setPin] = useState("");
  const [said, setSaid] = useState(null);
  const type = async (text) => {
    if (pin.length === PIN) return; // it is being looked at
    setPin(text);
    if (text.length < PIN) return;
    const problem = await wake(text);
    setPin("");
    setSaid(problem);
    if (problem) return wrong();
    [touchedAt, isTold, left.value, idle.value] = [Date.now(), false, false, false];
    note();
  };
  return html`
    <form class="sign-in idle" autocomplete="off" onSubmit=${(event) => event.preventDefault()}>
      <section class="who">
        <h1>${icon("lock", 32)} ${page.name}</h1>
        <p>${w("idle_help")}</p>
        <div role="alert">${said && html`<p class="notice alarm"><span><b>${said.title}</b> ${said.detail}</span></p>`}</div>
        ${page.demo_pin && html`<p class="demo-secret">${w("demo_pin")} <b>${page.demo_pin}</b></p>`}
        <a class="button" href=${page.urls.signIn}>${icon("user", 22)}${w("idle_other")}</a>
      </section>
      <${PinPad} id="idle-pin" pin=${pin} take=${type} />
    </form>`;
}
