// A tablet on which nobody deals is there all the same: the pit's board must not call it offline.
const ASK_MS = 5_000;
const { here } = document.querySelector("[data-here]").dataset;

setInterval(() => { fetch(here, { cache: "no-store" }).catch(() => {}); }, ASK_MS); // without an answer the next one is tried
