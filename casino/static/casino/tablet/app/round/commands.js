// What is sent of a round: its addresses, its bodies, and that each is stored before it is sent.
import { page } from "tablet/frame/page";
import { standing } from "tablet/frame/live";
import * as outbox from "tablet/frame/outbox";
import { unstored, working } from "tablet/round/state";
import * as game from "tablet/game";
import { w } from "tablet/frame/words";

export const api = (path) => `/api/${path}`;
export const tablePath = (path) => api(`tables/${page.table}/${path}`);
export const roundPath = (id, command) => api(`rounds/${id}/${command}/`);

export const settlement = (now) => ({
  kind: "settle",
  round: now.round,
  number: now.number,
  draft: now,
  path: roundPath(now.round, "settle"),
  body: { result: game.result(now) },
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
        locked_at: new Date(now.lockedAt).toISOString(),
        ...(now.placed?.length && { placed: now.placed.map((one) => one.placement) }),
      },
    ],
  };
  return { kind: "queued", round: now.round, draft: now, path: tablePath("queued-rounds/"), body };
}

// Whether a command could be stored; if not, the screen says so and nothing is sent.
export const kept = (entry, next) => isStored(() => outbox.keep(entry, next));
export const replaced = (entry, more, next) => isStored(() => outbox.replace(entry, more, next));

export async function isStored(work) {
  try {
    await work();
    return true;
  } catch (error) {
    working.value = "";
    unstored(error);
    return false;
  }
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

// What the round does not wait for.
export const isOnItsWay = (kind) => outbox.pending.value.some((one) => one.kind === kind);

export const isAsked = () =>
  Boolean(standing.value.round?.correction_waits) ||
  outbox.pending.value.some((one) => ["correct", "request"].includes(one.kind) && !one.refused);
