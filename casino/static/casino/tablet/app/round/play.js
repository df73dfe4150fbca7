// The round as the frame asks for it (`tablet/play`): what is drawn at its places, and what it begins with.
import { html, icon, time, w } from "tablet/frame/words";
import { standing } from "tablet/frame/live";
import { draft, stakesShut } from "tablet/round/state";
import { numberOf } from "tablet/round/commands";
import { Columns } from "tablet/round/columns";
import { Dock } from "tablet/round/dock";

export { draft } from "tablet/round/state";
export { begin } from "tablet/round/flow";
export { said } from "tablet/round/said";
export { Action, Rail } from "tablet/round/rail";
export { Sheet } from "tablet/round/sheets";

export const headOf = ({ phase, mode, round, number, lockedAt }) => ({
  phase,
  mode,
  round,
  number,
  lockedAt,
});

export const title = (shown) => w("round", { number: numberOf(shown) });

export const Board = ({ now }) => html`<${Columns} now=${now} /><${Dock} now=${now} />`;

export const isRunning = () =>
  (draft.value.phase === "play" && draft.value.mode !== "correct") ||
  standing.value.round?.state === "locked";

export function Phase({ phase, mode, lockedAt }) {
  if (mode !== "new")
    return html`<span class="pill correct">${icon("refresh", 20)}${w("correcting")}</span>`;
  if (phase === "bets" && stakesShut.value)
    return html`<span class="pill locked">${icon("lock", 20)}${w("stakes_shut")}</span>`;
  if (phase === "bets") return html`<span class="pill open">${w("bets_open")}</span>`;
  return html`<span class="pill locked">${icon("lock", 20)}<span>${w("no_more_bets")}</span> <time>${time(lockedAt)}</time></span>`;
}
