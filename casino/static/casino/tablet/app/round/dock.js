// The keys under the boxes act on the current one: amounts while bets are open, hands while they are settled.
import { html, places, w } from "tablet/frame/words";
import { draft, take } from "tablet/round/state";
import { act } from "tablet/round/later";
import { needCards } from "tablet/round/cards-sheet";
import * as game from "tablet/game";
import { sheet } from "tablet/frame/screen";

const inKey = places();

export function Dock({ now }) {
  return now.phase === "bets" ? html`<${Amounts} now=${now} />` : html`<${Hands} now=${now} />`;
}

function Named({ keys, children }) {
  return html`<div class="dock"><p class="named"><b>${keys?.title ?? ""}</b><span>${keys?.sub ?? ""}</span></p>${children}</div>`;
}

function Amounts({ now }) {
  const keys = game.chips(now);
  if (!keys)
    return html`<${Named}><p class="hint">${w(Object.keys(now.seats).length ? "hint_tile" : "hint_seat")}</p><//>`;
  return html`
    <${Named} keys=${keys}>
      ${keys.keys.map((key) => html`<button type="button" class="key figure" key=${key.id} aria-pressed=${String(key.on)} onClick=${() => take(game.tapChip(draft.value, key.id))}>${key.label}</button>`)}
      <button type="button" class="key" data-opens="pad" onClick=${() => {
        sheet.value = { name: "pad", text: "" };
      }}>${w("other")}</button>
    <//>`;
}

function Hands({ now }) {
  const keys = game.handKeys(now);
  if (!keys) return html`<${Named}><p class="hint">${game.hint(now)}</p><//>`;
  return html`
    <${Named} keys=${keys}>
      ${keys.keys.map((key) => inKey(key.id, key, () => Hand(key)))}
    <//>`;
}

const Hand = (key) =>
  html`
  <button type="button" class="key hand ${key.gold ? "gold" : ""} ${key.figure ? "figure" : ""}" aria-label=${key.name} key=${key.id} data-hand=${key.id} aria-pressed=${String(key.on)} disabled=${key.disabled} onClick=${() => tap(key.id)}>
    <b>${key.label}</b>${key.sub && html`<small>${key.sub}</small>`}
  </button>`;

function tap(id) {
  const now = draft.value;
  act(game.tapHand(now, id));
  needCards(now);
}
