// How long a guest sits, and the time charge: each half hour in advance, with a word five minutes
// before (RAK-2).
import { page } from "tablet/frame/page";
import { amount, html, icon, time, w } from "tablet/frame/words";
import { minute, serverNow } from "tablet/frame/live";
import { stays } from "tablet/hand/state";
import { takeTime } from "tablet/hand/commands";
import { release } from "tablet/hand/flow";
import { halvesOwed, paidOn } from "tablet/poker/rake";

const { half_hour: halfHour, time_from: from } = page.game;
const SOON_MS = 5 * 60_000;
const HALF_HOUR_MS = 30 * 60_000;

const clock = (ms) => time(ms).slice(0, 5);
const paidUntil = (stay) => Date.parse(stay.time?.paid_until ?? stay.began_at);

// What a guest owes now: half hours and their price.
export function owedOf(stay) {
  const halves = halfHour && minute.value ? halvesOwed(paidUntil(stay), serverNow()) : 0;
  return { halves, minor: halves * (halfHour ?? 0) };
}

// Until when one who owes has paid, once they pay.
const paidThen = (stay) => new Date(paidOn(paidUntil(stay), owedOf(stay).halves)).toISOString();

export function footOf(stay) {
  if (!halfHour) {
    const minutes = Math.max(
      0,
      Math.floor((minute.value + 60_000 - Date.parse(stay.began_at)) / 60_000),
    );
    const sat = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
    return { kind: "", words: w("at_table"), value: sat, part: 0 };
  }
  const { halves, minor } = owedOf(stay);
  if (halves) return { kind: "due", words: w("time_due"), value: amount(minor), part: 1 };
  const left = paidUntil(stay) - minute.value;
  const part = Math.min(1, Math.max(0, 1 - left / HALF_HOUR_MS)).toFixed(2);
  const kind = left <= SOON_MS ? "soon" : "";
  return { kind, words: w("time_paid"), value: clock(paidUntil(stay)), part };
}

const owing = () => stays.value.filter((one) => owedOf(one).halves && !one.id.startsWith("new-"));

// One tap for all who owe. A house that takes it from the pocket is told so on the key.
export function said() {
  const there = halfHour ? owing() : [];
  if (!there.length) return [];
  const total = there.reduce((sum, one) => sum + owedOf(one).minor, 0);
  return [
    html`<div key="time" class="say time" role="status" data-why="time">${icon("clock")}
      <p><b>${w("time_charge")}</b> ${w(there.length === 1 ? "time_owed_one" : "time_owed_many", {
        list: there.map((one) => one.seat).join(", "),
        amount: amount(total),
      })}</p>
      <button type="button" class="do" data-takes="time" onClick=${() => take(there)}>
        ${w(from === "stack" ? "time_take" : "time_take_pocket", { amount: amount(total) })}
        </button>
    </div>`,
  ];
}

function take(there) {
  release();
  const paid = Object.fromEntries(there.map((one) => [one.id, paidThen(one)]));
  return takeTime(
    there.map((one) => one.id),
    from === "stack" ? "stack" : "chips",
    paid,
  );
}
