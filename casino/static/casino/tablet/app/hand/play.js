// The hand as the frame asks for it (`tablet/play`): what is drawn at its places, and what it
// begins with.
import { html, w } from "tablet/frame/words";
import { draft, isDealt, numberOf, stays } from "tablet/hand/state";
import { Columns } from "tablet/hand/columns";
import { Dock } from "tablet/hand/dock";
import * as game from "tablet/game";

export { draft } from "tablet/hand/state";
export { begin } from "tablet/hand/flow";
export { said } from "tablet/hand/said";
export { Action, Rail } from "tablet/hand/rail";
export { Sheet } from "tablet/hand/sheets";

export const headOf = (now) => ({
  phase: now.phase,
  mode: now.mode,
  number: numberOf(now),
  isOver: Boolean(now.dealt),
});

export const title = ({ number }) => w("hand_number", { number });

export const Board = ({ now }) =>
  game.Board
    ? html`<${game.Board} now=${now} />`
    : html`<${Columns} now=${now} /><${Dock} now=${now} />`;

// A hand that two are dealt in is not left to itself.
export const isRunning = () =>
  draft.value.phase === "dealt" &&
  stays.value.filter((one) => isDealt(draft.value, one)).length > 1;

export function Phase({ phase, mode, isOver }) {
  if (mode !== "new") return html`<span class="pill correct">${w("correcting")}</span>`;
  if (phase === "dealt") return html`<span class="pill locked">${w("hand_runs")}</span>`;
  return html`<span class="pill open">${w(isOver ? "hand_over" : "hand_before")}</span>`;
}
