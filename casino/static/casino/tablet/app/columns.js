// One column for each box of the layout, also for empty ones: a box never moves.
import { html, icon, signed, w } from "tablet/words";
import { coinsShut, draft, guestAt, sheet, take } from "tablet/state";
import { seat } from "tablet/flow";
import { page } from "tablet/words";
import * as game from "tablet/game";

const every = Array.from({ length: page.game.boxes }, (_, place) => place + 1);

export function Columns({ now }) {
  const Column = now.phase === "bets" ? Bets : Play;
  return html`<div class="columns" style=${{ "--boxes": every.length }}>${every.map((box) => (now.seats[box]
    ? html`<${Column} key=${box} now=${now} box=${box} />`
    : html`<${Empty} key=${box} now=${now} box=${box} />`))}</div>`;
}

function Empty({ now, box }) {
  if (now.phase === "play") return html`<section class="column empty" aria-label=${w("box", { box })}><b class="box">${box}</b><span>${w("empty")}</span></section>`;
  return html`<button type="button" class="column empty" onClick=${() => seat(box)}><b class="box">${box}</b><span class="plus">${icon("plus", 34)}${w("fill_box")}</span></button>`;
}

const openBox = (box) => { sheet.value = { name: "box", box }; };

function Bets({ now, box }) {
  const there = guestAt(box);
  return html`
    <section class="column bets" aria-label=${w("box", { box })}>
      <button type="button" class="top" onClick=${() => openBox(box)} aria-label=${w("box_details", { box })}>
        <b class="box">${box}</b><span class="guest">${now.seats[box].blind ? w("guest_of", { box: now.seats[box].owner }) : there ? w("guest", { number: there.number }) : ""}</span>
      </button>
      <div class="tiles">${game.tiles(now, box, Boolean(coinsShut.value)).map((tile) => html`<${Tile} key=${tile.part} box=${box} tile=${tile} />`)}</div>
    </section>`;
}

function Tile({ box, tile }) {
  const kind = tile.shut ? "shut" : tile.gold ? "gold" : tile.off ? "off" : "";
  return html`
    <button type="button" class="tile ${kind} ${tile.main ? "main" : ""}" data-part=${tile.part} aria-pressed=${String(Boolean(tile.on))}
      disabled=${Boolean(tile.shut)} onClick=${() => take(game.tapTile(draft.value, box, tile.part))}>
      ${tile.changed && html`<i class="changed" aria-label=${w("changed")}></i>`}
      ${tile.shut ? icon("lock", 22) : html`<span class="label">${tile.label}</span>`}
      <span class="value">${tile.text}</span>
    </button>`;
}

function Play({ now, box }) {
  const rows = game.cells(now, box);
  const isCurrent = now.current === box;
  const paid = game.payouts(now)[box];
  const isDone = rows.flat().some((cell) => cell.on);
  const isSplit = rows.some((row) => row.length > 1);
  return html`
    <section class="column play ${isCurrent ? "current" : ""} ${isDone ? "done" : ""} ${rows.length ? "" : "bare"}" aria-label=${w("box", { box })} aria-current=${isCurrent ? "true" : undefined}>
      <button type="button" class="top" onClick=${() => take({ draft: { ...draft.value, current: box } })} aria-label=${w("box_current", { box })}>
        <b class="box">${box}</b><span class="laid">${game.inShort(now, box)}</span>
      </button>
      ${isSplit && html`<p class="signs" aria-hidden="true"><span>${w("loses")}</span><span>${w("wins")}</span></p>`}
      <div class="cells" style=${{ "--rows": rows.length }}>${rows.map((row) => row.map((cell) => html`<${Cell} key=${cell.id} box=${box} cell=${cell} split=${row.length > 1} />`))}</div>
      <${Paid} box=${box} paid=${paid} />
    </section>`;
}

const SIGNS = { win: "+", lose: "−" };

function Cell({ box, cell, split }) {
  return html`
    <button type="button" class="cell ${cell.sign} ${split ? "" : "wide"}" data-on=${cell.on} data-cell=${cell.id} aria-pressed=${String(Boolean(cell.on))} disabled=${cell.disabled}
      aria-label=${cell.name} onClick=${() => take(game.tapCell(draft.value, box, cell.id))}>
      <b>${cell.label}</b>${cell.sign && html`<small aria-hidden="true">${SIGNS[cell.sign]}</small>`}
    </button>`;
}

function Paid({ box, paid }) {
  if (!paid) return html`<p class="paid open">${w("open")}</p>`;
  const words = [paid.prize > 0 || paid.meter ? game.handName(paid.hand) : "", paid.meter ? w("jackpot") : paid.prize > 0 ? w("jp_amount", { amount: signed(paid.prize).slice(1) }) : ""];
  return html`
    <button type="button" class="paid ${paid.net > 0 ? "gain" : paid.net < 0 ? "loss" : ""}" onClick=${() => { sheet.value = { name: "why", box }; }}>
      <b>${signed(paid.net)}</b>${words.some(Boolean) && html`<small>${words.filter(Boolean).join(" · ")}</small>`}
    </button>`;
}
