// What the server tells: of the jackpot by socket, of the table by asking. Whether it is heard at all is `link`.
import { computed, effect, signal } from "@preact/signals";
import { page, remember } from "tablet/frame/page";
import {
  Refusal,
  answeredAt,
  contact,
  heard,
  pump,
  request,
  unanswered,
  unseated,
} from "tablet/frame/outbox";

const [ASK_MS, CALM_MS] = [1_000, 3_000]; // the socket of a linked table says when something has changed meanwhile
const SILENT_MS = 5_000; // a socket that says nothing for so long is taken for dead: it sends a heartbeat every 2 s
const [FIRST_MS, MOST_MS] = [500, 5_000]; // between two tries of the socket
const [SLOW_MS, LOST_MS] = [3_000, 8_000];
const CLOCK_MS = 5_000; // a tablet's clock that is off by more is said to be
const OLD_MS = 8_000; // a meter that nobody has confirmed for so long is not shown as if it were live
const SURE_MS = 2_000; // an answer that took longer says little about the time
const kept = (name) => `saalchef-tablet-${name}-${page.device}`;
// What was heard before this says nothing: the worker may have kept the page for hours, a tablet may have slept.
const unsureSince = signal(performance.now());

// A page that the worker kept may be hours old: what this table was told last is nearer to the truth, with what answers have added.
const lastTold = JSON.parse(localStorage.getItem(kept("standing")) ?? "null");
export const isPageOld =
  Boolean(lastTold?.session) && Date.parse(lastTold.at) >= Date.parse(page.standing.at);
export const standing = signal(isPageOld ? lastTold : page.standing);
// The same as the server has told it last, without what answers have added since: of rounds this may be older than they are.
export const heardOf = signal(page.standing);
// Whether the tray is being counted, as it was heard from the server.
const COUNTED = ["begun", "entered", "again"];
export const isCounted = computed(() => COUNTED.includes(heardOf.value.counting?.state));
// So with the meter: the page that is kept may be older than what was heard since.
const lastJackpot = JSON.parse(localStorage.getItem(kept("jackpot")) ?? "null");
const isJackpotKept =
  page.jackpot &&
  lastJackpot?.jackpot === page.jackpot.jackpot &&
  isNewer(lastJackpot, page.jackpot);
export const jackpot = signal(isJackpotKept ? lastJackpot : page.jackpot);
// When the jackpot's state was last confirmed: by its socket, which says so all the time, or else by what the table is asked for.
const confirmedAt = signal(-Infinity);
let socketAt = -Infinity;
// Of the server's clock to the tablet's. The page may be hours old, kept by the worker: what was measured last is better than its time.
export const offset = signal(
  Number(localStorage.getItem(kept("clock")) ?? Date.parse(page.standing.at) - Date.now()),
);
const isMeasured = signal(false);
export const isClockOff = computed(() => isMeasured.value && Math.abs(offset.value) > CLOCK_MS);
const tick = signal(performance.now());

// "unknown": nothing was heard yet; "ok"; "slow": nothing heard for a while; "off": no connection, or one that carries no command to its answer.
export const link = computed(() => {
  const silence = Math.max(
    tick.value - contact.value.at,
    unanswered.value && tick.value - unanswered.value,
  );
  if (contact.value.lost || silence > LOST_MS) return "off";
  if (contact.value.at <= unsureSince.value) return "unknown";
  return silence > SLOW_MS ? "slow" : "ok";
});
// A guest's coming has no answer, and nothing is wrong but that.
export const isSeatingLate = computed(
  () => unseated.value > 0 && tick.value - unseated.value > LOST_MS,
);

export const isMeterOld = computed(
  () => link.value === "off" || tick.value - confirmedAt.value > OLD_MS,
);

export const serverNow = () => Date.now() + offset.value;
// How many seconds it is to a moment by the server's clock, 0 once it is over; who asks is told again as they pass.
export const secondsTo = (at) => Math.max(0, tick.value && Math.ceil((at - serverNow()) / 1000));

// The minute that it is by the server's clock, in ms; who asks is told of the next one.
export const minute = computed(() => tick.value && Math.floor(serverNow() / 60_000) * 60_000);

