// The keys under the seats: what a hand ends with, as the game says.
import { html, places } from "tablet/frame/words";
import { enterResult } from "tablet/hand/flow";
import * as game from "tablet/game";
import { sheet } from "tablet/frame/screen";

const inKey = places();

export function Dock({ now }) {
  const { title, sub, keys, hint } = game.dock(now);
  return html`
    <div class="dock"><p class="named"><b>${title}</b><span>${sub}</span></p>
      ${
        hint
          ? html`<p class="hint">${hint}</p>`
          : keys.map((key) => inKey(key.id, key, () => Result(key)))
      }
    </div>`;
}

const Result = (key) =>
  html`
  <button type="button" class="key ${key.figure ? "figure" : ""}" key=${key.id} data-key=${key.id}
    data-opens=${key.opens} aria-pressed=${String(key.on)} disabled=${key.disabled}
    onClick=${() => tap(key)}>
    <b>${key.label}</b>${key.sub && html`<small>${key.sub}</small>`}
  </button>`;

function tap({ opens, entered }) {
  if (opens) sheet.value = { name: opens, text: "" };
  else enterResult(entered);
}
