// What goes wrong in a round is recorded with what was decided about it: choices of the game, one after the other.
import { page } from "tablet/frame/page";
import { html, w } from "tablet/frame/words";
import { roundPath } from "tablet/round/commands";
import { RANKS, SUITS, rankSign } from "tablet/frame/ranks";
import { spoken } from "tablet/round/cards-sheet";
import * as game from "tablet/game";
import { isSupervisor, sheet } from "tablet/frame/screen";
import { kept } from "tablet/frame/commands";
import { Framed } from "tablet/frame/keys";

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
  const done = (decision, card) => () =>
    record(open, now, kind, { decision, hand: hands[0], card });
  const decided = kind.decisions.find((one) => one.code === open.decision);
  if (decided) return whichCard(open.rank, { turn, keys }, (card) => done(decided, card));
  const next = (one) => (one.card ? turn({ decision: one.code }) : done(one, ""));
  return html`<p>${w("irregular_decided")}</p>${keys(kind.decisions.map((one) => [one.label, next(one)]))}`;
}

// The card that it is about, if it is known: its rank, then its suit.
function whichCard(rank, { turn, keys }, done) {
  const ranks = () => [
    ...[...RANKS].reverse().map((one) => [rankSign(one), turn({ rank: one })]),
    [w("card_unknown"), done("")],
  ];
  const suits = () => Object.keys(SUITS).map((one) => [spoken(rank + one), done(rank + one)]);
  return html`<p>${w("irregular_card")}</p>${keys(rank ? suits() : ranks())}`;
}

async function record(open, now, kind, { decision, hand, card }) {
  const body = {
    kind: kind.code,
    decision: decision.code,
    box: open.box ?? null,
    hand: open.hand ?? hand ?? null,
    card,
    reason: `${kind.title}: ${decision.label}`,
  };
  const path = roundPath(now.round, "irregularities");
  if (!(await kept({ kind: "irregular", round: now.round, number: now.number, path, body })))
    return;
  sheet.value = decision.code === "void" ? { name: isSupervisor ? "void" : "call" } : null;
}
