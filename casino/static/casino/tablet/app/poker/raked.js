// Poker at *rake only*: what a hand ends with is the fee that came off its pot, by a key or from
// the pot (RAK-1, RAK-3); where the house takes time or nothing, it just ends.
import { page } from "tablet/frame/page";
import { amount, html, money, typed, w } from "tablet/frame/words";
import { Framed, Numbers } from "tablet/frame/keys";
import { sheet } from "tablet/frame/screen";
import { dealtIn, held } from "tablet/hand/state";
import { enterResult } from "tablet/hand/flow";
import { keysOf, mostOf, rakeOf } from "tablet/poker/rake";
import { rakeWords } from "tablet/poker/reasons";
import { Variant } from "tablet/poker/rotation";

export { footOf, said } from "tablet/poker/time";
export { SeatAction, SeatSheet } from "tablet/poker/seat";
export { begins, nextTurn, railKeys } from "tablet/poker/rotation";

const { fee, rake: schedule, variants, chip } = page.game;
const KEYS_MOST = 8; // beside nothing, no flop or a walk, and the pad
export const nothing = { kind: "nothing" };
export const endsByKey = fee === "rake";
export const asks = { label: w("rake_asked"), sub: w("rake_asked_sub") };
export const HELP = fee === "rake" ? ["hand_in", "rake", "seat"] : ["hand_in", "next", "seat"];
if (fee === "time") HELP.push("time");

const flopless = { kind: "key", minor: schedule?.no_flop ?? 0, flop: false, walk: false };
const walk = { kind: "key", minor: 0, flop: false, walk: true };
const byKey = (minor) => ({ kind: "key", minor, flop: true, walk: false });

// What a hand that ended so is sent with.
export function body(now) {
  const { kind, minor, pot, flop = true, walk: isWalk = false } = now.entered ?? nothing;
  return {
    rake_minor: kind === "key" ? minor : null,
    pot_minor: kind === "pot" ? pot : null,
    flop,
    walk: isWalk,
    variant: variants.length > 1 ? now.variant : null,
  };
}

const rakeMinor = (entered, players) =>
  entered.kind === "pot"
    ? rakeOf(schedule, { pot: entered.pot, players, flop: true, walk: false }).minor
    : entered.minor;

export const isAsShown = (was, { rake_minor: booked }) =>
  !endsByKey || booked === rakeMinor(was.entered, dealtIn(was).length);

export function summary(now) {
  const { entered } = now;
  if (!endsByKey || !entered) return "";
  if (entered.walk) return w("walk");
  const words = w("rake_of", { amount: amount(rakeMinor(entered, dealtIn(now).length)) });
  return entered.flop === false ? `${words} · ${w("no_flop")}` : words;
}

// Whether a tap on a key counts now: while the hand runs, until it has gone, and when it is put
// right.
export const canEnter = (now) =>
  now.phase === "dealt" || now.mode !== "new" || held.value?.hand === now.hand;

export function dock(now) {
  const players = dealtIn(now).length;
  const named = { title: w("rake"), sub: w("rake_out_of") };
  if (!endsByKey)
    return { title: "", sub: "", hint: w(fee === "time" ? "hint_time" : "hint_free") };
  if (now.phase !== "dealt" && !now.dealt) return { ...named, hint: w("hint_first") };
  if (players < 2) return { ...named, hint: w("too_few_help") };
  return { ...named, keys: keys(now, players) };
}

function keys(now, players) {
  const disabled = !canEnter(now);
  const entered = JSON.stringify(now.entered);
  const most = mostOf(schedule, players);
  const key = (id, label, what, more) => ({
    id,
    label,
    entered: what,
    on: entered === JSON.stringify(what),
    disabled,
    figure: true,
    ...more,
  });
  const { no_flop_no_drop: noDrop, no_flop: floplessMinor } = schedule;
  const hasFlop = variants.find(({ code }) => code === now.variant).board;
  const asksFlop = hasFlop && (noDrop || floplessMinor !== null);
  const count = KEYS_MOST - (asksFlop && floplessMinor !== null ? 1 : 0);
  const isPot = now.entered?.kind === "pot";
  return [
    key("0", amount(0), byKey(0)),
    asksFlop && key("no_flop", amount(flopless.minor), flopless, { sub: w("no_flop") }),
    !(hasFlop && noDrop) && key("walk", amount(0), walk, { sub: w("walk") }),
    ...keysOf(schedule, players, count).map((minor) =>
      key(String(minor), amount(minor), byKey(minor), {
        sub: minor === most ? w("rake_most") : "",
      }),
    ),
    {
      ...key("other", isPot ? amount(rakeMinor(now.entered, players)) : w("other"), null),
      sub: isPot ? w("pot_of", { amount: amount(now.entered.pot) }) : w("pot"),
      figure: isPot,
      on: isPot,
      opens: "pot",
    },
  ].filter(Boolean);
}

// The pot, and what the schedule says of it
function Pot({ open, now }) {
  const pot = typed(open.text);
  const players = dealtIn(now).length;
  const wrong = pot !== null && (pot === 0 || pot % chip !== 0);
  const found = pot && !wrong ? rakeOf(schedule, { pot, players, flop: true, walk: false }) : null;
  const done = async () => {
    sheet.value = null;
    await enterResult({ kind: "pot", pot });
  };
  return html`
    <${Framed} title=${w("pot_title")}>
      <div class="pad-place">
        <output class=${wrong ? "wrong" : ""}>${open.text || amount(0)}</output>
        <p class="help" role="status">${
          wrong
            ? html`<b>${w("in_steps", { step: money(chip) })}</b>`
            : found
              ? html`<strong>${w("rake_of", { amount: money(found.minor) })}
          </strong> ${rakeWords(found)}`
              : w("pot_help", { count: players })
        }</p>
        <${Numbers} open=${open} />
        <button type="button" class="do large" disabled=${!found} onClick=${done}>${
          found ? w("rake_take", { amount: amount(found.minor) }) : w("take_amount")
        }</button>
      </div>
    <//>`;
}

export const SHEETS = { pot: Pot, variant: Variant };

// What only a table has whose pots are entered.
export const Board = null;
export const Goes = null;
export const Ways = null;
export const isComplete = () => true;
export const lastTap = () => "";
export const netsOf = () => ({});
export const begun = () => ({});
export const carriesOf = () => 0;
export const tapBack = () => {};
