// Guests of the boxes: they come, stake with others where the game shares its boxes (BOX-2), and go.
import { standing, link } from "tablet/frame/live";
import { pending } from "tablet/frame/outbox";
import { stillHere } from "tablet/round/answers";
import { draft, guestAt, guestsOf, history, isHeld, show, take } from "tablet/round/state";
import * as game from "tablet/game";
import { w } from "tablet/frame/words";
import { sheet, tell } from "tablet/frame/screen";
import { api, kept, tablePath } from "tablet/frame/commands";

const noneWhileOff = () => tell(w("seat_offline"), w("seat_offline_help"));

// A box is as far from the shoe as its number says, and so is who sits at it (PRM-1).
const arrive = (box) =>
  kept(
    { kind: "guest", path: tablePath("guests/"), body: { box, seated: true, distance: box } },
    draft.value,
  );

export function seat(box) {
  if (isHeld()) return null;
  const there = guestAt(box);
  if (there) return take(game.seat(draft.value, box, there.id, draft.value.before[box]));
  if (link.value === "off") return noneWhileOff();
  take(game.seat(draft.value, box, null));
  return arrive(box);
}

// A box without a stake has made something that others are paid for: whose box it is has to be known.
export function chooseOther(box) {
  if (isHeld()) return null;
  const there = guestAt(box);
  const owners = there ? { ...draft.value.owners, [box]: there.id } : draft.value.owners;
  show({ ...draft.value, owners, current: box });
  return there || owners[box] ? null : arrive(box);
}

// A guest has left the table, and stakes nowhere any more; false if that could not be stored.
async function gone({ id }) {
  if (!(await kept({ kind: "leave", path: api(`guests/${id}/leave/`), body: {} }))) return false;
  standing.value = {
    ...standing.value,
    guests: standing.value.guests.filter((one) => one.id !== id),
  };
  history.value = [];
  show({
    ...draft.value,
    seats: game.without(draft.value.seats, (guest) => guest === id),
    current: null,
    part: null,
  });
  return true;
}

// Whose box it is has left, or is not waited for any more; also one whom others have let go since.
async function freed(box) {
  const owner = guestAt(box);
  if (owner) return gone(owner);
  const { [box]: there, ...seats } = stillHere(draft.value.seats);
  const left = there ? game.without({ [box]: there }, (guest) => guest === null) : {};
  history.value = [];
  show({ ...draft.value, seats: { ...seats, ...left }, current: null, part: null });
  return true;
}

// A guest leaves, and nobody comes.
export async function guestGoes(box) {
  if (isHeld()) return;
  sheet.value = null;
  await freed(box);
}

// Another guest sits down where one has left.
export async function newGuest(box) {
  if (isHeld()) return;
  sheet.value = null;
  if (link.value === "off") return noneWhileOff();
  if (!(await freed(box))) return;
  show(game.seat(draft.value, box, null).draft);
  await arrive(box);
}

// What the game lets a croupier choose at a box (`drawer`): at one where nobody sits. Who sits there leaves.
export async function choose({ box, turn }) {
  if (isHeld()) return;
  sheet.value = null;
  if (guestAt(box) && link.value !== "off" && !(await freed(box))) return;
  take(turn(draft.value));
}

// Several guests on a box
// Who is on their way to stake on a box beside others: they stake when the server has them.
const coming = (box) =>
  pending.value.filter((one) => one.kind === "guest" && one.joins === box).length;

export const hasRoom = (now, box) =>
  game.guestsAt(now.seats[box]).length + coming(box) < game.GUESTS_MOST;

// Who is at the table, and could stake on the box too.
export function others(now, box) {
  const there = guestsOf(now, box);
  return standing.value.guests.filter((one) => one.box !== box && !there.includes(one));
}

// Places from the shoe where nobody stands yet: whose is nearer has to be known (PRM-1).
export function placesFree(boxes) {
  const taken = standing.value.guests.filter((one) => !one.seated).map((one) => one.distance);
  return Array.from({ length: boxes + taken.length }, (_, place) => place + 1).filter(
    (place) => !taken.includes(place),
  );
}

// Who is at the table already, also without the server.
export function join(box, { id }) {
  if (!isHeld() && hasRoom(draft.value, box)) take(game.join(draft.value, box, id));
}

// Somebody comes, stands so far from the shoe, and stakes on the box.
export function comesBeside(box, distance) {
  if (isHeld() || !hasRoom(draft.value, box)) return null;
  if (link.value === "off") return noneWhileOff();
  return kept({
    kind: "guest",
    joins: box,
    path: tablePath("guests/"),
    body: { box: null, seated: false, distance },
  });
}

export function part(box, { id }) {
  if (!isHeld()) take(game.part(draft.value, box, id));
}

// Who stands at the table leaves it.
export async function leaves(guest) {
  if (!isHeld()) await gone(guest);
}
