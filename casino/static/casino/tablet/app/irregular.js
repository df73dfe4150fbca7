// What goes wrong in a round is recorded with what was decided about it: choices of the game, one after the other.
import { page } from "tablet/page";
import { html, w } from "tablet/words";
import { isSupervisor, sheet } from "tablet/state";
import { kept, roundPath } from "tablet/commands";
import { Framed } from "tablet/drawer";
import * as game from "tablet/game";

const kinds = page.game.irregularities;
const boxes = Array.from({ length: page.game.boxes }, (_, place) => place + 1);

// The boxes that it may be about; null stands for none.
function boxesOf(about, seats) {
  const playing = boxes.filter((box) => seats[box]);
  if (about === "empty_box") return boxes.filter((box) => !seats[box]);
  if (about === "box_or_none") return [...playing, null];
  return about === "round" ? [] : playing;
}

const handsOf = (now, box) =>
  Array.from({ length: game.handsOn?.(now, box) ?? 1 }, (_, place) => place + 1);

export function Irregular({ open, now }) {
  const kind = kinds.find((one) => one.code === open.kind);
  const turn = (more) => () => {
    sheet.value = { ...open, ...more };
  };
  const keys = (list) =>
    html`<div class="row">${list.map(([label, act]) => html`<button type="button" class="do" key=${label} onClick=${act}>${label}</button>`)}</div>`;
  return html`
    <${Framed} title=${kind?.title ?? w("irregular")}>
      <div class="choices">${asked(open, now, kind, { turn, keys })}</div>
    <//>`;
}

function asked(open, now, kind, { turn, keys }) {
  if (!kind)
    return html`<p>${w("irregular_help")}</p>${keys(kinds.map((one) => [one.title, turn({ kind: one.code })]))}`;
  const about = boxesOf(kind.about, now.seats);
  if (about.length && open.box === undefined)
    return html`<p>${w("irregular_where")}</p>${keys(about.map((box) => [box ? w("box", { box }) : w("no_box_of_it"), turn({ box })]))}`;
  const hands = kind.about === "hand" ? handsOf(now, open.box) : [];
  if (hands.length > 1 && !open.hand)
    return html`<p>${w("irregular_where")}</p>${keys(hands.map((hand) => [`${w("box", { box: open.box })} · ${hand}.`, turn({ hand })]))}`;
  const decided = (decision) => () => record(open, now, kind, decision, hands[0]);
  return html`<p>${w("irregular_decided")}</p>${keys(kind.decisions.map((one) => [one.label, decided(one)]))}`;
}

async function record(open, now, kind, decision, hand) {
  const body = {
    kind: kind.code,
    decision: decision.code,
    box: open.box ?? null,
    hand: open.hand ?? hand ?? null,
    reason: `${kind.title}: ${decision.label}`,
  };
  const path = roundPath(now.round, "irregularities");
  if (!(await kept({ kind: "irregular", round: now.round, number: now.number, path, body })))
    return;
  sheet.value = decision.code === "void" ? { name: isSupervisor ? "void" : "call" } : null;
}
