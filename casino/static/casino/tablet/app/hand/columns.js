// One column for each seat as who deals sees them, also for free ones: a seat never moves. Its head
// says who is dealt in, and turns it; the rest opens what is done at the seat.
import { page } from "tablet/frame/page";
import { amount, html, icon, places, time, w } from "tablet/frame/words";
import { every, isDealt, stayAt } from "tablet/hand/state";
import { release, turn } from "tablet/hand/flow";
import { waitingOf } from "tablet/hand/commands";
import * as game from "tablet/game";
import { sheet } from "tablet/frame/screen";

const inColumn = places();
const isPots = page.standing.entry_level === "pots"; // what lies there is known

const open = (seat) => {
  release();
  sheet.value = { name: "seat", seat, box: seat };
};

export const guestWords = ({ number }) =>
  number ? w("guest", { number }) : w("guest_comes_short");

export function Columns({ now }) {
  const written = every.map((seat) => [seat, columnOf(now, seat)]);
  return html`<div class="columns seats" style=${{ "--boxes": every.length }}>${written.map(
    ([seat, one]) => inColumn(seat, one, () => (one ? Seat(seat, one) : Free(seat))),
  )}</div>`;
}

function columnOf(now, seat) {
  const stay = stayAt(seat);
  if (!stay) return null;
  const isAway = stay.state === "away";
  const waits = waitingOf(now, stay.id);
  return {
    guest: guestWords(stay),
    isIn: isDealt(now, stay),
    isAway,
    canTurn: !isAway && canTurn(now),
    bought: amount(isPots ? stay.stack_minor : stay.bought_minor),
    away: isAway && stay.away_since ? time(Date.parse(stay.away_since)).slice(0, 5) : "",
    waits: waits ? w(`waits_${waits.act}`) : "",
    foot: game.footOf(stay),
    id: stay.id,
  };
}

// Who was dealt in is changed until the hand has gone, and when it is put right.
const canTurn = (now) => now.phase === "dealt" || now.mode !== "new" || Boolean(game.canEnter(now));

const Free = (seat) =>
  html`
  <button type="button" key=${seat} class="column empty" data-opens="seat-${seat}"
    onClick=${() => open(seat)}><b class="box">${seat}</b><span class="plus">${icon("plus", 34)}
    ${w("fill_seat")}</span></button>`;

const named = (seat, words, does) => `${seat} ${words} – ${w(does, { seat })}`;

function Seat(seat, { guest, isIn, isAway, canTurn: can, bought, away, waits, foot, id }) {
  const state = w(isIn ? "dealt_in" : "dealt_out");
  return html`
    <section key=${seat} class="column seat ${isAway ? "away" : isIn ? "in" : "out"}"
      aria-label=${w("seat", { seat })}>
      <button type="button" class="top" aria-pressed=${String(isIn)} disabled=${!can}
        aria-label=${named(seat, `${guest} · ${isAway ? w("pause") : state}`, "seat_turn")}
        onClick=${() => turn(id)}>
        <b class="box">${seat}</b><span class="guest">${guest}</span>
      </button>
      <button type="button" class="stand" data-opens="seat-${seat}" aria-label=${named(
        seat,
        `${w("bought")} ${bought}`,
        "seat_open",
      )} onClick=${() => open(seat)}>
        ${
          isAway
            ? html`<span class="label">${w("pause")}</span>${
                away &&
                html`<span class="value">
          ${away}</span>`
              }`
            : html`<span class="label">${w(isPots ? "stack" : "bought")}</span><span class="value">
          ${bought}</span><span class="label">${state}</span>`
        }
        ${waits && html`<span class="label waits">${icon("clock", 20)}${waits}</span>`}
      </button>
      <p class="sits ${foot.kind}" style=${{ "--part": foot.part }}><span>${foot.words}</span><b>
        ${foot.value}</b></p>
    </section>`;
}
