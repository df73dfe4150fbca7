// One column for each box of the layout, also for empty ones: a box never moves.
//
// A tap changes one box: what is written in each is worked out for all, and only what is to be written anew is drawn again.
import { page } from "tablet/frame/page";
import { html, icon, places, signed, w } from "tablet/frame/words";
import { coinsShut, draft, guestsOf, take } from "tablet/round/state";
import { act } from "tablet/round/later";
import { chooseOther, seat } from "tablet/round/guests";
import * as game from "tablet/game";
import { sheet } from "tablet/frame/screen";

const every = Array.from({ length: page.game.boxes }, (_, place) => place + 1);
const [inColumn, inCell] = [places(), places()];

const box = (number, [draw, ...written]) =>
  inColumn(number, [draw.name, ...written], () => draw(number, ...written));

export function Columns({ now }) {
  const column = now.phase === "bets" ? bets : play;
  const shut = Boolean(coinsShut.value);
  const written = every.map((number) => column(now, number, shut));
  return html`<div class="columns" style=${{ "--boxes": every.length, ...needed(written) }}>${written.map((one, place) => box(every[place], one))}</div>`;
}

// How much place the cells of a box want, which the game alone knows: rows of a lying tablet, lines of a standing one. All boxes have
// as much, so that cells of one kind stand in a line.
const LINE_MOST = 10;

function needed(written) {
  const rows = written.flatMap(([draw, ...values]) => (draw === Play ? [values[2]] : []));
  const most = Math.max(1, ...rows.map((one) => one.flat().length));
  const lines = Math.ceil(most / LINE_MOST);
  return {
    "--rows": Math.max(1, ...rows.map((one) => one.length)),
    "--lines": lines,
    "--per-line": Math.ceil(most / lines),
  };
}

const label = (number) => w("box", { box: number });
// What a key is called: what stands on it first, then what it does.
const named = (number, words, does) => `${number} ${words} – ${w(does, { box: number })}`;

// While bets are open
function bets(now, number, shut) {
  const there = now.seats[number];
  if (!there) return [Free];
  return [
    Bets,
    game.owned(now, number) ?? guestWords(guestsOf(now, number)),
    game.tiles(now, number, shut),
  ];
}

const guestWords = (there) =>
  there.length > 1
    ? w("guests", { list: there.map((one) => one.number).join(", ") })
    : there.length
      ? w("guest", there[0])
      : "";

const Free = (number) =>
  html`
  <button type="button" key=${number} class="column empty" data-opens="box-${number}" onClick=${() => seat(number)}><b class="box">${number}</b><span class="plus">${icon("plus", 34)}${w("fill_box")}</span></button>`;

const Bets = (number, guest, tiles) =>
  html`
  <section key=${number} class="column bets" aria-label=${label(number)}>
    <button type="button" class="top" data-opens="box-${number}" onClick=${() => {
      sheet.value = { name: "box", box: number };
    }} aria-label=${named(number, guest, "box_details")}>
      <b class="box">${number}</b> <span class="guest">${guest}</span>
    </button>
    <div class="tiles">${tiles.map((tile) => Tile(number, tile))}</div>
  </section>`;

// A value that takes another's place fades in, and only that one: a layer for each value of seven boxes would hold up the next tap.
const shown = new Map(); // by tile, the value that it shows
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const fade = (tile, text) => (value) => {
  if (!value) return;
  const before = shown.get(tile);
  shown.set(tile, text);
  if (before !== undefined && before !== text && !calm.matches)
    value.animate({ opacity: [0, 1] }, 120);
};

function Tile(number, tile) {
  const kind = tile.shut ? "shut" : tile.gold ? "gold" : tile.off ? "off" : "";
  return html`
    <button type="button" key=${tile.part} class="tile ${kind} ${tile.main ? "main" : ""}" data-part=${tile.part} aria-pressed=${String(Boolean(tile.on))}
      disabled=${Boolean(tile.shut)} onClick=${() => take(game.tapTile(draft.value, number, tile.part))}>
      ${tile.changed && html`<i class="changed" role="img" aria-label=${w("changed")}></i>`}
      ${tile.shut ? icon("lock", 22) : html`<span class="label">${tile.label}</span>`}
      <span class="value" key=${tile.text} ref=${fade(`${number} ${tile.part}`, tile.text)}>${tile.text}</span>
    </button>`;
}

