// What is sent of a table: its addresses, and that each command is stored before it is sent.
import { page } from "tablet/frame/page";
import { link } from "tablet/frame/live";
import * as outbox from "tablet/frame/outbox";
import { sheet, tell, unstored, working } from "tablet/frame/screen";
import { w } from "tablet/frame/words";

export const api = (path) => `/api/${path}`;
export const tablePath = (path) => api(`tables/${page.table}/${path}`);

// Whether a command could be stored; if not, the screen says so and nothing is sent.
export const kept = (entry, next) => isStored(() => outbox.keep(entry, next));
export const replaced = (entry, more, next) => isStored(() => outbox.replace(entry, more, next));

export async function isStored(work) {
  try {
    await work();
    return true;
  } catch (error) {
    working.value = "";
    unstored(error);
    return false;
  }
}

// What the game does not wait for.
export const isOnItsWay = (kind) => outbox.pending.value.some((one) => one.kind === kind);

// Why a key that needs the server takes no tap, or what has become of its last one.
export const waits = (kind) =>
  isOnItsWay(kind) ? w("stored_again") : link.value === "off" ? w("offline") : "";

// What goes beside the rounds: it is told of no more until it is answered.
export async function beside(kind, round, path, body) {
  if (isOnItsWay(kind)) return;
  if (!(await kept({ kind, round, path, body }))) return;
  sheet.value = null;
  if (link.value === "off") tell(w("no_answer"), w("stored_again"), { kind: "offline" });
}
