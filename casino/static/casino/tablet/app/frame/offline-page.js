// Whether this page opens without the server: the worker has stored it. Where it has not, the
// tablet says so, and rings.
import { signal } from "@preact/signals";
import { wrong } from "tablet/frame/sound";

const PATIENCE_MS = 30_000; // the worker fetches every file of the page first
const AGAIN_MS = 5_000;
const FRESH_MS = 5_000; // what is younger is on its way
const ADDRESS = location.origin + location.pathname;
const WORDS = new Map([
  [null, "?"],
  [true, "yes"],
  [false, "no"],
]);
export const isPageStored = signal(null); // null: not known yet
let isLate = false;

async function look() {
  const found = await globalThis.caches?.match(ADDRESS, { ignoreVary: true }).catch(console.warn);
  if (!found && !isLate) return;
  if (!found && isPageStored.peek() !== false) wrong();
  isPageStored.value = Boolean(found);
}

// What every request tells of this tablet: `yes 3`, the page is stored, and so many of these entries
// have lain here for a while without an answer.
export function tabletReport(entries) {
  const isFresh = ({ at }) => Math.abs(Date.now() - at) <= FRESH_MS;
  const isUnsent = (entry) => !(entry.refused || entry.kept || entry.open || isFresh(entry));
  const unsent = entries.filter(isUnsent);
  return `${WORDS.get(isPageStored.peek())} ${unsent.length}`;
}

export function watchPage() {
  setInterval(look, AGAIN_MS);
  setTimeout(() => {
    isLate = true;
    look();
  }, PATIENCE_MS);
  look();
}
