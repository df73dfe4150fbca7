// One page for each tablet's table: two would each have a round of their own, and send the same commands.
import { page } from "tablet/frame/page";

const SOON_MS = 1_000; // a page that is loaded anew still holds it for a moment

// Resolved once no other page of this browser has the table, and for as long as this page lives; `waits` is called if one has.
export function alone(waits = () => {}) {
  if (!navigator.locks) return Promise.resolve(); // there on HTTPS only
  return new Promise((done) => {
    const late = setTimeout(waits, SOON_MS);
    navigator.locks.request(`saalchef-tablet-${page.table}`, () => {
      clearTimeout(late);
      done();
      return new Promise(() => {});
    });
  });
}
