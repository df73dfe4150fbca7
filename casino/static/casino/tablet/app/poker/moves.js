// A guest takes another seat, or goes on at another table of the house with the chips that are
// counted before them (POK-2). Which seats are free elsewhere is asked when the sheet is opened.
import { signal } from "@preact/signals";
import { html, amount, w } from "tablet/frame/words";
import { link, standing } from "tablet/frame/live";
import { Refusal, request } from "tablet/frame/outbox";
import { tablePath } from "tablet/frame/commands";
import { Framed } from "tablet/frame/keys";
import { sheet } from "tablet/frame/screen";
import { every, stayAt } from "tablet/hand/state";
import { ofStay } from "tablet/hand/commands";
import { guestWords } from "tablet/hand/columns";
import { Counted, countedOf } from "tablet/poker/goes";
import { later } from "tablet/poker/seat";
import { owedOf } from "tablet/poker/time";

const elsewhere = signal([]); // [{id, name, seats}]

export async function askElsewhere() {
  elsewhere.value = [];
  try {
    elsewhere.value = (await request(tablePath("free-seats/"))).tables;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof Refusal)) throw error;
  }
}

const put = (more) => {
  sheet.value = { ...sheet.value, ...more };
};

export function Move({ open, stay }) {
  const others = link.value === "off" ? [] : elsewhere.value;
  const other = others.find(({ id }) => id === open.table);
  const isLost = Boolean(open.table) && !other;
  const here = () => (isLost ? [] : every.filter((seat) => !stayAt(seat)));
  const free = other?.seats ?? here();
  const choose = (seat) => {
    if (!other) return put({ to: seat });
    const to = { seat, id: other.id, name: other.name };
    put({ part: "elsewhere", to, minor: null, text: "", back: { ...open, to: null } });
  };
  return html`
    <${Framed} title=${`${w("seat", open)} · ${guestWords(stay)} · ${w("move")}`}>
      <div class="choices">
        ${(others.length > 0 || isLost) && html`<${Tables} others=${others} open=${open} />`}
        <p>${w(isLost ? "offline" : free.length ? "move_help" : "move_none")}</p>
        <div class="row">${free.map(
          (seat) =>
            html`<button type="button" class="do figure"
          key=${seat} data-to=${seat} aria-pressed=${String(open.to === seat)}
          onClick=${() => choose(seat)}>${seat}</button>`,
        )}</div>
      </div>
    <//>`;
}

function Tables({ others, open }) {
  const own = { id: null, name: standing.value.name };
  return html`
    <div class="row tables" role="group" aria-label=${w("move_table")}>
      ${[own, ...others].map(
        ({ id, name, seats }) =>
          html`<button type="button" class="do whose" key=${id} data-table=${id ?? ""}
        disabled=${seats?.length === 0} aria-pressed=${String((open.table ?? null) === id)}
        onClick=${() => put({ table: id, to: null })}>${name} <small>${
          seats ? w("move_free", { count: seats.length }) : w("move_here")
        }</small></button>`,
      )}
    </div>`;
}

export function moving(open, _now, stay) {
  if (!open.to) return { missing: w("move_where") };
  const body = { seat: open.to, table: null, counted_minor: 0 };
  const sub = w("move_sub") + later("move", stay);
  return { label: w("move_to", { seat: open.to }), sub, act: () => ofStay("move", stay.id, body) };
}

export function Elsewhere({ open, stay }) {
  const { minor, halves } = owedOf(stay);
  const place = `${open.to.name} · ${w("seat", open.to)}`;
  return html`
    <${Framed} title=${`${w("seat", open)} · ${guestWords(stay)} · ${place}`}>
      <${Counted} open=${open} help=${w("move_count")} presets=${[stay.bought_minor]}>
        ${
          halves > 0 &&
          html`<h3>${w(halves === 1 ? "leave_owes_one" : "leave_owes_many", {
            count: halves,
            amount: amount(minor),
          })}</h3>`
        }
      <//>
    <//>`;
}

export function movingElsewhere(open, _now, stay) {
  const counted = countedOf(open);
  if (link.value === "off") return { missing: w("offline") };
  if (counted === null) return { missing: w("leave_count") };
  const { seat, id, name } = open.to;
  const body = { seat, table: id, counted_minor: counted };
  return {
    label: `${name} · ${w("seat", { seat })}`,
    sub: w("move_with", { amount: amount(counted) }) + later("move", stay),
    act: () => ofStay("move", stay.id, body),
  };
}
