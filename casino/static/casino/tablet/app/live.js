// What the server tells: of the jackpot by socket, of the table by asking. Whether it is heard at all is `link`.
import { computed, effect, signal } from "@preact/signals";
import { page } from "tablet/words";
import { Refusal, answeredAt, contact, heard, pump, request } from "tablet/outbox";

const ASK_MS = page.standing.jackpot ? 3_000 : 1_000; // the socket of a linked table says when something has changed meanwhile
const SILENT_MS = 5_000; // a socket that says nothing for so long is taken for dead: it sends a heartbeat every 2 s
const [FIRST_MS, MOST_MS] = [500, 5_000]; // between two tries of the socket
const [SLOW_MS, LOST_MS] = [4_000, 8_000];
const CLOCK_MS = 5_000; // a tablet's clock that is off by more is said to be
const SURE_MS = 2_000; // an answer that took longer says little about the time
const kept = (name) => `saalchef-tablet-${name}-${page.device}`;
const loadedAt = performance.now();

export const standing = signal(page.standing);
export const jackpot = signal(page.jackpot);
// Of the server's clock to the tablet's. The page may be hours old, kept by the worker: what was measured last is better than its time.
export const offset = signal(Number(localStorage.getItem(kept("clock")) ?? Date.parse(page.standing.at) - Date.now()));
const isMeasured = signal(false);
export const isClockOff = computed(() => isMeasured.value && Math.abs(offset.value) > CLOCK_MS);
const tick = signal(performance.now());

// "ok"; "slow": nothing heard for a while; "off": no connection.
export const link = computed(() => {
  const silence = tick.value - contact.value.at;
  if (contact.value.lost || silence > LOST_MS) return "off";
  return silence > SLOW_MS ? "slow" : "ok";
});

export const serverNow = () => Date.now() + offset.value;

// Since when there is no connection, by the server's clock, 0 while there is one; a page that is loaded anew still knows it.
export const offSince = signal(Number(localStorage.getItem(kept("off")) ?? 0));
export const offMinutes = computed(() => (offSince.value && tick.value ? Math.floor((serverNow() - offSince.value) / 60_000) : 0));

function noteSilence() {
  const isHeard = contact.value.at > loadedAt && link.value !== "off";
  if (isHeard === !offSince.peek() || (!isHeard && link.value !== "off")) return;
  offSince.value = isHeard ? 0 : serverNow() - (performance.now() - contact.value.at);
  if (isHeard) localStorage.removeItem(kept("off"));
  else localStorage.setItem(kept("off"), String(offSince.value));
}

function noteClock(at, took) {
  if (took > SURE_MS) return;
  offset.value = Date.parse(at) + took / 2 - Date.now();
  isMeasured.value = true;
  localStorage.setItem(kept("clock"), String(offset.value));
}

let asking = null;
export function ask() {
  asking ??= askOnce().finally(() => { asking = null; });
  return asking;
}

async function askOnce() {
  const began = performance.now();
  try {
    const told = await request(page.urls.surface);
    noteClock(told.at, performance.now() - began);
    if (answeredAt > began) return; // a command was carried out meanwhile: this may be how things stood before it
    standing.value = told;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof Refusal)) throw error; // no answer: `link` says so
  }
}

export function start() {
  setInterval(() => { tick.value = performance.now(); }, 500);
  setInterval(ask, ASK_MS);
  effect(noteSilence);
  ask();
  addEventListener("offline", () => { contact.value = { ...contact.value, lost: true }; });
  addEventListener("online", ask);
  if (page.standing.jackpot) connect(FIRST_MS);
}

function connect(wait) {
  const address = new URL(page.urls.socket, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address);
  let [said, next] = [performance.now(), wait];
  const watch = setInterval(() => { if (performance.now() - said > SILENT_MS) over({ code: 1006 }); }, 500);
  socket.addEventListener("open", () => pump());
  socket.addEventListener("message", (event) => {
    said = performance.now();
    next = FIRST_MS;
    told(JSON.parse(event.data));
  });
  function over({ code }) {
    clearInterval(watch);
    socket.removeEventListener("close", over);
    socket.close();
    if (code === 4401) location.assign(page.urls.signIn);
    setTimeout(() => connect(Math.min(next * 2, MOST_MS)), next / 2 + Math.random() * next / 2);
  }
  socket.addEventListener("close", over);
}

function told(message) {
  heard();
  if (message.type !== "jackpot" || !isNewer(message, jackpot.value)) return;
  const before = jackpot.value;
  jackpot.value = message;
  // The phase moves with rounds, and mine may be among them; at this table something was done, here or on another device.
  if (message.phase !== before?.phase || message.tables[page.table] !== before?.tables[page.table]) ask();
}

function isNewer(one, other) {
  if (!other) return true;
  const [a, b] = [one, other].map((told) => [told.incarnation, told.version, Date.parse(told.at)]);
  const place = a.findIndex((value, index) => value !== b[index]);
  return place >= 0 && a[place] > b[place];
}
