// Whether this page opens without the server: the worker has stored it. Where it has not, the
// tablet says so, and rings.
import { signal } from "@preact/signals";
import { wrong } from "tablet/frame/sound";

const PATIENCE_MS = 30_000; // the worker fetches every file of the page first
const AGAIN_MS = 5_000;
const ADDRESS = location.origin + location.pathname;
export const isPageStored = signal(null); // null: not known yet
let isLate = false;

async function look() {
  const found = await globalThis.caches?.match(ADDRESS, { ignoreVary: true }).catch(console.warn);
  if (!found && !isLate) return;
  if (!found && isPageStored.peek() !== false) wrong();
  isPageStored.value = Boolean(found);
}

export function watchPage() {
  setInterval(look, AGAIN_MS);
  setTimeout(() => {
    isLate = true;
    look();
  }, PATIENCE_MS);
  look();
}
