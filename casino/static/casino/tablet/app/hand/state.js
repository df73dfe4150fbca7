// The hand on this tablet: a draft that every tap replaces. Between two hands the last one is shown
// as it was entered, until the next one begins; who is dealt in is who plays, but for those who
// were tapped out of this hand.
import { computed, signal } from "@preact/signals";
import { page, uuid } from "tablet/frame/page";
import * as outbox from "tablet/frame/outbox";
import { draftWrite } from "tablet/frame/store";
import { serverNow, standing } from "tablet/frame/live";
import { DEAD_MS, notice, rest, sheet, unstored, working } from "tablet/frame/screen";
import * as game from "tablet/game";

export const draft = signal(null);

export const every = Array.from(
  { length: Math.min(page.game.boxes, page.game.seats) },
  (_, place) => place + 1,
);

// While the pit has closed the table, what is still to be ended is of the session that this page
// was made for.
export function freshDraft(more = {}) {
  const session = standing.value.session ?? page.standing.session;
  return {
    session: session.id,
    phase: "between",
    mode: "new",
    hand: uuid(),
    number: null,
    beganAt: serverNow(),
    seated: [], // who sat there as it began
    turned: [], // who is dealt in although they would not be, or the other way round
    dealt: null, // once the hand has ended: the stays that were
    entered: null,
    waiting: [], // commands about who is dealt in, until this hand is sent
    last: null, // the last hand, which can be put right
    means: { bought: "cash", given: page.game.given[0] },
    ...game.begins(standing.value.last_hand),
    ...more,
  };
}

// Another hand, of the same table.
export const following = ({ last, means, variant, turn, button, waiting }, more) =>
  freshDraft({ last, means, variant, turn, button, waiting, ...more });

export function show(next) {
  draft.value = next;
  draftWrite(next, null).catch(unstored);
}

// Another phase: the action is dead for a moment.
export function enter(next, ms = DEAD_MS) {
  rest(ms);
  [sheet.value, notice.value, working.value] = [null, null, ""];
  show(next);
}

// Who sits where, with what was commanded since the server said so.
const EFFECTS = {
  begin: (stays, { temp, at, body }) => [
    ...stays,
    {
      id: temp,
      number: null,
      seat: body.seat,
      state: "playing",
      began_at: new Date(at).toISOString(),
      away_since: null,
      bought_minor: body.amount_minor,
      stack_minor: body.amount_minor,
      time: null,
    },
  ],
  top_up: changed(({ bought_minor: bought, stack_minor: stack }, { body }) => ({
    bought_minor: bought + body.amount_minor,
    stack_minor: stack + body.amount_minor,
  })),
  tip: changed(({ stack_minor: stack }, { body }) => ({
    stack_minor: stack - (body.means === "stack" ? body.amount_minor : 0),
  })),
  away: changed((_stay, { at }) => ({ state: "away", away_since: new Date(at).toISOString() })),
  back: changed(() => ({ state: "playing", away_since: null })),
  move: (stays, { stay, body }) =>
    body.table
      ? stays.filter((one) => one.id !== stay)
      : stays.map((one) => (one.id === stay ? { ...one, seat: body.seat } : one)),
  leave: (stays, { stay }) => stays.filter((one) => one.id !== stay),
  time: (stays, { paid }) =>
    stays.map((one) => (one.time && paid[one.id] ? paidFor(one, paid[one.id]) : one)),
};

// Half hours that are paid from the stack make it smaller.
const HALF_HOUR_MS = 30 * 60_000;
function paidFor(stay, until) {
  const halves = (Date.parse(until) - Date.parse(stay.time.paid_until)) / HALF_HOUR_MS;
  const minor = page.game.time_from === "stack" ? halves * page.game.half_hour : 0;
  return {
    ...stay,
    stack_minor: stay.stack_minor - minor,
    time: { ...stay.time, paid_until: until },
  };
}

function changed(more) {
  return (stays, entry) =>
    stays.map((one) => (one.id === entry.stay ? { ...one, ...more(one, entry) } : one));
}

// What the server has does not come twice: a stay that it named is there under its own id.
export const stays = computed(() =>
  unheard().reduce(
    (found, one) =>
      one.kind === "hand" ? moved(found, one.nets) : (EFFECTS[one.act]?.(found, one) ?? found),
    standing.value.stays ?? [],
  ),
);

// What hands that all passed in leave in the pot of the next one; it runs on as the stacks do.
export const carried = computed(() =>
  unheard()
    .filter(({ kind }) => kind === "hand")
    .reduce((minor, one) => minor + (one.carries ?? 0), standing.value.carried_minor ?? 0),
);

// What the server does not say yet; hands up to the newest that it knows are in its stacks.
function unheard() {
  const every_ = outbox.pending.value.filter(({ kind }) => kind === "stay" || kind === "hand");
  const last = every_.findLastIndex((one) => one.hand === standing.value.last_hand?.id);
  return every_.filter((one, at) => !one.refused && (one.kind === "stay" || at > last));
}

// Stacks run on with each hand, where hands move them.
export const moved = (found, nets = {}) =>
  found.map((one) =>
    nets[one.id] ? { ...one, stack_minor: one.stack_minor + nets[one.id] } : one,
  );
export const stayAt = (seat) => stays.value.find((one) => one.seat === seat);
export const stayOf = (id) => stays.value.find((one) => one.id === id);

// Who sits down while a hand is dealt is not in it; nor is who has no chips, where that is known.
const isBroke = ({ stack_minor: stack }) => page.standing.entry_level === "pots" && !stack;
const isUsual = (stay, now) =>
  stay.state === "playing" &&
  !isBroke(stay) &&
  (now.phase !== "dealt" || now.seated.includes(stay.id));

export const isDealt = (now, stay) =>
  now.dealt
    ? now.dealt.includes(stay.id)
    : stay.state === "playing" && isUsual(stay, now) !== now.turned.includes(stay.id);

// Who has gone to the server's knowledge is not dealt in by a hand that it refused.
const isGone = (now, id) =>
  refusedHand.value?.hand === now.hand &&
  !(standing.value.stays ?? []).some((stay) => stay.id === id);

export const dealtIn = (now) =>
  now.dealt?.filter((id) => !isGone(now, id)) ??
  stays.value.filter((one) => isDealt(now, one)).map((one) => one.id);

const without = (list, id) => list.filter((one) => one !== id);
const turnedIn = (list, id) => (list.includes(id) ? without(list, id) : [...list, id]);

// A stay in or out of this hand.
export const turned = (now, id) =>
  now.dealt
    ? { ...now, dealt: turnedIn(now.dealt, id) }
    : { ...now, turned: turnedIn(now.turned, id) };

// The hand that waits for the next tap, and can be taken back whole.
export const holding = signal(null); // its number in the outbox
export const held = computed(() =>
  outbox.pending.value.find((one) => one.seq === holding.value && one.until && !one.open),
);

// A hand that is on this tablet, and not with the server.
export const storedHand = (id) =>
  outbox.pending.value.find((one) => one.kind === "hand" && one.hand === id && !one.refused);
export const refusedHand = computed(() =>
  outbox.pending.value.find((one) => one.kind === "hand" && one.refused),
);

// The number that a hand has, or will have when everything before it has come to the server.
export function numberOf(now) {
  if (now.number) return now.number;
  const known = [standing.value.last_hand?.number, now.last?.number];
  const stored = outbox.pending.value.filter((one) => one.kind === "hand");
  return Math.max(0, ...known.map((one) => one ?? 0), ...stored.map((one) => one.number)) + 1;
}
