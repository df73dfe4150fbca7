// What a hand has to say over the seats, the most urgent first: a correction, a hand that was not
// taken, what the game asks for, a table without the server.
import { html, icon, time, w } from "tablet/frame/words";
import { offMinutes, offSince, secondsTo } from "tablet/frame/live";
import { draft, refusedHand } from "tablet/hand/state";
import { forget } from "tablet/hand/commands";
import { giveToPit } from "tablet/hand/flow";
import * as game from "tablet/game";

export function said() {
  const { mode, waiting } = draft.value;
  const entry = refusedHand.value;
  return [
    mode === "correct" && html`<${Alone} key="alone" />`,
    entry && html`<${Refused} key=${`refused ${entry.seq}`} entry=${entry} />`,
    ...game.said(),
    waiting.length > 0 &&
      html`<${Waiting} key=${`waiting ${waiting.length}`} entries=${waiting} />`,
    offSince.value > 0 && html`<${Off} key="offline" />`,
  ];
}

function Alone() {
  const count = secondsTo(draft.value.aloneUntil);
  if (!count)
    return html`<div class="say appr" role="status" data-why="asks">${icon("code")}<p><b>
      ${w("asks_pit")}</b> ${w("asked_pit_help")}</p></div>`;
  return html`<div class="say" role="timer" data-why="alone">${icon("clock")}<p><b>${w(
    "alone_for",
    { count },
  )}</b> ${w("alone_then")}</p></div>`;
}

function Refused({ entry: { number, refused } }) {
  return html`
    <div class="say alarm" role="alert" data-why="refused">${icon("warn")}
      <p><b>${w("hand_refused", { number })}</b> ${refused.title} ${refused.detail}
        ${refused.rule && html` <span class="rule">${refused.rule}</span>`}</p>
      <button type="button" class="do" onClick=${giveToPit}>${w("give_to_pit")}</button>
    </div>`;
}

// What is done at seats as soon as this hand has ended; the last of it can be taken back.
function Waiting({ entries }) {
  const last = entries.at(-1);
  return html`
    <div class="say lock" role="status" data-why="waiting">${icon("clock")}
      <p><b>${w(entries.length === 1 ? "waiting_one" : "waiting_many", { count: entries.length })}
        </b> ${w(`waits_${last.act}`)}</p>
      <button type="button" class="do" onClick=${() => forget(last)}>${w("waiting_forget")}</button>
    </div>`;
}

const LONG_MIN = 10;

function Off() {
  const isLong = offMinutes.value >= LONG_MIN;
  const since = isLong
    ? [w("offline_minutes", { minutes: offMinutes.value }), w("offline_tell")]
    : [w("offline_since", { time: time(offSince.value).slice(0, 5) })];
  return html`
    <div class="say offline" role="status" data-why="offline">${icon("offline")}
      <p>${since.map((words) => html`<b key=${words}>${words}</b> `)}${w("hands_stored")}</p>
    </div>`;
}