// Since when there is no connection, by the server's clock, 0 while there is one; a page that is loaded anew still knows it.
export const offSince = signal(Number(localStorage.getItem(kept("off")) ?? 0));
export const offMinutes = computed(() =>
  offSince.value && tick.value ? Math.floor((serverNow() - offSince.value) / 60_000) : 0,
);

function noteSilence() {
  const isHeard = ["ok", "slow"].includes(link.value);
  if (isHeard === !offSince.peek() || (!isHeard && link.value !== "off")) return;
  offSince.value = isHeard ? 0 : serverNow() - (performance.now() - contact.value.at);
  remember(kept("off"), isHeard ? null : String(offSince.value));
}

function noteClock(at, took) {
  if (took > SURE_MS) return;
  offset.value = Date.parse(at) + took / 2 - Date.now();
  isMeasured.value = true;
  remember(kept("clock"), String(offset.value));
}

let [asking, askedAt] = [null, -Infinity];
const isDeaf = (since) => performance.now() - socketAt > since;

// While the socket says that nothing has changed there is no need to ask all the time.
const askInTime = () => {
  if (
    !page.standing.jackpot ||
    isDeaf(CALM_MS) ||
    performance.now() - askedAt > CALM_MS - ASK_MS / 2
  )
    ask();
};

export function ask() {
  asking ??= askOnce().finally(() => {
    asking = null;
  });
  return asking;
}

async function askOnce() {
  const began = (askedAt = performance.now());
  try {
    const wantsState = page.standing.jackpot && isDeaf(SILENT_MS); // without the socket the answer brings the jackpot, too
    const { told: state, ...told } = await request(
      wantsState ? `${page.urls.surface}?jackpot=1` : page.urls.surface,
    );
    noteClock(told.at, performance.now() - began);
    if (state) hear(state);
    if (answeredAt > began) return; // a command was carried out meanwhile: this may be how things stood before it
    standing.value = told;
    heardOf.value = told;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof Refusal)) throw error; // no answer: `link` says so
  }
}

let toldText = "";

function remembered() {
  const told = standing.value;
  const text = JSON.stringify({ ...told, at: "" });
  if (text !== toldText) remember(kept("standing"), JSON.stringify(told));
  toldText = text;
}

export function start() {
  setInterval(() => {
    tick.value = performance.now();
  }, 500);
  setInterval(askInTime, ASK_MS);
  effect(noteSilence);
  effect(remembered);
  ask();
  addEventListener("offline", () => {
    contact.value = { ...contact.value, lost: true };
  });
  addEventListener("online", ask);
  document.addEventListener("visibilitychange", woken);
  if (page.standing.jackpot) connect(FIRST_MS);
}

// What was true when the tablet went to sleep is not known to be true now.
function woken() {
  if (document.visibilityState !== "visible") return;
  contact.value = { ...contact.value, at: performance.now() };
  [unsureSince.value, confirmedAt.value] = [performance.now(), -Infinity];
  ask();
}

function connect(wait) {
  const address = new URL(page.urls.socket, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address);
  let [said, next] = [performance.now(), wait];
  const watch = setInterval(() => {
    if (performance.now() - said > SILENT_MS) over({ code: 1006 });
  }, 500);
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
    setTimeout(() => connect(Math.min(next * 2, MOST_MS)), next / 2 + (Math.random() * next) / 2);
  }
  socket.addEventListener("close", over);
}

function told(message) {
  heard();
  socketAt = performance.now();
  if (message.type === "heartbeat" && !message.stale) confirmedAt.value = socketAt;
  if (message.type === "jackpot") hear(message);
}

function hear(message) {
  confirmedAt.value = performance.now();
  if (!isNewer(message, jackpot.value)) return;
  const before = jackpot.value;
  jackpot.value = message;
  remember(kept("jackpot"), JSON.stringify(message));
  // The phase moves with rounds, and mine may be among them; at this table something was done, here or on another device.
  if (message.phase !== before?.phase || message.tables[page.table] !== before?.tables[page.table])
    ask();
}

function isNewer(one, other) {
  if (!other) return true;
  const [a, b] = [one, other].map((told) => [
    told.incarnation,
    told.version,
    told.phase_number,
    told.turn,
  ]);
  const place = a.findIndex((value, index) => value !== b[index]);
  return place >= 0 && a[place] > b[place];
}
