// What is sent of a round: its addresses, its bodies, and that each is stored before it is sent.
import { standing } from "tablet/frame/live";
import * as outbox from "tablet/frame/outbox";
import * as game from "tablet/game";
import { w } from "tablet/frame/words";
import { api, tablePath } from "tablet/frame/commands";

export const roundPath = (id, command) => api(`rounds/${id}/${command}/`);

// What each box has been paid by these payouts, for the pit where the house refuses the round.
const reckoned = (now) =>
  Object.entries(game.payouts(now)).map(([box, { lines }]) => ({
    box: Number(box),
    paid_minor: lines.reduce((sum, { paid }) => sum + paid, 0),
  }));

export const settlement = (now) => ({
  kind: "settle",
  round: now.round,
  number: now.number,
  draft: now,
  path: roundPath(now.round, "settle"),
  body: { result: game.result(now), reckoned: reckoned(now) },
});

// The stakes that came after the lock go with it where they are other ones: what the server has by its number, which it does not ask
// again.
const corrected = ({ number, placement }) => (number ? { placed: number } : placement);
const keysOf = (list) => (list ?? []).map((one) => one.key).join();

export function correction(now) {
  const { placed, wasPlaced, revision } = now;
  const body = { result: game.result(now), reason: w("mistyped"), revision };
  if (keysOf(placed) !== keysOf(wasPlaced)) body.placed = placed.map(corrected);
  return body;
}

export function queued(now) {
  const body = {
    rounds: [
      {
        round: now.round,
        stakes: game.stakes(now, false),
        result: game.result(now),
        reckoned: reckoned(now),
        locked_at: new Date(now.lockedAt).toISOString(),
        ...(now.placed?.length && { placed: now.placed.map((one) => one.placement) }),
      },
    ],
  };
  return { kind: "queued", round: now.round, draft: now, path: tablePath("queued-rounds/"), body };
}

// The number that a round has, or will have when everything before it has come to the server.
export function numberOf(now) {
  const stored = outbox.pending.value;
  const last = Math.max(standing.value.round?.number ?? 0, ...stored.map((one) => one.number ?? 0));
  return (
    now.number ??
    last +
      1 +
      stored.filter((one) => one.kind === "queued" && !one.refused && one.round !== now.round)
        .length
  );
}

export const isAsked = () =>
  Boolean(standing.value.round?.correction_waits) ||
  outbox.pending.value.some((one) => ["correct", "request"].includes(one.kind) && !one.refused);
