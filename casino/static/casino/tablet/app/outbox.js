// Commands on their way to the server: stored first, then sent in order, one at a time, each under one key until it is answered.
//
// A command that got no answer is sent again under the same key, by this page or the next one: the server carries it out once. What
// it refuses is handed to whoever waits; a round played without the server is then with the pit ("to be clarified"), never lost.
import { signal } from "@preact/signals";
import { page, uuid } from "tablet/words";
import { outboxAdd, outboxAddWith, outboxDelete, outboxRead } from "tablet/store";

const AGAIN_MS = 2_000;
const PATIENCE_MS = 8_000; // a request without an answer is given up after this, and sent again
export const pending = signal([]);
export const contact = signal({ at: performance.now(), lost: false }); // when the server was last heard, and whether the last try failed
const waiting = new Map();
let running = null;
export let answeredAt = -Infinity; // what was asked before the last answer of a command may be older than it
let whenOrphan = () => {};

export function heard() {
  contact.value = { at: performance.now(), lost: false };
}

export class Refusal extends Error {
  constructor(problem) {
    super(problem.title);
    this.problem = problem;
  }
}

// One request. Gives the answer; raises Refusal for a refusal, TypeError if there is no answer or one that asks to come again.
export async function request(path, { body, key } = {}) {
  const headers = { Accept: "application/json", "X-Saalchef-Device": page.device, "Accept-Language": document.documentElement.lang };
  if (body !== undefined) Object.assign(headers, { "Content-Type": "application/json", "Idempotency-Key": key });
  const options = { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) };
  let answer, said;
  try {
    answer = await fetch(path, body === undefined ? options : { ...options, method: "POST", body: JSON.stringify(body) });
    said = await answer.json();
  } catch (error) {
    if (!["TypeError", "SyntaxError", "TimeoutError", "AbortError"].includes(error.name)) throw error;
    contact.value = { ...contact.value, lost: true };
    throw new TypeError("no answer");
  }
  if (answer.status >= 500 || answer.headers.has("Retry-After")) throw new TypeError("later");
  heard();
  if (answer.ok) return said;
  if (["device.sign_in_required", "device.not_enrolled"].includes(said.code)) location.assign(page.urls.signIn);
  throw new Refusal(said);
}

export async function start(orphan) {
  whenOrphan = orphan;
  pending.value = await outboxRead();
  addEventListener("online", () => pump());
  setInterval(pump, AGAIN_MS);
  await pump();
}

// Store a command and send it. Resolves with the answer once it is there; `draft`: what is stored in the same step.
export async function send(entry, draft) {
  const { stored } = await keep(entry, draft);
  return stored;
}

// As `send`, resolved as soon as it is stored; `stored` is the promise of the answer.
export async function keep(entry, draft) {
  const whole = { key: uuid(), at: Date.now(), ...entry };
  const kept = draft ? await outboxAddWith(whole, draft) : await outboxAdd(whole);
  pending.value = [...pending.value, kept];
  const stored = new Promise((resolve, reject) => waiting.set(kept.seq, { resolve, reject }));
  stored.catch(() => {}); // who does not wait for it hears of a refusal as an orphan's
  pump();
  return { seq: kept.seq, stored };
}

// Give up commands that were not answered: what undoes them is sent instead.
export async function drop(isMeant) {
  for (const entry of pending.value.filter(isMeant)) {
    await remove(entry);
    waiting.delete(entry.seq);
  }
}

async function remove(entry) {
  await outboxDelete(entry.seq);
  pending.value = pending.value.filter((one) => one.seq !== entry.seq);
}

export function pump() {
  running ??= flush().finally(() => { running = null; });
  return running;
}

async function flush() {
  while (pending.value.length) {
    const [entry] = pending.value;
    let answer = null, refusal = null;
    try {
      answer = await request(entry.path, entry);
    } catch (error) {
      if (error instanceof TypeError) return; // no answer: again in a while
      if (!(error instanceof Refusal)) throw error;
      if (["device.sign_in_required", "device.not_enrolled"].includes(error.problem.code)) return;
      refusal = error;
    }
    answeredAt = performance.now();
    const waiter = waiting.get(entry.seq);
    waiting.delete(entry.seq);
    const isMeant = pending.value.some((one) => one.seq === entry.seq); // else it was given up meanwhile
    if (isMeant) await remove(entry);
    if (!waiter && isMeant) await whenOrphan(entry, answer, refusal);
    else if (refusal) waiter?.reject(refusal);
    else waiter?.resolve(answer);
  }
}
