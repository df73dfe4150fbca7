// The cards at the showdown: the board, and the hands that are shown. They say who wins; whoever
// shows nothing has mucked (POK-8, HAND-6).
import { html, suit, w } from "tablet/frame/words";
import { Framed } from "tablet/frame/keys";
import { RANKS, SUITS, rankSign } from "tablet/frame/ranks";
import { sheet } from "tablet/frame/screen";
import { cardsOf, chairsOf, enteredOf, readOf, variantOf } from "tablet/poker/pots/deal";
import { takeCards } from "tablet/poker/pots/taps";

const deck = Object.keys(SUITS).flatMap((one) => [...RANKS].reverse().map((rank) => rank + one));
const named = (card) => `${rankSign(card[0])} ${w(SUITS[card[1]])}`;

// The board, and each seat that has not folded: where its cards lie, and how many they are.
function groupsOf(now, cards) {
  const { hole, board } = variantOf(now).cards;
  const folded = enteredOf(now).streets.flatMap(({ folds }) => Object.keys(folds).map(Number));
  const left = chairsOf(now).filter(({ seat }) => !folded.includes(seat));
  const hands = left.map(({ seat }) => ({
    id: String(seat),
    label: w("seat", { seat }),
    count: hole,
    cards: cards.hands[seat] ?? [],
  }));
  const common = { id: "board", label: w("board"), count: board, cards: cards.board };
  return board ? [common, ...hands] : hands;
}

const filled = ({ cards, count }) => cards.filter(Boolean).length === count;
const isEmpty = ({ cards }) => !cards.some(Boolean);

// What is wrong with them, in words; empty where they count.
function missing(groups) {
  const part = groups.find((group) => !filled(group) && (group.id === "board" || !isEmpty(group)));
  if (part) return w("cards_of", { whose: part.label });
  return groups.some((group) => group.id !== "board" && filled(group)) ? "" : w("cards_none");
}

export function Showdown({ open, now }) {
  const cards = open.cards ?? cardsOf(now);
  const groups = groupsOf(now, cards);
  const used = groups.flatMap((group) => group.cards).filter(Boolean);
  const next = open.slot ?? nextSlot(groups, open.last);
  const lacks = missing(groups);
  const put = (card) => {
    if (!next) return;
    sheet.value = { ...open, cards: placed(cards, next, card), slot: null, last: next.id };
  };
  return html`
    <${Framed} title=${w("showdown")}>
      <div class="showdown">
        <div class="groups many">${groups.map(
          (group) =>
            html`<section key=${group.id}><h2>${group.label}</h2><div class="slots">${Array.from(
              { length: group.count },
              (_, at) => Slot({ group, at, next, open }),
            )}</div></section>`,
        )}</div>
        <div class="deck">${deck.map(
          (card) =>
            html`<button type="button" key=${card} class="card-key" data-suit=${card[1]}
            data-card=${card} disabled=${used.includes(card)} aria-label=${named(card)}
            onClick=${() => put(card)}><b>${rankSign(card[0])}</b>${suit(SUITS[card[1]])}</button>`,
        )}</div>
        <button type="button" class="do large" disabled=${Boolean(lacks)} data-takes="cards"
          onClick=${() => takeCards(cards)}>${lacks || w("cards_count")}</button>
      </div>
    <//>`;
}

function Slot({ group, at, next, open }) {
  const card = group.cards[at];
  const isNext = next?.id === group.id && next.at === at;
  const label = `${group.label} ${at + 1}${card ? ` – ${named(card)}` : ""}`;
  const choose = () => {
    sheet.value = { ...open, slot: { id: group.id, at } };
  };
  return html`<button type="button" key=${at} data-slot=${`${group.id}-${at}`}
    class="slot ${card ? "card" : ""} ${isNext ? "next" : ""}" data-suit=${card?.[1]}
    aria-label=${label} onClick=${choose}>${
      card && html`<b>${rankSign(card[0])}</b>${suit(SUITS[card[1]])}`
    }</button>`;
}

// The hand that was begun is filled before another one.
function nextSlot(groups, last) {
  const ordered = [...groups.filter(({ id }) => id === last), ...groups];
  const group = ordered.find((one) => !filled(one));
  if (!group) return null;
  const at = Array.from({ length: group.count }, (_, place) => place).find(
    (place) => !group.cards[place],
  );
  return { id: group.id, at };
}

function placed(cards, { id, at }, card) {
  const change = (list = []) => {
    const next = [...list];
    next[at] = card;
    return next;
  };
  return id === "board"
    ? { ...cards, board: change(cards.board) }
    : { ...cards, hands: { ...cards.hands, [id]: change(cards.hands[id]) } };
}

// Cards as they lie there, in a row of the result.
export const Shown = (cards) =>
  cards.map(
    (card) =>
      html`<span class="slot card" data-suit=${card[1]} key=${card} aria-label=${named(card)}>
      <b>${rankSign(card[0])}</b>${suit(SUITS[card[1]])}</span>`,
  );
