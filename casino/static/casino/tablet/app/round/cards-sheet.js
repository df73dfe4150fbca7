// The cards of a round: slots for those that are wanted, and a key for each card of the deck.
import { signal } from "@preact/signals";
import { html, icon, suit, w } from "tablet/frame/words";
import { RANKS, SUITS, rankSign } from "tablet/frame/ranks";
import { draft, history, take } from "tablet/round/state";
import { act, undo } from "tablet/round/later";
import * as game from "tablet/game";
import { rest, sheet } from "tablet/frame/screen";
import { Big, Key } from "tablet/frame/keys";

const chosen = signal(null); // the slot that was tapped to be replaced: {id, place}
export const spoken = (card) => `${rankSign(card[0])} ${w(SUITS[card[1]])}`;
const deck = Object.keys(SUITS).flatMap((one) => [...RANKS].reverse().map((rank) => rank + one));
// More than lie side by side with their names in full.
const areMany = (groups) => groups.length > 3;
export const namesOf = (groups) =>
  groups.map((one) => (areMany(groups) ? one.short : one.label)).join(" · ");
const filled = (group) => group.cards.filter(Boolean).length === group.count;

// Open the sheet if the step before asked for cards that were not asked for until then.
export function needCards(before) {
  const had = new Set(game.cardGroups(before).map((one) => one.id));
  if (game.cardGroups(draft.value).some((group) => !had.has(group.id) && !filled(group)))
    openCards();
}

export const areWanted = (now) => game.cardGroups(now).some((group) => !filled(group));

export function openCards() {
  chosen.value = null;
  sheet.value = { name: "cards" };
}

// The slot that the next card goes into.
function target(groups) {
  if (chosen.value) return chosen.value;
  if (game.nextCard) return game.nextCard(draft.value);
  for (const { id, count, cards } of groups)
    for (let place = 0; place < count; place += 1) if (!cards[place]) return { id, place };
  return null;
}

function put(card) {
  const groups = game.cardGroups(draft.value);
  const slot = target(groups);
  if (!slot) return;
  const others = Object.entries(draft.value.cards).map(([id, list]) => [
    id,
    list.map((one) => (one === card && !game.DECKS ? undefined : one)),
  ]); // where it lies unseen
  const cards = [...(Object.fromEntries(others)[slot.id] ?? [])];
  cards[slot.place] = card;
  chosen.value = null;
  take({
    draft: { ...draft.value, cards: { ...Object.fromEntries(others), [slot.id]: cards } },
    step: spoken(card),
  });
}

export function Cards({ now }) {
  const groups = game.cardGroups(now);
  const every = groups.flatMap((group) => group.cards);
  const isUsed = (card) => every.filter((one) => one === card).length >= (game.DECKS ?? 1);
  const next = target(groups);
  return html`
    <div class="cards">
      <div class="groups ${areMany(groups) ? "many" : ""}">${groups.map(
        (group) =>
          html`
        <section key=${group.id}><h2>${areMany(groups) ? group.short : group.label}</h2><div class="slots">
          ${Array.from({ length: group.count }, (_, place) => html`<${Slot} key=${place} group=${group} place=${place} isNext=${next?.id === group.id && next.place === place} />`)}
        </div></section>`,
      )}</div>
      <div class="deck">${deck.map(
        (card) =>
          html`
        <button type="button" key=${card} class="card-key" data-suit=${card[1]} data-card=${card} disabled=${isUsed(card)} aria-label=${spoken(card)} onClick=${() => put(card)}>
          <b>${rankSign(card[0])}</b>${suit(SUITS[card[1]])}
        </button>`,
      )}</div>
      <${Verdict} now=${now} groups=${groups} />
    </div>`;
}

function Slot({ group, place, isNext }) {
  const card = group.cards[place];
  const label = card
    ? w("colon", { what: `${group.label} ${place + 1}`, text: spoken(card) })
    : `${group.label} ${place + 1}`;
  return html`
    <button type="button" class="slot ${card ? "card" : ""} ${isNext ? "next" : ""}" data-suit=${card?.[1]} aria-label=${label} onClick=${() => {
      chosen.value = { id: group.id, place };
    }}>
      ${card && html`<b>${rankSign(card[0])}</b>${suit(SUITS[card[1]])}`}
    </button>`;
}

