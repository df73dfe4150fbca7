// Poker at *pots*: what is to be matched on each street, folds, all-ins and winners; the tablet
// says each pot, its fee, who gets what and why (POK-6, POK-7, RAK-3).
import { page } from "tablet/frame/page";
import { amount, html, money, typed, w } from "tablet/frame/words";
import { Big, Framed, Key, Numbers } from "tablet/frame/keys";
import { sheet } from "tablet/frame/screen";
import { dealtIn, every, stayAt } from "tablet/hand/state";
import { Columns } from "tablet/hand/columns";
import { seatsAfter } from "tablet/poker/money/share";
import * as rotation from "tablet/poker/rotation";
import {
  askedOf,
  begun,
  body as bodyOf,
  buttonOf,
  carriesOf,
  isBetOut,
  isComplete,
  isPassed,
  isUnopened,
  mayPass,
  netsOf,
  readOf,
  stageOf,
  variantOf,
} from "tablet/poker/pots/deal";
import { Grid } from "tablet/poker/pots/grid";
import { Keys } from "tablet/poker/pots/keys";
import { Showdown } from "tablet/poker/pots/cards";
import { Result } from "tablet/poker/pots/result";
import {
  bet,
  lastTap,
  nextStreet,
  passAll,
  setButton,
  split,
  streetBefore,
  streetName,
  tapBack,
  win,
} from "tablet/poker/pots/taps";

export { footOf, said } from "tablet/poker/time";
export { SeatAction, SeatSheet } from "tablet/poker/seat";
export { begun, carriesOf, isComplete, lastTap, netsOf, tapBack };

const { chip } = page.game;
export const nothing = null; // no hand ends by the large key alone
export const endsByKey = true;
export const HELP = ["hand_in", "streets", "winners", "seat"];
export const asks = { label: "", sub: "" };
export const body = bodyOf;

// The button goes on to the next guest who plays.
export function begins(last) {
  return { ...rotation.begins(last), button: last?.button ?? null };
}

export function nextTurn(now) {
  const playing = dealtIn({ ...now, dealt: null, phase: "between" });
  const seats = seatsOf(playing);
  const before = now.button ? buttonOf(now) : 0;
  const button = seats.length ? seatsAfter(before, seats)[0] : null;
  return { ...rotation.nextTurn(now), button };
}

const seatsOf = (ids) => every.filter((seat) => ids.some((id) => stayAt(seat)?.id === id));

export const railKeys = (now) => [
  ...rotation.railKeys(now),
  ...(variantOf(now).doors || now.phase !== "dealt"
    ? []
    : [
        {
          label: w("button"),
          sub: w("seat", { seat: buttonOf(now) ?? "–" }),
          picture: "chip",
          opens: "button",
        },
      ]),
];

// Nothing is booked unless the house reckons as was shown, so an answer says the same.
export const isAsShown = () => true;

export function summary(now) {
  const { result } = now.entered ? readOf(now) : {};
  if (isPassed(now)) return w("all_pass");
  if (!result?.pots) return "";
  const total = result.pots.reduce((sum, pot) => sum + pot.amount_minor, 0);
  return w("pot_of", { amount: amount(total) });
}

export const canEnter = (now) => now.phase === "dealt" || now.mode !== "new";
export const dock = () => ({ title: "", sub: "", hint: w("hint_pots") });

export function Board({ now }) {
  if (canEnter(now) && dealtIn(now).length > 1)
    return html`<${Grid} now=${now} /><${Keys} now=${now} />`;
  if (now.dealt && now.entered) return html`<${Result} now=${now} />`;
  return html`<${Columns} now=${now} />`;
}

// The large key while a hand runs: the next street, or whose pot is asked for.
export function Goes({ now }) {
  const read = readOf(now);
  if (read.code)
    return html`<${Big} kind="left" label=${w("does_not_add")} sub=${w("does_not_add_sub")} />`;
  const next = stageOf(now) + 1;
  if (!isBetOut(now, read)) {
    if (isUnopened(now))
      return html`<${Big} kind="left" label=${w("opener_asked")} sub=${w("opener_asked_sub")} />`;
    const name = streetName(now, next);
    return html`<${Big} kind="finish" picture="next" label=${name} sub=${w("street_sub")}
      act=${nextStreet} />`;
  }
  const asked = askedOf(now, read);
  if (!asked) return html`<${Big} kind="left" label=${w("winner_asked")} sub="" />`;
  const seats = now.picks?.seats;
  if (seats?.length > 1)
    return html`<${Big} kind="finish" picture="ok" label=${w("split_done")}
      sub=${w("seats", { list: seats.join(" · ") })} act=${() => win(seats)} />`;
  return html`<${Big} kind="left" label=${w("winner_asked")} sub=${w("winner_asked_sub")} />`;
}

// Beside it: several winners, or no low hand that qualifies.
export function Ways({ now }) {
  const read = readOf(now);
  const asked = !read.code && isBetOut(now, read) && askedOf(now, read);
  if (!asked && mayPass(now))
    return html`<${Key} label=${w("all_pass")} sub=${w("all_pass_sub")} picture="next"
      on=${isPassed(now)} onClick=${passAll} />`;
  if (!asked) return now.mode !== "new" && stageOf(now) ? html`<${Before} now=${now} />` : null;
  return html`<${Key} label=${w("split")} sub=${w("split_sub")} picture="coins"
      on=${Boolean(now.picks?.seats)} onClick=${split} />${
        asked.half === "low"
          ? html`<${Key} label=${w("no_low")} onClick=${() => win([])} />`
          : html`<${Key} label=${w("cards_show")} sub=${w("cards_show_sub")} picture="cards"
            opens="showdown" onClick=${() => {
              sheet.value = { name: "showdown" };
            }} />`
      }`;
}

// A hand that is put right may have been entered wrong on any street.
const Before = ({ now }) =>
  html`<${Key} label=${streetName(now, stageOf(now) - 1)} sub=${w("street_before")} picture="undo"
    onClick=${streetBefore} />`;

// An amount that no key has.
function Bet({ open }) {
  const minor = typed(open.text);
  const isWrong = minor !== null && minor % chip !== 0;
  const done = () => {
    sheet.value = null;
    bet(minor);
  };
  return html`
    <${Framed} title=${w("bet_title")}>
      <div class="pad-place">
        <output class=${isWrong ? "wrong" : ""}>${open.text || amount(0)}</output>
        <p class="help" role="status">${
          isWrong ? html`<b>${w("in_steps", { step: money(chip) })}</b>` : w("bet_help")
        }</p>
        <${Numbers} open=${open} />
        <button type="button" class="do large" disabled=${minor === null || isWrong}
          onClick=${done}>${w("take_amount")}</button>
      </div>
    <//>`;
}

function ButtonSheet({ now }) {
  const choose = (seat) => {
    setButton(seat);
    sheet.value = null;
  };
  return html`
    <${Framed} title=${w("button")}>
      <div class="choices"><p>${w("button_help")}</p>
        <div class="row">${seatsOf(dealtIn(now)).map(
          (seat) =>
            html`<button type="button" class="do large" key=${seat} data-button=${seat}
          aria-pressed=${String(seat === buttonOf(now))} onClick=${() => choose(seat)}>${seat}
          </button>`,
        )}</div>
      </div>
    <//>`;
}

export const SHEETS = {
  bet: Bet,
  button: ButtonSheet,
  showdown: Showdown,
  variant: rotation.Variant,
};
