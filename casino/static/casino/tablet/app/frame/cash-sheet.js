// The key in the head for buy-ins and tips, and what it opens: an amount is one tap, another one is
// typed; below them what was entered last.
import { amount, html, icon, money, time, typed, w } from "tablet/frame/words";
import { page } from "tablet/frame/page";
import { secondsTo } from "tablet/frame/live";
import { Framed, Numbers } from "tablet/frame/keys";
import { sheet } from "tablet/frame/screen";
import {
  enter,
  entered,
  isGoingBack,
  isSold,
  isUnsent,
  sessionNow,
  takeBack,
  unsent,
} from "tablet/frame/cash";

const KINDS = ["buyin", "tip"];

export function CashKey() {
  if (!isSold) return null;
  const waiting = unsent();
  const label = waiting ? `${w("cash")} · ${w("cash_waiting", { count: waiting })}` : w("cash");
  const open = () => {
    sheet.value = { name: "cash" };
  };
  return html`
    <button class="cash-key" type="button" data-opens="cash" aria-label=${label} onClick=${open}>
      ${icon("coins", 26)}<span>${w("cash")}</span>${waiting > 0 && html`<b>${waiting}</b>`}
    </button>`;
}

export function Cash({ open }) {
  if (open.kind) return html`<${Pad} open=${open} />`;
  const here = entered.value.filter(({ session }) => session === sessionNow());
  return html`
    <${Framed} title=${w("cash")}>
      <div class="cash">
        ${KINDS.map((kind) => html`<${Amounts} key=${kind} kind=${kind} />`)}
        ${
          here.length > 0 &&
          html`<h3>${w("cash_last")}</h3>
        <ul>${here.map((one) => html`<${Entered} key=${one.id} one=${one} />`)}</ul>`
        }
      </div>
    <//>`;
}

const Amounts = ({ kind }) =>
  html`
    <h3 id=${`cash-${kind}`}>${w(`cash_${kind}`)}</h3>
    <div class="row" role="group" aria-labelledby=${`cash-${kind}`}>
      ${page.game.cash[kind].map(
        (minor) =>
          html`<button type="button" class="do figure" key=${minor} data-cash=${kind}
        data-minor=${minor} onClick=${() => enter(kind, minor)}>${amount(minor)}</button>`,
      )}
      <button type="button" class="do" data-cash=${kind} data-pad onClick=${() => {
        sheet.value = { name: "cash", kind, text: "" };
      }}>${w("other")}</button>
    </div>`;

const Left = ({ count }) => html`<small>${w("seconds", { count })}</small>`;

function Entered({ one }) {
  const { kind, minor, at, until, back, refused } = one;
  const seconds = until ? secondsTo(until) : 0;
  const isOpen = !back && !refused && !isGoingBack(one) && (isUnsent(one) || seconds > 0);
  const state = refused
    ? w("cash_refused")
    : back || isGoingBack(one)
      ? w("cash_taken_back")
      : isUnsent(one)
        ? w("cash_waits")
        : "";
  return html`
    <li>
      <span class=${back ? "gone" : ""}>${w(`cash_${kind}`)} <b>${amount(minor)}</b></span>
      <small>${[time(at).slice(0, 5), state].filter(Boolean).join(" · ")}</small>
      ${
        isOpen &&
        html`<button type="button" class="do" data-back=${kind} onClick=${() => takeBack(one)}>
        ${icon("undo")}${w("cash_take_back")}${seconds > 0 && html` <${Left} count=${seconds} />`}
        </button>`
      }
    </li>`;
}

// An amount that no key has.
function Pad({ open }) {
  const { kind, text } = open;
  const { step, most } = page.game.cash;
  const minor = typed(text);
  const isWrong = minor !== null && (minor % step !== 0 || minor < step || minor > most);
  return html`
    <${Framed} title=${w(`cash_${kind}`)}>
      <div class="pad-place">
        <output class=${isWrong ? "wrong" : ""}>${text || amount(0)}</output>
        <p class="help" role="status">${w("cash_steps", { step: money(step) })}</p>
        <${Numbers} open=${open} />
        <button type="button" class="do large" disabled=${minor === null || isWrong}
          onClick=${() => enter(kind, minor)}>${w("take_amount")}</button>
      </div>
    <//>`;
}
