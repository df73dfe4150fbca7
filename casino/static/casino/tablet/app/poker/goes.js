// A guest leaves with the chips that are counted before them (POK-2), after what is owed for time
// (RAK-2).
import { page } from "tablet/frame/page";
import { amount, html, money, w } from "tablet/frame/words";
import { Framed, Numbers } from "tablet/frame/keys";
import { sheet } from "tablet/frame/screen";
import { ofStay } from "tablet/hand/commands";
import { guestWords } from "tablet/hand/columns";
import { later, minorOf } from "tablet/poker/seat";
import { owedOf } from "tablet/poker/time";

const { chip } = page.game;
const WAIVED = ["house", "table", "slip"];

const put = (more) => {
  sheet.value = { ...sheet.value, ...more };
};

export function Leave({ open, stay }) {
  const { minor, halves } = owedOf(stay);
  return html`
    <${Framed} title=${`${w("seat", open)} · ${guestWords(stay)} · ${w("leave")}`}>
      <${Counted} open=${open} help=${w("leave_help")} presets=${[0, stay.bought_minor]}>
        ${halves > 0 && html`<${Owed} open=${open} minor=${minor} halves=${halves} />`}
      <//>
    <//>`;
}

// The chips before a guest: a preset, or what is typed.
export function Counted({ open, help, presets, children }) {
  const counted = minorOf(open);
  const isWrong = counted !== null && counted % chip !== 0;
  return html`
    <div class="pad-place">
      <output class=${isWrong ? "wrong" : ""}>${
        open.text || (counted === null ? "–" : amount(counted))
      }</output>
      <div class="help" role="status">
        <p>${isWrong ? w("in_steps", { step: money(chip) }) : help}</p>
        <div class="row">${[...new Set(presets)].map(
          (minor) =>
            html`<button type="button" class="do figure"
          key=${minor} data-minor=${minor} aria-pressed=${String(counted === minor)}
          onClick=${() => put({ minor, text: "" })}>${amount(minor)}</button>`,
        )}</div>
        ${children}
      </div>
      <${Numbers} open=${open} />
    </div>`;
}

export const countedOf = (open) => {
  const counted = minorOf(open);
  return counted === null || counted % chip ? null : counted;
};

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
  const counted = countedOf(open);
  if (counted === null) return { missing: w("leave_count") };
  const waived = open.waived ? w(`waived_${open.waived}`) : "";
  const body = { counted_minor: counted, waived };
  const sub = w("leave_sub") + later("leave", stay);
  return {
    label: w("leave_with", { amount: amount(counted) }),
    sub,
    act: () => ofStay("leave", stay.id, body),
  };
}
