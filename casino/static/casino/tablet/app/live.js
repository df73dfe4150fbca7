// What the server tells: of the jackpot by socket, of the table by asking. Whether it is heard at all is `link`.
import { computed, signal } from "@preact/signals";
import { page } from "tablet/words";
import { Refusal, answeredAt, contact, heard, pump, request } from "tablet/outbox";

const ASK_MS = 3_000;
const SILENT_MS = 5_000; // a socket that says nothing for so long is taken for dead: it sends a heartbeat every 2 s
const [FIRST_MS, MOST_MS] = [500, 5_000]; // between two tries of the socket
const [SLOW_MS, LOST_MS] = [4_000, 8_000];

export const standing = signal(page.standing);
export const jackpot = signal(page.jackpot);
export const offset = signal(Date.parse(page.standing.at) - Date.now()); // of the server's clock to the tablet's
const tick = signal(performance.now());

// "ok"; "slow": nothing heard for a while; "off": no connection.
export const link = computed(() => {
  const silence = tick.value - contact.value.at;
  if (contact.value.lost || silence > LOST_MS) return "off";
  return silence > SLOW_MS ? "slow" : "ok";
});

export const serverNow = () => Date.now() + offset.value;

let asking = null;
export function ask() {
  asking ??= askOnce().finally(() => { asking = null; });
  return asking;
}

async function askOnce() {
  const began = performance.now();
  try {
    const told = await request(page.urls.surface);
    if (answeredAt > began) return; // a command was carried out meanwhile: this may be how things stood before it
    offset.value = Date.parse(told.at) - Date.now();
    standing.value = told;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof Refusal)) throw error; // no answer: `link` says so
  }
}

export function start() {
  setInterval(() => { tick.value = performance.now(); }, 500);
  setInterval(ask, ASK_MS);
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
  const changed = message.phase !== jackpot.value?.phase;
  jackpot.value = message;
  if (changed) ask(); // the phase moves with rounds, and mine may be among them
}

function isNewer(one, other) {
  if (!other) return true;
  const [a, b] = [one, other].map((told) => [told.incarnation, told.version, Date.parse(told.at)]);
  const place = a.findIndex((value, index) => value !== b[index]);
  return place >= 0 && a[place] > b[place];
}
