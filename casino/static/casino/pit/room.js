// The control room: kept as it is by reading itself again, acts sent from where they stand, the meter's course drawn.
import { Idiomorph } from "idiomorph";
import { draw } from "pit/course";
import { passes } from "pit/said";

const EVERY_MS = 2_000;
const STALE_MS = 3_000;
const DRAW_MS = 10_000; // the meter moves with every coin; its course is read this often
const root = document.documentElement;
const room = document.querySelector("[data-room]");
const note = document.querySelector("[data-stale]");
const held = document.querySelector("[data-held]");
const said = document.getElementById("room-said");
let heard = performance.now();
let [asking, lost, pressed] = [false, false, false];
let drew = performance.now();

// As it is
function dirty(field) {
  if (field.type === "hidden") return false;
  return field.tagName === "SELECT" ? field.selectedIndex > 0 : field.value !== field.defaultValue;
}

// Somebody is at a form of the region, has typed into one, or does not know yet what became of it.
const isBusy = (region) =>
  region.querySelector("[data-unanswered]") !== null ||
  (region.contains(document.activeElement) &&
    document.activeElement.closest("form, summary") !== null) ||
  [...region.querySelectorAll("input, select")].some(dirty);

// What somebody has opened stays open.
const callbacks = {
  beforeAttributeUpdated: (name, node) => !(name === "open" && node.matches("details")),
};

// Without what is new on every page: keys of forms. With the same the old ones stay, and with them what somebody typed.
function plain(region) {
  const copy = region.cloneNode(true);
  copy
    .querySelectorAll("[name=key], [name=csrfmiddlewaretoken]")
    .forEach((field) => field.remove());
  return copy;
}

// What would be read there is another text: what somebody types holds it back, and they are told so.
function text(region) {
  const copy = plain(region);
  copy.querySelectorAll("form > [role=alert]").forEach((refusal) => refusal.remove());
  return copy.textContent.replace(/\s+/g, " ");
}

function showNews() {
  for (const form of document.querySelectorAll("[data-region] form")) {
    form.reset();
    settle(form);
  }
  document.activeElement?.blur();
  ask();
}

function take(page) {
  const at = page.querySelector("[data-asof]");
  const now = document.querySelector("[data-asof]");
  [now.textContent, now.dateTime] = [at.textContent, at.dateTime];
  let isHeld = false;
  for (const region of document.querySelectorAll("[data-region]")) {
    const fresh = page.getElementById(region.id);
    if (
      !fresh ||
      pressed ||
      region.querySelector("[data-sending]") ||
      plain(region).isEqualNode(plain(fresh))
    )
      continue;
    if (isBusy(region)) isHeld ||= text(region) !== text(fresh);
    else Idiomorph.morph(region, fresh, { callbacks });
  }
  held.hidden = !isHeld;
  redraw(page.querySelector("[data-chart]").dataset);
}

// Another epoch or hit is drawn at once, what moved the meter after a while.
async function redraw(fresh) {
  const own = document.querySelector("[data-chart]").dataset;
  if (own.drawn === fresh.drawn) return;
  if (own.epoch === fresh.epoch && performance.now() - drew < DRAW_MS) return;
  [own.chart, own.epoch, drew] = [fresh.chart, fresh.epoch, performance.now()];
  if (await draw()) own.drawn = fresh.drawn;
}

async function ask() {
  if (asking) return;
  asking = true;
  const began = performance.now();
  try {
    const answer = await fetch(room.dataset.room, {
      headers: { Accept: "text/html" },
      cache: "no-store",
      signal: AbortSignal.timeout(STALE_MS),
    });
    if (answer.redirected) location.reload(); // the session has ended
    else if (answer.ok) {
      take(new DOMParser().parseFromString(await answer.text(), "text/html"));
      [heard, lost] = [began, false];
    }
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    lost ||= error instanceof TypeError;
  }
  asking = false;
  look();
}

function look() {
  const isStale = lost || performance.now() - heard > STALE_MS;
  note.hidden = !isStale;
  root.toggleAttribute("data-stale-page", isStale);
}

function connect(wait) {
  const address = new URL(room.dataset.socket, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address);
  socket.addEventListener("message", (event) => {
    if (JSON.parse(event.data).type === "jackpot") ask();
  });
  socket.addEventListener("close", () => {
    ask();
    setTimeout(() => connect(Math.min(wait * 2, 5_000)), wait / 2 + (Math.random() * wait) / 2);
  });
}

// Acts
// A form is answered by the floor's page: what was done is said there, and a refusal stands in it beside the form. Where no answer
// says anything, the form stays with its key and what was typed: what is known is said in it, and sent again it is done once.
room.addEventListener("submit", async (event) => {
  const form = event.target;
  event.preventDefault();
  const button = event.submitter;
  if (button) button.disabled = true;
  settle(form);
  form.dataset.sending = ""; // it is not taken away from under its answer
  said.replaceChildren();
  try {
    const signal = AbortSignal.timeout(Number(room.dataset.answerMs));
    const answer = await fetch(form.action, {
      method: "POST",
      body: new FormData(form),
      headers: { Accept: "text/html" },
      signal,
    });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const alert = page.querySelector("#main [role=alert]");
    if (new URL(answer.url).pathname.startsWith(room.dataset.signIn)) location.reload(); // the session has ended
    else if (alert) refused(form, document.adoptNode(alert));
    else if (answer.ok) done(form, page);
    else unanswered(form, answer.status >= 500 ? "unknown" : "failed");
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    lost ||= error instanceof TypeError;
    unanswered(form, "unknown");
  }
  delete form.dataset.sending;
  if (button) button.disabled = false;
  look();
});

function done(form, page) {
  form.reset();
  form.closest("details")?.removeAttribute("open");
  document.activeElement?.blur();
  const notices = page.querySelector("#main > .notices");
  if (notices) said.replaceChildren(document.adoptNode(notices));
  passes(said);
  ask();
}

function refused(form, alert) {
  form.querySelectorAll("[name=secret]").forEach((field) => {
    field.value = "";
  });
  tell(form, alert);
}

function unanswered(form, what) {
  form.dataset.unanswered = what;
  tell(
    form,
    document
      .querySelector(`template[data-act="${what}"]`)
      .content.firstElementChild.cloneNode(true),
  );
}

function tell(form, alert) {
  alert.tabIndex = -1;
  form.prepend(alert);
  alert.focus();
}

function settle(form) {
  form.querySelector(":scope > [role=alert]")?.remove();
  delete form.dataset.unanswered;
}

for (const [name, down] of [
  ["pointerdown", true],
  ["pointerup", false],
  ["pointercancel", false],
  ["blur", false],
]) {
  addEventListener(
    name,
    () => {
      pressed = down;
    },
    { capture: true, passive: true },
  );
}
document.querySelector("[data-show-news]").addEventListener("click", showNews);
addEventListener("offline", () => {
  lost = true;
  look();
});
setInterval(ask, EVERY_MS);
setInterval(look, 500);
connect(500);
draw();
