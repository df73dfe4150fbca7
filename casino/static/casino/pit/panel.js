// The floor's own pages, opened beside the board: forms and refusals are theirs, htmx brings them in. They follow their table.
import { take } from "floor/floor";
import { passes } from "pit/said";

const EVERY_MS = 4_000; // as a page of the floor by itself; and at once when something has moved on the board
const dialog = document.getElementById("panel");
const body = document.getElementById("panel-body");
const failed = dialog.querySelector("[data-panel-failed]");
const busy = dialog.querySelector("[data-panel-busy]");
let shown = "";
let asked = 0; // what was read again before somebody did something here is older than the answer to that
let following = false;

export function open(address) {
  shown = address;
  body.replaceChildren();
  failed.hidden = true;
  if (!dialog.open) dialog.showModal();
  read();
}

export const isOpen = () => dialog.open;

function read() {
  const into = { source: body, target: body, select: "#main > *", swap: "innerHTML show:top" };
  globalThis.htmx.ajax("GET", shown, into).catch(() => {}); // what went wrong comes as an event, and is said below
}

// Read the page again, and put in what has changed; a region in which somebody types stays. That it could not be read is said by the
// board, which asks for itself.
export async function follow() {
  const page = body.querySelector("[data-fresh]");
  if (!dialog.open || !page || following || !busy.hidden || document.hidden) return;
  following = true;
  const before = asked;
  try {
    const answer = await fetch(page.dataset.fresh, {
      headers: { Accept: "text/html" },
      signal: AbortSignal.timeout(EVERY_MS),
    });
    const text = answer.ok && !answer.redirected ? await answer.text() : "";
    if (text && before === asked) {
      for (const region of take(new DOMParser().parseFromString(text, "text/html"), body))
        globalThis.htmx.process(region);
    }
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
  }
  following = false;
}

// An answer that says nothing, or none at all: what was typed stays where it is, and what is known is said.
function tell(text) {
  failed.querySelector("span").textContent = text;
  failed.hidden = false;
  failed.focus();
}

export function start(settings, words, done) {
  dialog.querySelector("[data-close-panel]").addEventListener("click", () => dialog.close());
  dialog.querySelector("[data-refresh-panel]").addEventListener("click", read);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    asked += 1;
    body.replaceChildren();
    done();
  });
  document.body.addEventListener("htmx:beforeRequest", () => {
    asked += 1;
    busy.hidden = false;
    failed.hidden = true;
  });
  document.body.addEventListener("htmx:afterRequest", () => {
    busy.hidden = true;
  });
  for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.body.addEventListener(name, (event) => {
      busy.hidden = true;
      tell(event.detail.requestConfig?.verb === "get" ? words.panelFailed : words.panelUnknown);
    });
  }
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.isError) return; // said above
    const came = new URL(event.detail.xhr.responseURL || location.href);
    if (came.pathname === settings.floor || came.pathname === location.pathname) {
      // decided: it led back to the overview
      event.detail.shouldSwap = false;
      dialog.close();
    } else if (came.pathname.startsWith(settings.signIn)) location.assign(settings.signIn);
    else shown = came.pathname + came.search;
  });
  document.body.addEventListener("htmx:afterSwap", () => {
    passes(body);
    const alert = body.querySelector("[role=alert]");
    if (alert) {
      alert.tabIndex = -1;
      alert.focus();
    }
    const address = new URL(shown, location.href);
    if (address.hash) body.querySelector(address.hash)?.scrollIntoView();
  });
  setInterval(follow, EVERY_MS);
}
