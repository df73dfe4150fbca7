// Who plays a box of Ultimate Texas Hold'em: one guest, and a free box by a guest of another one, too, blind (UTH-8).
import { page } from "tablet/frame/page";
import { w } from "tablet/frame/words";

const rules = page.game;
export const numbers = (seats) =>
  Object.keys(seats)
    .map(Number)
    .sort((a, b) => a - b);
export const coinsOnly = (draft) => draft.level === "jackpot_only";
export const emptySeat = (guest) => ({
  guest,
  ante: rules.limits.ante.minimum,
  trips: 0,
  coin: false,
  blind: 0,
});
export const change = (draft, box, seat, step) => ({
  draft: { ...draft, seats: { ...draft.seats, [box]: seat }, current: box },
  step,
});

export const GUESTS_MOST = 1;
export const guestsAt = (there) => [there.guest];
export const named = (there, guest) => (there.guest ? there : { ...there, guest });
export const without = (seats, isGone) =>
  Object.fromEntries(Object.entries(seats).filter(([, one]) => !isGone(one.guest)));

export function seat(draft, box, guest, habits) {
  const there = { ...emptySeat(guest), ...habits, guest };
  const next = change(
    draft,
    box,
    coinsOnly(draft) ? { ...there, coin: true } : there,
    w("undo_seat", { box }),
  );
  return { ...next, draft: { ...next.draft, part: coinsOnly(draft) ? null : "ante" } };
}

export function clear(draft, box) {
  const isMeant = ([other, one]) => Number(other) === box || (one.blind && one.owner === box);
  const seats = Object.fromEntries(Object.entries(draft.seats).filter((one) => !isMeant(one)));
  return { draft: { ...draft, seats, current: null, part: null }, step: w("undo_clear", { box }) };
}

// In whose name another guest plays a box, in words; null for one who plays their own.
export const owned = (draft, box) =>
  draft.seats[box].blind ? w("guest_of", { box: draft.seats[box].owner }) : null;

// A guest who has a stake plays free boxes, too, blind, with their Play placed now. From their box they are chosen, among those where
// nobody sits; from such a box, another guest or another Play.
export function drawer(draft, box) {
  const there = draft.seats[box];
  if (!there) return {};
  if (!there.blind) {
    const free =
      there.guest && !coinsOnly(draft)
        ? Array.from({ length: rules.boxes }, (_, place) => place + 1).filter(
            (other) => !draft.seats[other],
          )
        : [];
    return {
      help: free.length ? w("blind_further_help") : "",
      groups: free.map((other) => blindGroup(other, box, "blind_further", { box: other })),
    };
  }
  const owners = numbers(draft.seats).filter(
    (other) => other !== box && draft.seats[other].guest && !draft.seats[other].blind,
  );
  const isOn = (owner, play) => there.owner === owner && there.blind === play;
  return {
    said: w("played_blind_by", { box: there.owner, play: there.blind }),
    own: (now, guest) => seat(now, box, guest, { ...now.seats[box], blind: 0, owner: undefined }),
    groups: owners.map((owner) => blindGroup(box, owner, "blind_for", { box: owner }, isOn)),
  };
}

const blindGroup = (box, owner, name, told, isOn = () => false) => ({
  title: w(name, told),
  keys: rules.plays.map((play) => ({
    box,
    label: `${play}×`,
    name: w(`${name}_times`, { ...told, play }),
    on: isOn(owner, play),
    turn: (draft) => playBlind(draft, box, owner, play),
  })),
});

function playBlind(draft, box, owner, play) {
  const there = draft.seats[box] ?? emptySeat("");
  const blind = { ...there, guest: draft.seats[owner].guest, blind: play, owner };
  return change({ ...draft, part: null }, box, blind, w("undo_blind", { box, owner, play }));
}
