// Commands on their way to the server: stored first, then sent in order, one at a time, each under one key until it is answered.
//
// A command that got no answer is sent again under the same key, by this page or the next one: the server carries it out once. What
// its answer means is said in one place (`begun` is given it), which knows a command by what was stored with it: whether this page
// sent it, or one before, makes no difference. A result that was refused stays at its place until it is put right, and rounds wait;
// a whole round that was refused stays until it is sent anew, and lets the others pass. What the pit decides on (`kept`) and what is
// taken back here (`open`) is not sent, and holds the rounds after it: to the server its round is still running.
//
// Guests and calls go their own way: a call that fails holds no round back, and says nothing of the connection.
//
// At a table of hands everything goes in one order, as chips move between hands (`IN_ORDER`). What
// is commanded may wait for the next tap, `until` a moment, and be taken out whole until then; a
// name that the server has not given yet (`temp`) is put right in what was commanded since, which
// waits for it.
import { signal } from "@preact/signals";
import { tabletReport } from "tablet/frame/offline-page";
import { page, uuid } from "tablet/frame/page";
import { outboxAdd, outboxDelete, outboxPut, outboxRead, outboxTakeOut } from "tablet/frame/store";

const AGAIN_MS = 2_000;
const PATIENCE_MS = 8_000; // a request without an answer is given up after this, and sent again
const STALE_MS = 15_000; // a lock that a page finds so old is none any more: the chips may have been moved since
export const ALONG = ["place", "take_back", "irregular"]; // the table goes on meanwhile
const ROUNDS = ["lock", ...ALONG, "queued", "settle"]; // their order is that of the rounds
export const IN_ORDER = ["hand", "correct_hand", "stay"];
export const HOLD_MS = 4_000;
const NAMELESS = /\bnew-[0-9a-f]{8}-/;
export const CASH = ["buyin", "tip", "cash_back"]; // in their order
const BESIDE = ["guest", "leave", "floor", "call", ...CASH];
const ASIDE = ["queued", "correct", "request", "irregular"]; // what is wrong with them is no matter of the rounds after them
export const isAside = (entry) => Boolean(entry.refused) && ASIDE.includes(entry.kind);
export const isBeside = (entry) => BESIDE.includes(entry.kind);
export const isAlong = (entry) => isBeside(entry) || ALONG.includes(entry.kind);
// a box is left before the next guest sits down
const familyOf = ({ kind }) => (kind === "leave" ? "guest" : CASH.includes(kind) ? "cash" : kind);
export const pending = signal([]);
export const contact = signal({ at: performance.now(), lost: false }); // when the server was last heard, and whether the last try failed
export const unanswered = signal(0); // since when the command that is being sent has no answer
export const unseated = signal(0); // since when a guest's coming or leaving has no answer
// The server takes no command before the PIN: nobody has used the tablet for long, as it knows.
export const left = signal(false);
export const idle = signal(page.idle === true); // the tablet waits for the PIN of who is signed in, and commands nothing
export let answeredAt = -Infinity; // what was asked before the last answer of a command may be older than it
const running = { rounds: null, beside: null };
const storing = new Map(); // commands that the browser's database is taking just now, each with its promise
let [whenAnswered, whenUnstored] = [async () => {}, () => {}];
let others = null; // what another person commanded; null: nobody knows yet what lies here

// What was commanded and is not answered, from the tap on.
export const underWay = () => [...storing.keys(), ...pending.value];

function stored(entry, work) {
  const done = work.finally(() => storing.delete(entry));
  storing.set(entry, done);
  return done;
}

// What may hang on an answer is looked for when it is there, and on the screen, too.
async function allStored() {
  while (storing.size) {
    await Promise.allSettled(storing.values());
    await new Promise((done) => setTimeout(done));
  }
}

export function heard() {
  contact.value = { at: performance.now(), lost: false };
}

export class Refusal extends Error {
  constructor(problem) {
    super(problem.title);
    this.problem = problem;
  }
}

const OUT = ["device.sign_in_required", "device.not_enrolled"];

const GATEWAY = [502, 504]; // says that the server was not reached
const CONFLICT = 409; // such as a tray that is being counted
const asksLater = (answer) => answer.status >= 500 || answer.headers.has("Retry-After");

