// What must outlive the page: the draft of the round, and every command until the server has answered it.
import { openDB } from "idb";
import { page } from "tablet/words";

const opened = openDB(`saalchef-tablet-${page.device}`, 1, {
  upgrade(db) {
    db.createObjectStore("outbox", { keyPath: "seq", autoIncrement: true });
    db.createObjectStore("draft");
  },
});
const SAFE = { durability: "strict" }; // on the disk before it counts as stored: a tablet's battery may be pulled

export const draftRead = async () => (await opened).get("draft", "now");
export const draftWrite = async (draft) => (await opened).put("draft", draft, "now");
export const outboxRead = async () => (await opened).getAll("outbox");

export async function outboxAdd(entry) {
  const step = (await opened).transaction("outbox", "readwrite", SAFE);
  const seq = await step.store.add(entry);
  await step.done;
  return { ...entry, seq };
}

// Keeps an entry and the draft that follows it in one step, so that no reload sees the one without the other.
export async function outboxAddWith(entry, draft) {
  const step = (await opened).transaction(["outbox", "draft"], "readwrite", SAFE);
  const seq = await step.objectStore("outbox").add(entry);
  await step.objectStore("draft").put(draft, "now");
  await step.done;
  return { ...entry, seq };
}

export const outboxPut = async (entry) => (await opened).put("outbox", entry);
export const outboxDelete = async (seq) => (await opened).delete("outbox", seq);
