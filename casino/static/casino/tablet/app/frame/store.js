// What must outlive the page: the draft of the round, and every command until the server has answered it.
import { openDB } from "idb";
import { page } from "tablet/frame/page";

// By table: a tablet that is enrolled anew is another device, and what it has stored is still to be sent.
//
// A browser may close the database behind a page that slept (Safari does): it is opened again then, and only what fails twice is said.
//
// Async throughout: a browser that has no database at all throws at once, and the page is to say so, not to stay away.
const CLOSED = "InvalidStateError";
let opened = null;

function open() {
  const mine = (async () =>
    openDB(`saalchef-tablet-${page.table}`, 1, {
      upgrade(db) {
        db.createObjectStore("outbox", { keyPath: "seq", autoIncrement: true });
        db.createObjectStore("draft");
      },
      blocking: (_now, _next, { target }) => {
        target.close();
        forget(mine);
      },
      terminated: () => forget(mine),
    }))();
  mine.catch(() => forget(mine)); // who first asks for something is told
  return mine;
}

function forget(old) {
  if (opened === old) opened = null;
}

// A step on a database that is closed has done nothing: it is done whole on the one that is opened again.
async function withBase(work) {
  const mine = (opened ??= open());
  try {
    return await work(await mine);
  } catch (error) {
    if (error.name !== CLOSED) throw error;
    forget(mine);
    return work(await (opened ??= open()));
  }
}

const BOTH = ["outbox", "draft"];
const SAFE = { durability: "strict" }; // on the disk before it counts as stored: a tablet's battery may be pulled

export const draftRead = () => withBase((base) => base.get("draft", "now"));
export const stepsRead = () => withBase((base) => base.get("draft", "steps"));
export const outboxRead = () => withBase((base) => base.getAll("outbox"));
export const outboxDelete = (seq) => withBase((base) => base.delete("outbox", seq));

// All of a step or nothing: of one that fails, nothing may be there for the next page to send.
const inOneStep = (stores, safety, work) =>
  withBase((base) => stepOf(base.transaction(stores, "readwrite", safety), stores, work));

async function stepOf(step, stores, work) {
  try {
    const [done] = await Promise.all([
      work(...stores.map((name) => step.objectStore(name))),
      step.done,
    ]);
    return done;
  } catch (error) {
    try {
      step.abort();
    } catch {
      /* the browser has given it up itself */
    }
    throw error;
  }
}

// Taps are kept as they come, with the `steps` that undo takes back; a step of the round (`isStep`) is on the disk before the screen
// says so.
export const draftWrite = (draft, steps, isStep = false) =>
  inOneStep(["draft"], isStep ? SAFE : undefined, async (place) => {
    await Promise.all([place.put(draft, "now"), place.put(steps, "steps")]);
  });

// Keeps an entry, and the draft that follows it (if any) in the same step, so that no reload sees the one without the other.
export async function outboxAdd(entry, draft) {
  const seq = await inOneStep(BOTH, SAFE, async (outbox, place) => {
    const number = await outbox.add(entry);
    if (draft) await place.put(draft, "now");
    return number;
  });
  return { ...entry, seq };
}

// Another content for an entry, at its place.
export const outboxPut = (entry, draft) =>
  inOneStep(BOTH, SAFE, async (outbox, place) => {
    await outbox.put(entry);
    if (draft) await place.put(draft, "now");
  });

// Takes an entry away, with the draft that follows.
export const outboxTakeOut = (seq, draft) =>
  inOneStep(BOTH, SAFE, async (outbox, place) => {
    await Promise.all([outbox.delete(seq), place.put(draft, "now")]);
  });
