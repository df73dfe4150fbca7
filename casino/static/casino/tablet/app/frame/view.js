// The frame: head, what has to be said, boxes, dock, rail, action. It knows no game: what stands in it comes from `tablet/game`.
import { page } from "tablet/frame/page";
import { html, icon, time, w } from "tablet/frame/words";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  isClockOff,
  isMeterOld,
  jackpot,
  link,
  offMinutes,
  offSince,
  standing,
} from "tablet/frame/live";
import { pending } from "tablet/frame/outbox";
import {
  alarms,
  aloneFor,
  coinsShut,
  draft,
  frozen,
  notice,
  sayAlarms,
  sheet,
  stakesShut,
  withPit,
} from "tablet/round/state";
import { forget, heldBack, refusedCorrections, refusedEntry } from "tablet/round/answers";
import { numberOf } from "tablet/round/commands";
import { giveToPit, sendAnew } from "tablet/round/flow";
import { Columns } from "tablet/round/columns";
import { Dock } from "tablet/round/dock";
import { Action, Rail } from "tablet/round/rail";
import { Sheet } from "tablet/round/sheets";
import * as game from "tablet/game";

export function Round() {
  const now = draft.value;
  useFocus(sheet.value);
  return html`
    <div class="round" data-phase=${now.phase} data-mode=${now.mode} data-sheet=${sheet.value?.name ?? ""}>
      <${Head} phase=${now.phase} mode=${now.mode} round=${now.round} number=${now.number} lockedAt=${now.lockedAt} />
      <div class="board">
        <div class="says"><${Said} /></div>
        ${sheet.value ? html`<${Sheet} open=${sheet.value} now=${now} />` : html`<${Columns} now=${now} /><${Dock} now=${now} />`}
      </div>
      <aside class="rail" aria-label=${w("keys")}>
        <div class="keys"><${Rail} now=${now} /></div>
        <${Action} now=${now} />
      </aside>
    </div>`;
}

// For who has a keyboard: what is opened gets the focus, and gives it back to the key that opened it, which was drawn anew since.
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

