// The frame: head, what has to be said, boxes, dock, rail, action. It knows no game: what stands in it comes from `tablet/game`.
import { html, icon, page, time, w } from "tablet/words";
import { isClockOff, jackpot, link, offMinutes, offSince, standing } from "tablet/live";
import { pending } from "tablet/outbox";
import { coinsShut, draft, notice, sheet, stakesShut } from "tablet/state";
import { Columns } from "tablet/columns";
import { Dock } from "tablet/dock";
import { Action, Rail } from "tablet/rail";
import { Sheet } from "tablet/sheets";

export function Round() {
  const now = draft.value;
  return html`
    <div class="round" data-phase=${now.phase} data-mode=${now.mode} data-sheet=${sheet.value?.name ?? ""}>
      <${Head} now=${now} />
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

function Head({ now }) {
  const number = now.number ?? (standing.value.round?.number ?? 0) + 1 + pending.value.filter((one) => one.kind === "queued").length;
  return html`
    <header class="head">
      <h1>${standing.value.name}</h1>
      <span class="number">${w("round", { number })}</span>
      <span class="limits">${page.limits}</span>
      <${Phase} now=${now} />
      <span class="end">
        ${standing.value.jackpot && html`<span class="meter"><span class="word">${w("jackpot")}</span><b>${jackpot.value?.text ?? "–"}</b></span>`}
        <${Link} />
        <button class="helps" type="button" aria-label=${w("help")} onClick=${() => { sheet.value = { name: "help" }; }}>${icon("help", 26)}</button>
        <button class="person" type="button" aria-label=${page.name} onClick=${() => document.getElementById("menu").showModal()}>${icon("user", 22)}<span>${page.name}</span></button>
      </span>
    </header>`;
}

function Phase({ now }) {
  if (now.mode === "correct") return html`<span class="pill correct">${icon("refresh", 20)}${w("correcting")}</span>`;
  if (now.phase === "bets" && stakesShut.value) return html`<span class="pill locked">${icon("lock", 20)}${w("stakes_shut")}</span>`;
  if (now.phase === "bets") return html`<span class="pill open">${w("bets_open")}</span>`;
  return html`<span class="pill locked">${icon("lock", 20)}<span>${w("no_more_bets")}</span> <time>${time(now.lockedAt)}</time></span>`;
}

// Whether the server is heard, and what it does not have yet: never "saved" for what is only stored here.
function Link() {
  const stored = pending.value.filter((one) => ["queued", "settle"].includes(one.kind)).length;
  const state = link.value;
  const words = state === "off" ? w(stored === 1 ? "offline_one" : stored ? "offline_many" : "offline", { count: stored })
    : stored && state === "ok" ? w("sending", { count: stored }) : w(state === "slow" ? "slow" : "connected");
  const picture = state === "off" ? "offline" : state === "slow" ? "warn" : "ok";
  return html`<span class="link ${state}" role="status">${icon(picture, 22)}<span>${words}</span></span>`;
}

// What stands over the boxes: a refusal, the jackpot's state, an offline table.
function Said() {
  const told = notice.value;
  return html`
    ${told && html`
      <div class="say ${told.kind}" role="alert">
        ${icon(told.kind === "lock" ? "lock" : told.kind === "appr" ? "code" : "warn")}
        <p><b>${told.title}</b> ${told.help}</p>
        ${told.act && html`<button type="button" class="do" onClick=${told.act.go}>${told.act.words}</button>`}
        <button type="button" class="close" aria-label=${w("close")} onClick=${() => { notice.value = null; }}>${icon("cross")}</button>
      </div>`}
    ${isClockOff.value && html`<div class="say offline" role="status" data-why="clock">${icon("clock")}<p><b>${w("clock_off")}</b> ${w("clock_off_help")}</p></div>`}
    ${offSince.value > 0 && html`<${Off} />`}
    ${coinsShut.value && coinsShut.value !== "offline" && html`<${Shut} why=${coinsShut.value} />`}`;
}

// Without the server: since when, what that means for this table, and after a while that the floor should know.
const LONG_MIN = 10;

function Off() {
  const means = stakesShut.value ? "stop" : coinsShut.value ? "no_coins" : "plays_on";
  const isLong = offMinutes.value >= LONG_MIN;
  const since = isLong ? [w("offline_minutes", { minutes: offMinutes.value }), w("offline_tell")] : [w("offline_since", { time: time(offSince.value).slice(0, 5) })];
  const said = means === "plays_on" ? since : [...since, `${w(`offline_${means}`)}.`];
  return html`
    <div class="say jackpot offline" role="status" data-why="offline">${icon("offline")}
      <p>${said.map((words) => html`<b key=${words}>${words}</b> `)}${w(means === "stop" ? "offline_stop_help" : "offline_no_coins_help")}</p>
    </div>`;
}

const PICTURES = { draining: "clock", verifying: "clock", showing: "lock" };

function Shut({ why }) {
  return html`<div class="say jackpot ${why}" role="status" data-why=${why}>${icon(PICTURES[why] ?? "warn")}<p><b>${w(`jackpot_${why}`)}</b> ${waitsFor(why)}</p></div>`;
}

// What the freeze waits for: rounds by table, this one first; claims and signatures; displays.
function waitsFor(why) {
  const waiting = jackpot.value?.waiting_for;
  if (!waiting) return "";
  const mine = waiting.rounds.some((one) => one.table === page.table);
  const others = [...new Set(waiting.rounds.filter((one) => one.table !== page.table).map((one) => one.name))];
  const displays = waiting.displays.filter((one) => one.state === "waiting").map((one) => one.name);
  const parts = why === "draining" ? [mine && w("this_round"), ...others] : why === "showing" ? displays
    : [waiting.claims > 0 && w("the_pit"), waiting.signatures && w("signatures", waiting.signatures)];
  const list = parts.filter(Boolean);
  return list.length ? w("waits_for", { list: list.join(" · ") }) : "";
}
