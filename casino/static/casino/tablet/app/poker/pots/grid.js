// A hand that runs: the pots above, streets as rows and seats as columns, and below whose pot is
// asked for. A tap on a cell folds the seat there; further taps take what it had in to the next
// smaller amount, and back.
import { amount, html, icon, w } from "tablet/frame/words";
import { sheet } from "tablet/frame/screen";
import { every, isDealt, stayAt } from "tablet/hand/state";
import { release } from "tablet/hand/flow";
import { guestWords } from "tablet/hand/columns";
import {
  askedOf,
  blindsOf,
  buttonOf,
  carriedOf,
  chairsOf,
  enteredOf,
  isBetOut,
  readOf,
  stageOf,
  toOf,
  variantOf,
} from "tablet/poker/pots/deal";
import { anew, streetName, tapSeat, tapWinner } from "tablet/poker/pots/taps";

export const potName = (at) => (at ? w("side_pot", { number: at }) : w("main_pot"));

export function Grid({ now }) {
  const read = readOf(now);
  const asks = !read.code && isBetOut(now, read) ? askedOf(now, read) : null;
  const seats = every.length;
  return html`
    <div class="running">
      <div class="pots" role="group" aria-label=${w("pots")}>${(read.pots ?? []).map((pot, at) =>
        Pot(pot, at, { ...read, carried: at ? 0 : carriedOf(now) }, asks),
      )}</div>
      <div class="streets" style=${{ "--boxes": seats }}>
        <span class="corner"></span>${every.map((seat) => Head(now, seat))}
        ${enteredOf(now).streets.map((_street, at) => Row(now, at, read))}
        ${asks && Winners(now, asks)}
      </div>
    </div>`;
}

function Pot({ amount_minor: minor, seats }, at, { result, winners, carried }, asks) {
  const rake = result?.rake?.parts[at];
  const { high = [], low = [] } = winners[at] ?? {};
  const won = [...new Set([...high, ...low])].join(", ");
  return html`
    <button type="button" class="pot ${asks?.at === at ? "asked" : ""}" key=${at} data-pot=${at}
      onClick=${() => anew(at)}>
      <span>${potName(at)}</span><b>${amount(minor)}</b><span>${
        won ? w("wins_pot", { list: won }) : w("seats", { list: seats.join(" · ") })
      }</span>
      ${
        carried > 0 &&
        html`<span class="carried">${w("carried_in", { amount: amount(carried) })}</span>`
      }
      ${
        rake !== undefined &&
        html`<span class="fee">${w("rake_of", { amount: amount(rake) })}</span>`
      }
    </button>`;
}

function Head(now, seat) {
  const stay = stayAt(seat);
  const chair = chairsOf(now).find((one) => one.seat === seat);
  const open = () => {
    release();
    sheet.value = { name: "seat", seat, box: seat };
  };
  if (!stay)
    return html`<button type="button" class="chair empty" key=${seat} data-opens="seat-${seat}"
      onClick=${open} aria-label=${w("seat", { seat })}><b class="box">${seat}</b>
      ${icon("plus", 26)}</button>`;
  const blinds = blindsOf(now);
  const mark = buttonOf(now) === seat && !variantOf(now).doors ? w("button_mark") : "";
  const isIn = Boolean(chair) || isDealt(now, stay);
  const state = isIn ? "" : w("dealt_out");
  return html`
    <button type="button" class="chair ${isIn ? "in" : "out"}" key=${seat}
      data-opens="seat-${seat}" onClick=${open}
      aria-label=${`${seat} ${guestWords(stay)} ${state} – ${w("seat_open", { seat })}`}>
      <span class="place"><b class="box">${seat}</b>${mark && html`<i>${mark}</i>`}${
        blinds[seat] && html`<i class="blind">${amount(blinds[seat])}</i>`
      }</span><span class="stack">${state || amount(chair?.stack ?? stay.stack_minor)}</span>
    </button>`;
}

function Row(now, at, { course }) {
  const isNow = at === stageOf(now);
  const to = toOf(now, at);
  return html`
    <p class="street ${isNow ? "now" : ""}" key=${`street ${at}`}>
      <span>${streetName(now, at)}</span><b>${amount(to)}</b></p>
    ${every.map((seat) => Cell({ now, at, seat, course, isNow, to }))}`;
}

function Cell({ now, at, seat, course, isNow, to }) {
  const key = `${at} ${seat}`;
  const isDealtIn = chairsOf(now).some((one) => one.seat === seat);
  const fold = enteredOf(now).streets[at].folds[seat];
  const paid = course.paid?.[at]?.[seat];
  const wasIn = at ? course.after?.[at - 1]?.includes(seat) : isDealtIn;
  const isBroke = !course.code && paid === 0 && course.left[seat] === 0 && fold === undefined;
  if (!isDealtIn || (!wasIn && !course.code) || isBroke)
    return html`<span class="cell none" key=${key}></span>`;
  const isAllIn = paid !== undefined && fold === undefined && paid < to;
  const words = fold !== undefined ? w("folds") : isAllIn ? w("all_in") : to ? w("calls") : "";
  const kind = fold !== undefined ? "fold" : isAllIn ? "all-in" : "";
  const minor = fold ?? paid ?? to;
  const inside = html`<b>${fold === undefined ? amount(minor) : words}</b><small>${
    fold === undefined ? words : amount(fold)
  }</small>`;
  const place = `${at}-${seat}`;
  if (!isNow)
    return html`<span class="cell past ${kind}" key=${key} data-cell=${place}>${inside}</span>`;
  return html`
    <button type="button" class="cell ${kind}" key=${key} data-cell=${place}
      aria-pressed=${String(fold !== undefined)} onClick=${() => tapSeat(seat)}>${inside}</button>`;
}

function Winners(now, { at, half, seats }) {
  const left = chairsOf(now).map(({ seat }) => seat);
  const picked = now.picks?.seats ?? [];
  const ask = { whole: "who_wins", high: "who_wins_high", low: "who_wins_low" }[half];
  return html`
    <p class="street asks" key="asks"><b>${potName(at)}</b><span>${w(ask)}</span></p>
    ${every.map((seat) =>
      seats.includes(seat)
        ? html`<button type="button" class="cell win" key=${`win ${seat}`} data-win=${seat}
          aria-pressed=${String(picked.includes(seat))} onClick=${() => tapWinner(seat)}>
          ${w("wins")}</button>`
        : html`<span class="cell none" key=${`win ${seat}`}>${
            left.includes(seat) && !enteredOf(now).streets.some(({ folds }) => seat in folds)
              ? html`<small>${w("not_in_pot")}</small>`
              : ""
          }</span>`,
    )}`;
}