const boxesOf = (groups) => groups.map((one) => one.id).filter(Number);

const ENDS = { win: "wins", lose: "loses", tie: "tie" };

function Verdict({ now, groups }) {
  const found = boxesOf(groups)
    .map((box) => ({ box, ...game.verdict(now, box) }))
    .filter((one) => one.hand);
  const isLong = areMany(groups); // the rest stands under the boxes when the cards are confirmed
  if (!found.length)
    return html`<p class="verdict" role="status">${icon("cards")}${w("cards_hint")}</p>`;
  const differs = found.some((one) => one.differs);
  return html`<p class="verdict ${differs ? "differs" : "agrees"}" role="status">${icon(differs ? "warn" : "ok")}<span>${found.map(
    (one) =>
      html`
    <span key=${one.box}><b>${w("colon", { what: w("box", { box: one.box }), text: [one.label, !isLong && one.ranks].filter(Boolean).join(", ") })}</b> ${one.ends ? `– ${w(ENDS[one.ends])}` : ""} ${one.differs ? w("was_tapped", { hand: one.tapped }) : one.agrees && !isLong ? w("as_tapped") : ""} ${isLong ? "" : one.won}</span>`,
  )}</span></p>`;
}

// The card in the slot that was tapped, where a game lets one be taken out.
function takenOut(groups) {
  const slot = chosen.value;
  const card = slot && groups.find((one) => one.id === slot.id)?.cards[slot.place];
  if (!card || !game.takeOut) return null;
  return () => {
    chosen.value = null;
    take({ draft: game.takeOut(draft.value, slot), step: spoken(card) });
  };
}

export function CardsRail({ now }) {
  const last = history.value.at(-1);
  const takeOut = takenOut(game.cardGroups(now));
  const wiped = game.cardGroups(now).find((one) => one.wipe); // those that are tapped wrong as a whole
  const wipe = () => {
    const { [wiped.id]: _cards, ...cards } = draft.value.cards;
    take({ draft: { ...draft.value, cards }, step: wiped.wipe });
  };
  return html`
    <${Key} label=${w(last?.on === "cards" ? "last_card" : "undo")} sub=${last?.step} picture="undo" disabled=${!last} onClick=${undo} />
    ${takeOut && html`<${Key} label=${w("card_out")} onClick=${takeOut} />`}
    ${(game.cardKeys?.(now) ?? []).map(
      ({ label, disabled, turn }) =>
        html`<${Key} key=${label} label=${label} disabled=${disabled} onClick=${() => act(turn(draft.value))} />`,
    )}
    ${wiped && html`<${Key} label=${wiped.wipe} disabled=${!wiped.cards.length} onClick=${wipe} />`}
    <${Key} label=${w("cards_later")} sub=${w("cards_later_sub")} onClick=${() => {
      sheet.value = null;
    }} />`;
}

export function CardsAction({ now }) {
  const groups = game.cardGroups(now);
  const left = groups.reduce((sum, one) => sum + one.count - one.cards.filter(Boolean).length, 0);
  const state = game.cardsState?.(now);
  if (state) return html`<${Big} kind="left" label=${state.label} sub=${state.sub} />`;
  if (left)
    return html`<${Big} kind="left" label=${w(left === 1 ? "cards_left_one" : "cards_left_many", { count: left })} sub=${namesOf(groups.filter((one) => !filled(one)))} />`;
  const found = boxesOf(groups)
    .map((box) => game.verdict(now, box))
    .filter(Boolean);
  const differs = found.find((one) => one.differs);
  const confirm = () => {
    take(game.takeCards(draft.value));
    sheet.value = null;
    rest(); // at its place the round is ended
  };
  return html`<${Big} kind=${differs ? "take" : "finish"} picture="ok" label=${differs ? w("take_hand", { hand: differs.label }) : w("confirm_cards")} sub=${areMany(groups) ? "" : found.map((one) => one.label).join(" · ")} act=${confirm} />`;
}
