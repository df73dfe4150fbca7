// That something was done is said for a while; what went wrong stays until somebody has put it right.
const SAID_MS = 6_000;

export function passes(within) {
  for (const note of within.querySelectorAll(".notices > .ok"))
    setTimeout(() => note.remove(), SAID_MS);
}
