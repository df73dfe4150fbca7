// A guest goes: to another seat, or with the chips that are counted before them (POK-2), after what
// is owed for time (RAK-2).
import { page } from "tablet/frame/page";
import { amount, html, money, w } from "tablet/frame/words";
import { Framed } from "tablet/frame/keys";
import { sheet } from "tablet/frame/screen";
import { every, stayAt } from "tablet/hand/state";
import { ofStay } from "tablet/hand/commands";
import { guestWords } from "tablet/hand/columns";
import { Numbers } from "tablet/hand/sheets";
import { later, minorOf } from "tablet/poker/seat";
import { owedOf } from "tablet/poker/time";

const { chip } = page.game;
const WAIVED = ["house", "table", "slip"];

const put = (more) => {
  sheet.value = { ...sheet.value, ...more };
};

export function Move({ open, stay }) {
  const free = every.filter((seat) => !stayAt(seat));
  return html`
    <${Framed} title=${`${w("seat", open)} · ${guestWords(stay)} · ${w("move")}`}>
      <div class="choices"><p>${w(free.length ? "move_help" : "move_none")}</p>
        <div class="row">${free.map(
          (seat) =>
            html`<button type="button" class="do figure"
          key=${seat} data-to=${seat} aria-pressed=${String(open.to === seat)}
          onClick=${() => put({ to: seat })}>${seat}</button>`,
        )}</div>
      </div>
    <//>`;
}

export function moving(open, _now, stay) {
  if (!open.to) return { missing: w("move_where") };
  const body = { seat: open.to, table: null, counted_minor: 0 };
  const sub = w("move_sub") + later("move", stay);
  return { label: w("move_to", { seat: open.to }), sub, act: () => ofStay("move", stay.id, body) };
}

export function Leave({ open, stay }) {
  const { minor, halves } = owedOf(stay);
  const counted = minorOf(open);
  const isWrong = counted !== null && counted % chip !== 0;
  const presets = [...new Set([0, stay.bought_minor])];
  return html`
    <${Framed} title=${`${w("seat", open)} · ${guestWords(stay)} · ${w("leave")}`}>
      <div class="pad-place">
        <output class=${isWrong ? "wrong" : ""}>${
          open.text || (counted === null ? "–" : amount(counted))
        }</output>
        <div class="help" role="status">
          <p>${isWrong ? w("in_steps", { step: money(chip) }) : w("leave_help")}</p>
          <div class="row">${presets.map(
            (one) =>
              html`<button type="button" class="do figure"
            key=${one} data-minor=${one} aria-pressed=${String(counted === one)}
            onClick=${() => put({ minor: one, text: "" })}>${amount(one)}</button>`,
          )}</div>
          ${halves > 0 && html`<${Owed} open=${open} minor=${minor} halves=${halves} />`}
        </div>
        <${Numbers} open=${open} />
      </div>
    <//>`;
}

function Owed({ open, minor, halves }) {
  return html`
    <h3>${w(halves === 1 ? "leave_owes_one" : "leave_owes_many", {
      count: halves,
      amount: money(minor),
    })}</h3>
    <div class="row waive">
      <button type="button" class="do" data-waive="" aria-pressed=${String(!open.waived)}
        onClick=${() => put({ waived: "" })}>${w("time_is_paid")}</button>
      ${WAIVED.map(
        (one) =>
          html`<button type="button" class="do" key=${one} data-waive=${one}
        aria-pressed=${String(open.waived === one)} onClick=${() => put({ waived: one })}>
        ${w(`waived_${one}`)}</button>`,
      )}
    </div>`;
}

export function leaving(open, _now, stay) {
  const counted = minorOf(open);
  if (counted === null || counted % chip) return { missing: w("leave_count") };
  const waived = open.waived ? w(`waived_${open.waived}`) : "";
  const body = { counted_minor: counted, waived };
  const sub = w("leave_sub") + later("leave", stay);
  return {
    label: w("leave_with", { amount: amount(counted) }),
    sub,
    act: () => ofStay("leave", stay.id, body),
  };
}