// One request. Gives the answer; raises Refusal for a refusal, TypeError if there is no answer or one that asks to come again.
export async function request(path, { body, key, seq, at } = {}) {
  const headers = {
    Accept: "application/json",
    "X-Saalchef-Device": page.device,
    "Accept-Language": document.documentElement.lang,
  };
  if (others) headers["X-Saalchef-Stored"] = tabletReport([...others, ...pending.peek()]);
  if (body !== undefined)
    Object.assign(headers, {
      "Content-Type": "application/json",
      "Idempotency-Key": key,
      "X-Saalchef-Event": `${seq} ${new Date(at).toISOString()}`,
    });
  const options = { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) };
  let answer, said;
  try {
    answer = await fetch(
      path,
      body === undefined ? options : { ...options, method: "POST", body: JSON.stringify(body) },
    );
    if (!asksLater(answer)) said = await answer.json();
  } catch (error) {
    if (!["TypeError", "SyntaxError", "TimeoutError", "AbortError"].includes(error.name))
      throw error;
    contact.value = { ...contact.value, lost: true };
    throw new TypeError("no answer");
  }
  if (!GATEWAY.includes(answer.status)) heard(); // also by a server that fails at this
  if (asksLater(answer)) throw Object.assign(new TypeError("later"), { is: answer.status });
  if (answer.ok) return said;
  if (OUT.includes(said.code) && page.urls.signIn !== location.pathname)
    location.assign(page.urls.signIn);
  throw new Refusal(said);
}

// `answered(entry, answer, refusal)` is awaited before an entry goes; done twice, after a page that ended in between, it must do no more.
// `isMine`: which of the stored commands this page may send. `unstored(error)`: what an answer means could not be stored.
export async function begun(answered, { isMine = () => true, unstored = console.warn } = {}) {
  [whenAnswered, whenUnstored] = [answered, unstored];
  const all = await outboxRead();
  const mine = all.filter(isMine);
  pending.value = await Promise.all(mine.map((one) => (isStale(one) ? withdrawn(one) : one)));
  others = all.filter((entry) => !isMine(entry));
  addEventListener("online", () => pump());
  setInterval(pump, AGAIN_MS);
  pump();
}

const isStale = ({ kind, at, refused }) =>
  kind === "lock" && !refused && Date.now() - at > STALE_MS;

async function withdrawn(lock) {
  const entry = {
    ...lock,
    key: uuid(),
    at: Date.now(),
    kind: "withdraw",
    stale: true,
    path: lock.path.replace("/lock/", "/withdraw/"),
    body: {},
  };
  await outboxPut(entry).catch(console.warn); // else the next page does it
  return entry;
}

// Store a command, with the `draft` that follows it; resolved once it is stored. Raises what the browser's database raises.
export async function keep(entry, draft) {
  const next = { key: uuid(), at: Date.now(), person: page.person, ...entry };
  const kept = await stored(next, outboxAdd(next, draft));
  pending.value = [...pending.value, kept];
  pump();
}

// Put another content at the place of an entry, under a key of its own.
export async function replace(entry, more, draft) {
  await swap(entry, { ...entry, key: uuid(), ...more }, draft);
  pump();
}

async function swap(entry, next, draft) {
  const put = (one) => {
    pending.value = pending.value.map((old) => (old.seq === entry.seq ? one : old));
  };
  put({ ...next, open: true }); // an answer that comes from now on is that of no command
  try {
    await stored(next, outboxPut(next, draft));
  } catch (error) {
    put(entry);
    throw error;
  }
  put(next);
}

// Give up what was commanded for a round and was not answered: what undoes it is sent instead, in one step.
export async function instead(round, entry, draft) {
  const [first, ...rest] = pending.value.filter((one) => one.round === round && !isBeside(one));
  if (!first) return keep(entry, draft);
  await swap(
    first,
    { seq: first.seq, key: uuid(), at: Date.now(), person: page.person, ...entry },
    draft,
  );
  unanswered.value = 0;
  for (const one of rest) await remove(one);
  pump();
}

// Entries that nothing more is to come of.
export async function drop(isMeant) {
  for (const entry of pending.value.filter(isMeant)) await remove(entry);
  pump();
}

async function remove(entry) {
  await outboxDelete(entry.seq);
  pending.value = pending.value.filter((one) => one.seq !== entry.seq);
}

// One that cannot be deleted is sent once more by the next page, under its key: no more comes of it.
async function end(entry) {
  await outboxDelete(entry.seq).catch(console.warn);
  pending.value = pending.value.filter((one) => one.seq !== entry.seq);
}

