// What a round has to say over the boxes: corrections, what the house did not take, what the pit decides on, a table without the server,
// a jackpot that is shut.
import { page } from "tablet/frame/page";
import { html, icon, time, w } from "tablet/frame/words";
import { jackpot, offMinutes, offSince } from "tablet/frame/live";
import { pending } from "tablet/frame/outbox";
import { aloneFor, coinsShut, draft, frozen, stakesShut, withPit } from "tablet/round/state";
import { forget, heldBack, refusedCorrections, refusedEntry } from "tablet/round/answers";
import { giveToPit, sendAnew } from "tablet/round/flow";
import * as game from "tablet/game";

// The most urgent first.
export function said() {
  return [
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
  ];
}

// Chips that will go back at the lock, of a game whose boxes have a maximum that guests share (PRM-1).
function goingBack() {
  const words = draft.value.phase === "bets" && game.warnings?.(draft.value);
  return (
    words &&
    html`<div key="goes-back" class="say lock" role="status" data-why="goes-back">${icon("out")}<p><b>${w("stakes_back")}</b> ${words}</p></div>`
  );
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