// While the round is played
function play(now, number) {
  const isCurrent = now.current === number;
  const hand = game.handOf(now, number);
  if (!now.seats[number]) return game.takesOthers(now) ? [Other, isCurrent, hand] : [Empty];
  return [
    Play,
    isCurrent,
    game.inShort(now, number),
    game.cells(now, number),
    paidWords(game.payouts(now)[number]),
    hand,
  ];
}

const Empty = (number) =>
  html`<section key=${number} class="column empty" aria-label=${label(number)}><b class="box">${number}</b><span>${w("empty")}</span></section>`;

// A box without a stake, whose hand may win something for the others.
const Other = (number, isCurrent, hand) =>
  html`
  <section key=${number} class="column play bare ${isCurrent ? "current" : ""}" aria-label=${label(number)} aria-current=${isCurrent ? "true" : undefined}>
    ${top(number, w("no_stake"), () => chooseOther(number))}
    <p class="paid open">${hand || w("empty")}</p>
  </section>`;

const choose = (number) => take({ draft: { ...draft.value, current: number } });
const openActs = (number) => {
  sheet.value = { name: "acts", box: number };
};

const top = (number, words, open) =>
  html`
  <button type="button" class="top" data-opens=${open && `acts-${number}`} onClick=${open || (() => choose(number))} aria-label=${named(number, words, open ? "box_acts" : "box_current")}>
    <b class="box">${number}</b> <span class="laid">${words}</span>
  </button>`;

function Play(number, isCurrent, laid, rows, paid, hand) {
  const isDone = rows.flat().some((cell) => cell.on && !cell.beside);
  const isSplit = rows.flat().some((cell) => cell.sign);
  return html`
    <section key=${number} class="column play ${isCurrent ? "current" : ""} ${isDone ? "done" : ""} ${rows.length ? "" : "bare"}" aria-label=${label(number)} aria-current=${isCurrent ? "true" : undefined}>
      ${top(number, laid, game.acts && (() => openActs(number)))}
      ${isSplit && html`<p class="signs" aria-hidden="true"><span>${w("loses")}</span><span>${w("wins")}</span></p>`}
      <div class="cells">${rows.flatMap((row) => row.map((cell) => inCell(`${number} ${cell.id}`, [cell, row.length > 1], () => Cell(number, cell, row.length > 1))))}</div>
      ${Paid(number, paid, hand)}
    </section>`;
}

const SIGNS = { win: "+", lose: "−" };

const Cell = (number, cell, isSplit) =>
  html`
  <button type="button" key=${cell.id} class="cell ${cell.sign ?? cell.tone ?? ""} ${isSplit ? "" : "wide"} ${cell.said ? "said" : ""}" data-on=${cell.on} data-cell=${cell.id} aria-pressed=${String(Boolean(cell.on))} disabled=${cell.disabled}
    aria-label=${cell.name} onClick=${() => act(game.tapCell(draft.value, number, cell.id))}>
    <b>${cell.label}</b>${cell.sign && html`<small aria-hidden="true">${SIGNS[cell.sign]}</small>`}
  </button>`;

function paidWords(paid) {
  if (!paid) return null;
  return {
    kind: paid.net > 0 ? "gain" : paid.net < 0 ? "loss" : "",
    net: signed(paid.net),
    parts: game.partsOf(paid),
  };
}

// One figure for all that the guest gets; below it their hand, and the parts that it is the sum of.
function Paid(number, paid, hand) {
  if (!paid)
    return html`<p class="paid open"><span>${w("open")}</span>${hand && html`<small>${hand}</small>`}</p>`;
  return html`
    <button type="button" class="paid ${paid.kind}" data-opens="why-${number}" onClick=${() => {
      sheet.value = { name: "why", box: number };
    }}>
      <b>${paid.net}</b>${[hand, paid.parts].map((words) => words && html`<small key=${words}>${words}</small>`)}
    </button>`;
}
