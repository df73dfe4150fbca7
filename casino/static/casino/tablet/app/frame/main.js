// The tablet of one table: what was kept is read first, then the page is drawn, then the server is listened to.
import { effect } from "@preact/signals";
import { render } from "preact";
import { alone } from "tablet/frame/alone";
import { page, remember } from "tablet/frame/page";
import { html, w } from "tablet/frame/words";
import * as play from "tablet/play";
import { isCounted, link, start } from "tablet/frame/live";
import { watchFinger } from "tablet/frame/finger";
import { Idle, watchIdle } from "tablet/frame/idle";
import { idle } from "tablet/frame/outbox";
import { Caught, Lone } from "tablet/frame/caught";
import { Frame } from "tablet/frame/view";
import { watchPage } from "tablet/frame/offline-page";
import { sheet } from "tablet/frame/screen";

// What is set on this tablet, for whoever works on it: which hand taps, how loud it is.
const SET = { hand: "right", sound: "normal" };
for (const [name, usual] of Object.entries(SET)) {
  const buttons = document.querySelectorAll(`[data-set-${name}]`);
  const kept = `saalchef-tablet-${name}`;
  const be = (value) => {
    document.documentElement.dataset[name] = value;
    for (const button of buttons)
      button.setAttribute(
        "aria-pressed",
        String(button.getAttribute(`data-set-${name}`) === value),
      );
  };
  be(localStorage.getItem(kept) ?? usual);
  for (const button of buttons) {
    button.addEventListener("click", () => {
      remember(kept, button.getAttribute(`data-set-${name}`));
      be(button.getAttribute(`data-set-${name}`));
    });
  }
}
for (const button of document.querySelectorAll("[data-close]"))
  button.addEventListener("click", () => button.closest("dialog").close());

watchFinger();

// Keys, for who has a keyboard (no letter or sign, which a voice that dictates would press, too): help, and back from whatever lies over the boxes. An open dialog has keys of its own.
addEventListener("keydown", (event) => {
  if (idle.value || document.querySelector("dialog[open]")) return;
  if (event.key === "F1") sheet.value = { name: "help" };
  else if (event.key === "Escape" && sheet.value) sheet.value = null;
  else return;
  event.preventDefault();
});

// The screen of a table stays on. The system takes the lock away when the page is hidden, so it is asked for again.
const awake = () => {
  if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
};
document.addEventListener("visibilitychange", awake);
awake();

// What needs the server leads nowhere without it.
effect(() => {
  const isOff = link.value === "off";
  for (const part of document.querySelectorAll("[data-needs-server]")) part.inert = isOff;
  document.getElementById("menu-offline").hidden = !isOff;
});

// While the tray is counted nothing is played here.
effect(() => {
  if (isCounted.value && !sheet.value && !play.isRunning()) location.assign(page.urls.count);
});

// The browser does not clear away what is stored here when its disk runs full.
navigator.storage?.persist?.().catch(console.warn);

const main = document.getElementById("main");
await alone(() =>
  render(html`<${Lone} title=${w("already_open")} help=${w("already_open_help")} />`, main),
);
await play.begin();
const Tablet = () => (idle.value ? html`<${Idle} />` : html`<${Frame} />`);
render(html`<${Caught}><${Tablet} /><//>`, main);
start();
watchIdle();
watchPage();
if ("serviceWorker" in navigator)
  navigator.serviceWorker.register(page.urls.worker, { scope: page.urls.scope });
