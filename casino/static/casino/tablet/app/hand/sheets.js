// What is opened over the seats: a seat, an amount, what the game has besides, the floor, help.
import { page } from "tablet/frame/page";
import { html, icon, w } from "tablet/frame/words";
import { Call } from "tablet/frame/calls";
import { Framed } from "tablet/frame/keys";
import { Irregular } from "tablet/hand/irregular";
import { sheet } from "tablet/frame/screen";
import * as game from "tablet/game";

export function Sheet({ open, now }) {
  const PARTS = { seat: game.SeatSheet, call: Floor, irregular: Irregular, help: Help };
  const Part = { ...PARTS, ...game.SHEETS }[open.name];
  return html`<${Part} open=${open} now=${now} />`;
}

// The floor is called, or what went wrong is recorded.
const Floor = ({ now }) =>
  html`<${Call} now=${now}>
  <h3>${w("irregular")}</h3>
  <p>${w("irregular_help")}</p>
  <div class="row"><button type="button" class="do" data-opens="irregular" onClick=${() => {
    sheet.value = { name: "irregular" };
  }}>${icon("warn")}${w("irregular_do")}</button></div>
<//>`;

function Help() {
  const count = page.counts ? ["count"] : [];
  const every = [...game.HELP, "hand_mistake", ...count, "offline", "hand_floor"];
  return html`
    <${Framed} title=${w("help")} reads>
      <dl class="help-list">${every.map(
        (name) =>
          html`<div key=${name}><dt>${w(`help_${name}`)}
        </dt><dd>${w(`help_${name}_words`)}</dd></div>`,
      )}</dl>
    <//>`;
}
