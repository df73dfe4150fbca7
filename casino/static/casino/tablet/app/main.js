// The tablet of one table: what was kept is read first, then the page is drawn, then the server is listened to.
import { render } from "preact";
import { html, page } from "tablet/words";
import { begin } from "tablet/flow";
import { start } from "tablet/live";
import { sheet } from "tablet/state";
import { Round } from "tablet/view";

const HAND = "saalchef-tablet-hand"; // which hand taps, on this tablet
document.documentElement.dataset.hand = localStorage.getItem(HAND) ?? "right";
for (const button of document.querySelectorAll("[data-set-hand]")) {
  button.addEventListener("click", () => {
    localStorage.setItem(HAND, button.dataset.setHand);
    document.documentElement.dataset.hand = button.dataset.setHand;
    marked();
  });
}
function marked() {
  for (const button of document.querySelectorAll("[data-set-hand]")) button.setAttribute("aria-pressed", String(button.dataset.setHand === document.documentElement.dataset.hand));
}
marked();
for (const button of document.querySelectorAll("[data-close]")) button.addEventListener("click", () => button.closest("dialog").close());

// Keys, for who has a keyboard: help, and back from whatever lies over the boxes. An open dialog has keys of its own.
addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "?" || event.key === "F1") sheet.value = { name: "help" };
  else if (event.key === "Escape" && sheet.value) sheet.value = null;
  else return;
  event.preventDefault();
});

// The screen of a table stays on. The system takes the lock away when the page is hidden, so it is asked for again.
const awake = () => { if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {}); };
document.addEventListener("visibilitychange", awake);
awake();

await begin();
render(html`<${Round} />`, document.getElementById("main"));
start();
if ("serviceWorker" in navigator) navigator.serviceWorker.register(page.urls.worker, { scope: page.urls.scope });
