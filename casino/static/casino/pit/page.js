// The pit's dashboard: shows the board as it is, says how old it is, and takes the colour out of what is not live.
import { Idiomorph } from "idiomorph";
import { Live } from "pit/live";
import * as panel from "pit/panel";
import * as keys from "pit/keys";
import * as sound from "pit/sound";
import * as wall from "pit/wall";

const data = (name) => JSON.parse(document.getElementById(name).textContent);
const [settings, words] = [data("settings"), data("words")];
const find = (selector) => document.querySelector(selector);
const root = document.documentElement;
const ONLY = "saalchef-pit-only";

// Time: the server's, as near as the quickest answer says
const asOf = find("[data-asof]");
const clock = new Intl.DateTimeFormat("de-CH", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZone: asOf.dataset.zone,
});
let offset = Date.parse(asOf.dateTime) - Date.now();
let readAt = Date.parse(asOf.dateTime);

const secondsSince = (moment) =>
  Math.max(0, Math.floor((Date.now() + offset - Date.parse(moment)) / 1000));

function running(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value) => String(value).padStart(2, "0");
  return hours
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

function tick() {
  if (live.isLive)
    for (const one of document.querySelectorAll("time[data-since]")) {
      const seconds = secondsSince(one.dataset.since);
      put(one, running(seconds));
      one.classList.toggle("long", seconds > Number(one.dataset.long)); // never where nothing is usual yet
    }
  sound.again();
  const age = live.age;
  put(
    find("[data-lag]"),
    words.lag.replace(
      "{seconds}",
      age.toLocaleString(root.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    ),
  );
  if (!live.isLive)
    put(
      find("[data-stale-words]"),
      `${words.lost} ${words.stale.replace("{time}", clock.format(readAt))}`,
    );
}

function put(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

// The board
let pressed = false; // between finger down and finger up nothing moves: the tap would hit what is no longer there
let pending = null;

function take(text, at, took) {
  readAt = Date.parse(at);
  if (took < 1000) offset = readAt + took / 2 - Date.now();
  asOf.dateTime = at;
  put(asOf, clock.format(readAt));
  if (text !== null) show(text);
  tick();
}

function show(text) {
  if (pressed) {
    pending = text;
    return;
  }
  pending = null;
  const fresh = new DOMParser().parseFromString(text, "text/html");
  for (const id of ["totals", "board"]) {
    const next = fresh.getElementById(id);
    if (next)
      Idiomorph.morph(document.getElementById(id), next, {
        morphStyle: "outerHTML",
        callbacks: { beforeNodeMorphed: keep },
      });
  }
  listen();
  panel.follow();
}

function listen() {
  const ids = (selector) => [...document.querySelectorAll(selector)].map((one) => one.id);
  sound.heard(ids("#alerts .one.alarm"), ids("#approvals .one"));
}

// A running time is this page's own text; a tile that came as it came the last time is not walked through.
const came = new Map();
function keep(old, next) {
  if (old.nodeType !== Node.ELEMENT_NODE) return true;
  if (old.matches("time[data-since]"))
    [next.textContent, next.className] = [old.textContent, old.className];
  if (!old.matches(".tile") || !next.matches?.(".tile")) return true;
  const text = next.outerHTML;
  const isSame = old.id === next.id && came.get(old.id) === text;
  came.set(next.id, text);
  if (isSame) old.classList.remove("new");
  else if (old.className !== next.className) pulse(next);
  return !isSame;
}

function pulse(tile) {
  if (tile.matches(".marked")) tile.classList.add("new");
}

function told(isLive) {
  root.toggleAttribute("data-stale-page", !isLive);
  find("[data-stale]").hidden = isLive;
  tick();
}

// Controls
function only(on = !document.body.classList.contains("only")) {
  document.body.classList.toggle("only", on);
  find("[data-only]").setAttribute("aria-pressed", String(on));
  sessionStorage.setItem(ONLY, on ? "1" : "");
}

async function post(button) {
  button.disabled = true;
  const body = new FormData(find("[data-csrf]"));
  body.set("key", crypto.randomUUID?.() ?? unsafeKey());
  const said = find("[data-said]");
  const name = button.textContent.trim().replace(/[ \n]+/g, " ");
  find("[data-failed]").hidden = true;
  try {
    const answer = await fetch(button.dataset.post, {
      method: "POST",
      body,
      headers: { Accept: "application/json" },
    });
    if (answer.ok) put(said, words.updated);
    else failed(`${name} – ${words.failed}`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    failed(`${name} – ${words.lost}`); // nothing is known: the board says what became of it, and the same again changes nothing
  }
  button.disabled = false;
  live.ask();
}

// What was asked for and not done stays in sight until the next act, or until somebody has read it.
function failed(text) {
  put(find("[data-failed-words]"), text);
  find("[data-failed]").hidden = false;
}

// randomUUID is there on secure pages only.
function unsafeKey() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))].map((one) =>
    one.toString(16).padStart(2, "0"),
  );
  return bytes.join("");
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-panel]");
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (link && plain && globalThis.htmx) {
    event.preventDefault();
    panel.open(link.getAttribute("href"));
  }
  const button = event.target.closest("[data-post]");
  if (button) post(button);
});
find("[data-only]").addEventListener("click", () => only());
find("[data-failed-close]").addEventListener("click", () => {
  find("[data-failed]").hidden = true;
});
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
      if (!down && pending) setTimeout(() => pending && show(pending), 0);
    },
    { capture: true, passive: true },
  );
}

const live = new Live(settings, take, told);
only(sessionStorage.getItem(ONLY) === "1");
panel.start(settings, words, () => live.ask());
keys.start({ isBusy: panel.isOpen, only, toggle: find("[data-keys]") });
sound.start({
  toggle: find("[data-sound]"),
  quiet: find("[data-night]"),
  waits: find("[data-sound-waits]"),
});
listen();
if (document.body.matches(".kiosk")) {
  wall.start(() => document.querySelectorAll(".tables, .rail"));
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") location.assign(settings.overview);
  });
}
setInterval(tick, 500);
tick();
live.start();
