// The prime rule: of stakes above a box's maximum, which stay and whose chips go back before the cards (PRM-1, PRM-3). The page's copy
// of `tables/rules/prime.py`, so that it stands on the box before the lock, and holds without the server.
const rights = ({ owner, minor, seated, distance, gone }) =>
  owner ? [0, 0, 0, 0] : [gone ? 2 : 1, -minor, seated ? 0 : 1, distance];

function before(one, other) {
  const [a, b] = [rights(one), rights(other)];
  const place = a.findIndex((value, index) => value !== b[index]);
  if (place >= 0) return a[place] - b[place];
  return one.guest < other.guest ? -1 : 1;
}

// Stakes in the order of their rights: `{guest, minor, owner, seated, distance}`; `gone`: a guest who is not at the table comes last.
export const inOrder = (stakes) => [...stakes].sort(before);

// Of stakes those whose right is the first: several where it is the same.
export function firsts(stakes) {
  const all = inOrder(stakes);
  const right = (one) => rights(one).join();
  return all.filter((one) => right(one) === right(all[0]));
}

const bandOf = ({ bands }, minor) => bands.findLast((one) => one.from <= minor);
export const stepAt = (limits, minor) => bandOf(limits, minor).step;

// The largest amount on its step that is not above the room; 0 when none is.
export function largestFitting({ bands }, room) {
  let most = room;
  for (const { from, step } of [...bands].reverse()) {
    const fitting = Math.floor(most / step) * step;
    if (fitting >= Math.max(from, 1)) return fitting;
    most = Math.min(most, from - 1);
  }
  return 0;
}

// By stake, in the order of their rights: `{guest, accepted, returned, rank, room, code}`, `code` saying why.
export function allocate(limits, stakes) {
  let [room, closed] = [limits.maximum, false];
  const found = inOrder(stakes).map(({ guest, minor }, place) => {
    const [accepted, code] = accept(limits, minor, room, closed);
    const one = { guest, accepted, returned: minor - accepted, rank: place + 1, room, code };
    room -= accepted;
    closed ||= accepted < minor;
    return one;
  });
  const all = limits.maximum - room;
  if (limits.minimum_per !== "box" || all === 0 || all >= limits.minimum) return found;
  return found.map((one) => ({
    ...one,
    accepted: 0,
    returned: one.accepted + one.returned,
    code: "prime.box_too_low",
  }));
}

function accept(limits, minor, room, closed) {
  if (!room) return [0, "prime.full"];
  if (closed) return [0, "prime.passed"];
  if (minor <= room) return [minor, "prime.fits"];
  if (limits.partial === "return_whole") return [0, "prime.whole_only"];
  const fitting = largestFitting(limits, room);
  if (!fitting || (limits.minimum_per === "stake" && fitting < limits.minimum))
    return [0, "prime.too_little"];
  return [fitting, "prime.cut"];
}