// It is given what of the round it writes, so that a tap on a box leaves it as it is.
function Head({ phase, mode, round, number, lockedAt }) {
  return html`
    <header class="head">
      <h1>${standing.value.name}</h1>
      <span class="number">${w("round", { number: numberOf({ round, number }) })}</span>
      <span class="limits">${page.limits}</span>
      <${Phase} phase=${phase} mode=${mode} lockedAt=${lockedAt} />
      <span class="end">
        ${standing.value.jackpot && html`<${Meter} />`}
        <${Link} />
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

function Phase({ phase, mode, lockedAt }) {
  if (mode !== "new")
    return html`<span class="pill correct">${icon("refresh", 20)}${w("correcting")}</span>`;
  if (phase === "bets" && stakesShut.value)
    return html`<span class="pill locked">${icon("lock", 20)}${w("stakes_shut")}</span>`;
  if (phase === "bets") return html`<span class="pill open">${w("bets_open")}</span>`;
  return html`<span class="pill locked">${icon("lock", 20)}<span>${w("no_more_bets")}</span> <time>${time(lockedAt)}</time></span>`;
}

// Whether the server is heard, and what it does not have yet: never "saved" for what is only stored here.
function Link() {
  const stored = pending.value.filter(
    (one) => ["queued", "settle"].includes(one.kind) && !one.refused && !one.kept,
  ).length;
  const state = link.value;
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

// The most urgent first: what has just been refused, what waits for the table, what the table waits for. What is news has a new key.
function said() {
  const told = notice.value;
  return [
    told &&
      html`
      <div key="notice" class="say ${told.kind}" role="alert">
        ${icon(told.kind === "lock" ? "lock" : told.kind === "appr" ? "code" : "warn")}
        <p><b>${told.title}</b> ${told.help}</p>
        ${told.act && html`<button type="button" class="do" onClick=${told.act.go}>${told.act.words}</button>`}
        <button type="button" class="close" aria-label=${w("close")} onClick=${() => {
          notice.value = null;
        }}>${icon("cross")}</button>
      </div>`,
    ...alarms.value.map(
      (one) => html`<${Alarm} key=${one.title + one.help + one.count} one=${one} />`,
    ),
    draft.value.mode === "correct" && html`<${Alone} key=${`alone ${aloneFor.value > 0}`} />`,
    refusedEntry.value &&
      html`<${Refused} key=${`refused ${refusedEntry.value.seq}`} entry=${refusedEntry.value} />`,
    heldBack.value.length > 0 &&
      html`<${HeldBack} key=${`held back ${heldBack.value.length}`} entries=${heldBack.value} />`,
    ...refusedCorrections.value.map(
      (entry) => html`<${NotCorrected} key=${entry.seq} entry=${entry} />`,
    ),
    withPit.value &&
      html`<${WithPit} key=${`with pit ${withPit.value.seq}`} entry=${withPit.value} />`,
    offSince.value > 0 && html`<${Off} key="offline" />`,
    frozen.value && html`<${Shut} key=${frozen.value} why=${frozen.value} />`,
    coinsShut.value === "no_display" && html`<${Shut} key="no_display" why="no_display" />`,
    goingBack(),
    isClockOff.value &&
      html`<div key="clock" class="say offline" role="status" data-why="clock">${icon("clock")}<p><b>${w("clock_off")}</b> ${w("clock_off_help")}</p></div>`,
  ].filter(Boolean);
}

// Chips that will go back at the lock, of a game whose boxes have a maximum that guests share (PRM-1).
function goingBack() {
  const words = draft.value.phase === "bets" && game.warnings?.(draft.value);
  return (
    words &&
    html`<div key="goes-back" class="say lock" role="status" data-why="goes-back">${icon("out")}<p><b>${w("stakes_back")}</b> ${words}</p></div>`
  );
}

function Alarm({ one: { title, help, count }, one }) {
  return html`
    <div class="say alarm" role="alert" data-why="alarm">${icon("warn")}
      <p>${count > 1 && html`<b>${count} × </b>`}<b>${title}</b> ${help}</p>
      <button type="button" class="close" aria-label=${w("close")} onClick=${() => sayAlarms(alarms.value.filter((other) => other !== one))}>${icon("cross")}</button>
    </div>`;
}

// How long the correction is the croupier's own, and whose it is then.
function Alone() {
  const count = aloneFor.value;
  if (!count)
    return html`<div class="say appr" role="status" data-why="asks">${icon("code")}<p><b>${w("asks_pit")}</b> ${w("asked_pit_help")}</p></div>`;
  return html`<div class="say" role="timer" data-why="alone">${icon("clock")}<p><b>${w("alone_for", { count })}</b> ${w("alone_then")}</p></div>`;
}

// A correction that not even the pit was asked for: it was tapped, and is not booked.
function NotCorrected({ entry }) {
  return html`
    <div class="say alarm" role="alert" data-why="not-corrected">${icon("warn")}
      <p><b>${w("correction_refused", { number: entry.draft.number })}</b> ${entry.refused.title} ${w("held_back_help")}</p>
      <button type="button" class="close" aria-label=${w("close")} onClick=${() => forget(entry)}>${icon("cross")}</button>
    </div>`;
}

// A round that is over for the table, and that the server still has as running: the pit decides, and what was played since waits.
function WithPit({ entry: { seq, number, kept } }) {
  const waiting = pending.value.filter(
    (one) => one.seq > seq && ["queued", "settle"].includes(one.kind),
  ).length;
  return html`
    <div class="say appr" role="alert" data-why="with-pit">${icon("code")}
      <p><b>${number ? w("with_pit", { number }) : w("with_pit_withdrawn")}</b> ${kept.title} ${waiting > 0 ? w(waiting === 1 ? "with_pit_one" : "with_pit_many", { count: waiting }) : ""}</p>
    </div>`;
}

// A result that the server did not take when the next round had begun: until it is put right, or with the pit. One that was entered for
// other stakes than are booked (`stake`) was not sent: it is looked at again.
function Refused({ entry: { number, refused } }) {
  return html`
    <div class="say alarm" role="alert" data-why="refused">${icon("warn")}
      <p><b>${w(refused.stake ? "result_again" : "result_refused", { number })}</b> ${refused.title} ${refused.detail}</p>
      ${!refused.stake && html`<button type="button" class="do" onClick=${giveToPit}>${w("give_to_pit")}</button>`}
    </div>`;
}

// Rounds that were played without the server and that it does not take from whoever is signed in.
function HeldBack({
  entries: {
    length,
    0: { refused },
  },
}) {
  return html`
    <div class="say alarm" role="alert" data-why="held-back">${icon("warn")}
      <p><b>${w(length === 1 ? "held_back_one" : "held_back_many", { count: length })}</b> ${refused.title} ${w("held_back_help")}</p>
      <button type="button" class="do" onClick=${sendAnew}>${w("send_anew")}</button>
    </div>`;
}

// Without the server: since when, what that means for this table, and after a while that the floor should know.
const LONG_MIN = 10;

function Off() {
  const means = stakesShut.value ? "stop" : coinsShut.value ? "no_coins" : "plays_on";
  const isLong = offMinutes.value >= LONG_MIN;
  const since = isLong
    ? [w("offline_minutes", { minutes: offMinutes.value }), w("offline_tell")]
    : [w("offline_since", { time: time(offSince.value).slice(0, 5) })];
  const said = means === "plays_on" ? since : [...since, `${w(`offline_${means}`)}.`];
  const now = draft.value;
  const hits = now.phase === "play" && !now.offline ? game.needsPit(now) : [];
  if (hits.length) said.push(w("offline_hit", { list: hits.join(", ") }));
  return html`
    <div class="say jackpot offline" role="status" data-why="offline">${icon("offline")}
      <p>${said.map((words) => html`<b key=${words}>${words}</b> `)}${w(means !== "stop" ? "offline_no_coins_help" : now.phase === "play" ? "offline_stop_help" : "offline_stop_idle")}</p>
    </div>`;
}

const PICTURES = { draining: "clock", verifying: "clock", showing: "lock" };

function Shut({ why }) {
  const waits = waitsFor(why);
  return html`<div class="say jackpot ${why}" role="status" data-why=${why}>${icon(PICTURES[why] ?? "warn")}<p><b>${shutWords(why)}</b>${waits && ` · ${waits}`}</p></div>`;
}

// Why the jackpot is shut, with the tables whose win is looked at.
function shutWords(why) {
  const tables = jackpot.value?.hit?.tables ?? [];
  return why === "verifying" && tables.length
    ? w("jackpot_verifying_at", { tables: tables.join(" · ") })
    : w(`jackpot_${why}`);
}

// What the freeze waits for: rounds by table, this one first; claims and signatures, else the pit's next step; displays.
function waitsFor(why) {
  const waiting = jackpot.value?.waiting_for;
  if (!waiting) return "";
  const mine = waiting.rounds.some((one) => one.table === page.table);
  const others = [
    ...new Set(waiting.rounds.filter((one) => one.table !== page.table).map((one) => one.name)),
  ];
  const displays = waiting.displays.filter((one) => one.state === "waiting").map((one) => one.name);
  const parts =
    why === "draining"
      ? [mine && w("this_round"), ...others]
      : why === "showing"
        ? displays
        : [
            waiting.claims > 0 && w("the_pit"),
            waiting.signatures && w("signatures", waiting.signatures),
            why === "verifying" && !waiting.claims && !waiting.signatures && w("the_decision"),
          ];
  const list = parts.filter(Boolean);
  return list.length ? w("waits_for", { list: list.join(" · ") }) : "";
}
