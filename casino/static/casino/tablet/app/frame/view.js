// The frame: head, what has to be said, and the places of what is played. It knows no game, and no
// round: what stands in it comes from `tablet/play`.
import { page } from "tablet/frame/page";
import { html, icon, time, w } from "tablet/frame/words";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isClockOff, isMeterOld, jackpot, link, standing } from "tablet/frame/live";
import { isPageStored } from "tablet/frame/offline-page";
import { isHeld, pending } from "tablet/frame/outbox";
import { CashKey } from "tablet/frame/cash-sheet";
import { alarms, notice, sayAlarms, sheet } from "tablet/frame/screen";
import * as play from "tablet/play";

export function Frame() {
  const now = play.draft.value;
  useFocus(sheet.value);
  return html`
    <div class="round" data-phase=${now.phase} data-mode=${now.mode} data-sheet=${sheet.value?.name ?? ""}>
      <${Head} ...${play.headOf(now)} />
      <div class="board">
        <div class="says"><${Said} /></div>
        ${sheet.value ? html`<${play.Sheet} open=${sheet.value} now=${now} />` : html`<${play.Board} now=${now} />`}
      </div>
      <aside class="rail" aria-label=${w("keys")}>
        <div class="keys"><${play.Rail} now=${now} /></div>
        <${play.Action} now=${now} />
      </aside>
    </div>`;
}

// With a keyboard, what is opened gets the focus, and gives it back to the key that opened it,
// which was drawn anew since.
function useFocus(open) {
  const opener = useRef("");
  const name = open?.name ?? "";
  useLayoutEffect(() => {
    const found = name
      ? document.querySelector(".sheet, .cards")
      : document.querySelector(`[data-opens="${opener.current}"]`);
    found?.focus({ preventScroll: true });
    return () => {
      opener.current = open ? openerOf(open) : "";
    };
  }, [name]);
}

const openerOf = ({ name, box }) => (box ? `${name}-${box}` : name);

// It is given what of the play it writes, so that a tap on a box leaves it as it is.
function Head(shown) {
  return html`
    <header class="head">
      <h1>${standing.value.name}</h1>
      <span class="number">${play.title(shown)}</span>
      <span class="limits">${page.limits}</span>
      <${play.Phase} ...${shown} />
      <span class="end">
        ${standing.value.jackpot && html`<${Meter} />`}
        <${Link} />
        <${CashKey} />
        <button class="helps" type="button" data-opens="help" aria-label=${w("help")} onClick=${() => {
          sheet.value = { name: "help" };
        }}>${icon("help", 26)}</button>
        <button class="person" type="button" aria-label=${page.name} onClick=${() => document.getElementById("menu").showModal()}>${icon("user", 22)}<span>${page.name}</span></button>
      </span>
    </header>`;
}

// Never an old amount as if it were live.
function Meter() {
  const told = jackpot.value;
  const since =
    isMeterOld.value && told ? w("as_of", { time: time(Date.parse(told.at)).slice(0, 5) }) : "";
  return html`<span class="meter ${since ? "old" : ""}"><span class="word">${since || w("jackpot")}</span><b>${told?.text ?? "–"}</b></span>`;
}

// Whether the server is heard, and what it does not have yet: never "saved" for what is only stored here.
function Link() {
  const state = link.value;
  // what can still be taken back is not being sent, but it lies here
  const stored = pending.value.filter(
    (one) =>
      ["queued", "settle", "hand"].includes(one.kind) &&
      !one.refused &&
      !one.kept &&
      (state === "off" || !isHeld(one)),
  ).length;
  const words =
    state === "off"
      ? w(stored === 1 ? "offline_one" : stored ? "offline_many" : "offline", { count: stored })
      : stored && state === "ok"
        ? w("sending", { count: stored })
        : w({ ok: "connected", slow: "slow", unknown: "connecting" }[state]);
  const picture = { off: "offline", slow: "warn", unknown: "clock", ok: "ok" }[state];
  return html`<span class="link ${state}" role="status">${icon(picture, 22)}<span>${words}</span></span>`;
}

// What stands over the boxes. One line has its place there. What comes besides lies over the boxes until a finger goes on with them;
// then the first stays, and the others come on a tap.
function Said() {
  const [isOpen, setOpen] = useState(false);
  const all = said();
  const more = all.length - 1;
  const keys = all.map((one) => one.key);
  const before = useRef([]);
  useLayoutEffect(() => {
    if (more < 1) setOpen(false);
    else if (keys.some((key) => !before.current.includes(key))) setOpen(true);
    before.current = keys;
  }, [keys.join()]);
  useLayoutEffect(() => {
    const shut = ({ target }) => {
      if (!target.closest(".says")) setOpen(false);
    };
    addEventListener("pointerdown", shut);
    return () => removeEventListener("pointerdown", shut);
  }, []);
  return html`
    ${isOpen ? all : all[0]}
    ${
      more > 0 &&
      html`
      <button type="button" class="more" aria-expanded=${isOpen} aria-label=${w(more === 1 ? "said_more_one" : "said_more_many", { count: more })} onClick=${() => setOpen(!isOpen)}>
        <b>+${more}</b>${icon("next", 22)}
      </button>`
    }`;
}

const NOTICES = { lock: "lock", appr: "code" };

// The most urgent first: what has just been refused, what waits for the table, what the table waits for. What is news has a new key.
function said() {
  const told = notice.value;
  return [
    told &&
      html`
      <div key="notice" class="say ${told.kind}" role="alert">
        ${icon(told.picture ?? NOTICES[told.kind] ?? "warn")}
        <p><b>${told.title}</b> ${told.help}</p>
        ${told.act && html`<button type="button" class="do" onClick=${told.act.go}>${told.act.words}</button>`}
        <button type="button" class="close" aria-label=${w("close")} onClick=${() => {
          notice.value = null;
        }}>${icon("cross")}</button>
      </div>`,
    ...alarms.value.map(
      (one) => html`<${Alarm} key=${one.title + one.help + one.count} one=${one} />`,
    ),
    ...play.said(),
    standing.value.counting &&
      html`
      <div key="count" class="say lock" role="status" data-why="count">
        ${icon("chip")}<p><b>${w("being_counted")}</b> ${w("being_counted_help")}</p>
        <a class="do" href=${page.urls.count}>${w("to_count")}</a>
      </div>`,
    isClockOff.value &&
      html`<div key="clock" class="say offline" role="status" data-why="clock">${icon("clock")}<p><b>${w("clock_off")}</b> ${w("clock_off_help")}</p></div>`,
    isPageStored.value === false &&
      html`
      <div key="page" class="say alarm" role="alert" data-why="page">
        ${icon("warn")}
        <p><b>${w("page_not_stored")}</b> ${w("page_not_stored_help")}</p>
      </div>`,
  ].filter(Boolean);
}

function Alarm({ one: { title, help, count }, one }) {
  return html`
    <div class="say alarm" role="alert" data-why="alarm">${icon("warn")}
      <p>${count > 1 && html`<b>${count} × </b>`}<b>${title}</b> ${help}</p>
      <button type="button" class="close" aria-label=${w("close")} onClick=${() => sayAlarms(alarms.value.filter((other) => other !== one))}>${icon("cross")}</button>
    </div>`;
}