export function pump() {
  for (const lane of Object.keys(running))
    running[lane] ??= flush(lane === "beside")
      .catch(broken)
      .finally(() => {
        running[lane] = null;
      });
}

// The command stays as it is, and is sent again.
function broken(error) {
  if (!(error instanceof DOMException)) throw error;
  whenUnstored(error);
}

export const isAtRest = (one) => Boolean(one.refused || one.kept || one.open);

// Whether it waits for the next tap, also by a clock that was set meanwhile.
export const isHeld = ({ until = 0 }, now = Date.now()) => until > now && until <= now + HOLD_MS;

// Another tap: what waited for it goes.
export function release() {
  if (!pending.value.some((one) => one.until)) return;
  pending.value = pending.value.map((one) => (one.until ? { ...one, until: 0 } : one));
  pump();
}

// One that waited for the next tap, and what follows from it, as if it had never been. False where
// it has gone already.
export async function takeOut(entry, draft) {
  const there = pending.value.find((one) => one.seq === entry.seq);
  if (!there || !isHeld(there)) return false;
  const put = (list) => {
    pending.value = list(pending.value);
  };
  put((all) => all.map((one) => (one === there ? { ...one, open: true } : one)));
  try {
    await stored(entry, outboxTakeOut(entry.seq, draft));
  } catch (error) {
    put((all) => all.map((one) => (one.seq === there.seq ? { ...there, until: 0 } : one)));
    throw error;
  }
  put((all) => all.filter((one) => one.seq !== there.seq));
  return true;
}

// What was commanded under a name of this tablet's own, under that of the server; null: nothing
// came of it.
export const renamed = (one, temp, id) =>
  id
    ? JSON.parse(JSON.stringify(one).replaceAll(temp, id))
    : JSON.parse(JSON.stringify(one), (_, value) =>
        Array.isArray(value) ? value.filter((each) => each !== temp) : value,
      );

export async function named({ temp, seq }, id) {
  const isMeant = (one) => one.seq !== seq && JSON.stringify(one).includes(temp);
  for (const one of pending.value.filter(isMeant)) {
    const next = renamed(one, temp, id);
    await outboxPut(next);
    pending.value = pending.value.map((old) => (old.seq === one.seq ? next : old));
  }
}

const isNameless = ({ path, body }) => NAMELESS.test(JSON.stringify([path, body]));

// The next to be sent: the oldest of its lane; behind a round that is not decided, none of another round, and behind a stake that was
// refused nothing of any.
function next(beside, failed) {
  const stops = pending.value.filter((one) => isAtRest(one) && !isAside(one));
  const isStopped = (one) =>
    (ROUNDS.includes(one.kind) &&
      stops.some(
        (stop) => stop.seq < one.seq && (stop.round !== one.round || ALONG.includes(stop.kind)),
      )) ||
    (IN_ORDER.includes(one.kind) &&
      stops.some((stop) => stop.seq < one.seq && IN_ORDER.includes(stop.kind)));
  const found = pending.value.find(
    (one) =>
      isBeside(one) === beside && !isAtRest(one) && !isStopped(one) && !failed.has(familyOf(one)),
  );
  if (found && (isHeld(found) || isNameless(found))) return undefined;
  return found?.body?.placed === null ? undefined : found; // its number is not known yet
}

async function flush(beside) {
  const failed = new Set();
  let entry = next(beside, failed);
  while (entry) {
    let answer = null,
      refusal = null;
    const since = !beside ? unanswered : familyOf(entry) === "guest" ? unseated : { value: 0 };
    since.value ||= performance.now();
    try {
      answer = await request(entry.path, entry);
    } catch (error) {
      if (error instanceof TypeError) {
        // no answer, or one that says when: again in a while
        if (error.is === CONFLICT) since.value = 0;
        if (!beside) return;
        failed.add(familyOf(entry));
        entry = next(beside, failed);
        continue;
      }
      if (!(error instanceof Refusal)) throw error;
      if (OUT.includes(error.problem.code)) return;
      if (error.problem.code === "device.idle") {
        left.value = true; // it is sent again, after the PIN
        return;
      }
      refusal = error;
    }
    answeredAt = performance.now();
    since.value = 0;
    await allStored();
    const now = pending.value.find((one) => one.key === entry.key); // else it was given up meanwhile
    if (now) await whenAnswered(now, answer, refusal);
    if (pending.value.some((one) => one.key === entry.key && !isAtRest(one))) await end(entry);
    entry = next(beside, failed);
  }
  if (!beside) unanswered.value = 0;
}
