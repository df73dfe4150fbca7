import { DEAD_MS } from "tablet/frame/screen";
// A finger that taps twice means one thing: where a tap has put something else under the finger, the next one does nothing for a
// moment. A key that still says what it said (a number, an undo) takes every tap.

const NEAR_PX = 36; // a finger that comes down again hits the place by 6 mm
let last = null;

const keyAt = (x, y) => document.elementFromPoint(x, y)?.closest("button, a");
const wordsOf = (key) => (key ? (key.querySelector("b, .label") ?? key).textContent : "");

// Whether the last tap's place shows another key, or the same one with other words.
const hasChanged = ({ x, y, key, words }) => keyAt(x, y) !== key || wordsOf(key) !== words;

export function watchFinger() {
  addEventListener(
    "click",
    (event) => {
      if (!event.detail) return; // by keyboard
      const [x, y, now] = [event.clientX, event.clientY, performance.now()];
      if (
        last &&
        now < last.at + DEAD_MS &&
        Math.hypot(x - last.x, y - last.y) <= NEAR_PX &&
        hasChanged(last)
      ) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      const key = event.target.closest("button, a");
      last = key && { x, y, key, words: wordsOf(key), at: now };
    },
    { capture: true },
  );
}
