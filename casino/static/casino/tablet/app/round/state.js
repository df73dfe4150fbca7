// The round on this tablet: a draft that every tap replaces, and the steps that undo takes back.
import { computed, signal } from "@preact/signals";
import { page, uuid } from "tablet/frame/page";
import { pending } from "tablet/frame/outbox";
import { draftWrite } from "tablet/frame/store";
import { jackpot, link, secondsTo, serverNow, standing } from "tablet/frame/live";
import * as game from "tablet/game";
import {
  DEAD_MS,
  alarms,
  notice,
  rest,
  sayAlarms,
  sheet,
  unstored,
  working,
} from "tablet/frame/screen";

const STEPS_MOST = 60;

export const draft = signal(null);
export const history = signal([]);
export const settled = signal(null); // the last round of this table, which can be put right: {draft, number, revision, until}
let undoneAt = -Infinity;

// The last step was taken back: the key that did it says something else now.
export const isUndone = () => performance.now() < undoneAt + DEAD_MS;

// While the pit has closed the table, a round that is still to be ended is of the session that this page was made for.
export function freshDraft(seats, level) {
  const session = standing.value.session ?? page.standing.session;
  return {
    session: session.id,
    level: level ?? session.entry_level,
    phase: "bets",
    mode: "new",
    round: uuid(),
    number: null,
    seats,
    before: seats,
    results: {},
    flags: {},
    cards: {},
    placed: [],
    owners: {},
    current: null,
    part: null,
    lockedAt: null,
    offline: false,
  };
}

// The draft of a round whose bets are locked.
export const played = (now, more) => ({
  ...now,
  phase: "play",
  current: null,
  part: null,
  results: {},
  flags: {},
  cards: {},
  placed: [],
  ...more,
});

// What the server is deciding on is not changed meanwhile: what is shown, paid and booked is one thing.
const HOLDS = ["lock", "settle", "correct", "request"];
export const isHeld = () => HOLDS.includes(working.value);

// Take a step that undo takes back; without words there is nothing to take back (a tile was chosen). `on`: the sheet that lay open.
export function take(next) {
  if (!next || isHeld()) return;
  if (next.step)
    history.value = [
      ...history.value.slice(1 - STEPS_MOST),
      { draft: draft.value, step: next.step, on: sheet.value?.name },
    ];
  show(next.draft);
}

export function undo() {
  const last = history.value.at(-1);
  if (!last || isHeld()) return;
  history.value = history.value.slice(0, -1);
  if (!history.value.length) undoneAt = performance.now();
  if (last.on !== sheet.value?.name) sheet.value = null; // a step of the boxes is taken back where one sees it
  show(last.draft);
}

export function show(next) {
  draft.value = next;
  draftWrite(next, stepsOf(next, history.value)).catch(unstored);
}

// Steps are stored with the phase that they are of, and are those of no other: a command may store the draft of the next phase first.
const phaseOf = ({ round, phase, mode, since }) => [round, phase, mode, since].join();
export const stepsOf = (now, list) => ({ of: phaseOf(now), list });
export const restored = (now, steps) => (steps?.of === phaseOf(now) ? steps.list : []);

// Another phase: nothing of the one before can be undone, and the action is dead for a moment (`ms`). `since`: a page that the worker
// kept may be older than this, and tell of the table how it stood before.
export function enter(next, ms = DEAD_MS) {
  rest(ms);
  history.value = [];
  sheet.value = null;
  notice.value = null;
  working.value = "";
  sayAlarms(alarms.value.filter((one) => !one.round || one.round === next.round));
  show({ ...next, since: serverNow() });
}

// For how many seconds more the correction on the screen is booked by the croupier alone; then, and while a hit is decided on, the pit is
// asked for it.
export const aloneFor = computed(() =>
  draft.value?.mode === "correct" && !frozen.value ? secondsTo(draft.value.aloneUntil) : 0,
);

// *Royal!* was called in this round; the call may still be on its way.
export const isCalled = (now) =>
  Boolean(now.called) ||
  pending.value.some((one) => one.kind === "call" && one.round === now.round);
// Nobody has said yet which box has it, or that none does: the round is not ended before.
export const isRoyalOpen = (now) => isCalled(now) && !now.falseAlarm && !game.royals(now).length;

// Undo takes back what was tapped, not the call.
export function noteCall() {
  history.value = history.value.map((step) => ({
    ...step,
    draft: { ...step.draft, called: true },
  }));
  show({ ...draft.value, called: true });
}

// Whose box it is (BOX-1): they sit at it, or were declared its owner.
export const guestAt = (box) => standing.value.guests.find((one) => one.box === box);

// Who stakes on a box, its owner first; who is on their way has no number yet, and is not among them.
export function guestsOf(now, box) {
  const ids = game.guestsAt(now.seats[box]);
  const there = standing.value.guests.filter((one) => ids.includes(one.id));
  return there.length > 1
    ? there.sort((one, other) => (other.box === box) - (one.box === box))
    : there;
}

// Whether coins, or all stakes, may be placed: "" is yes, else why not. Coins alone wait for a display that their tables wait for.
export const coinsShut = computed(() => {
  if (!standing.value.jackpot) return "";
  if (link.value === "off" || draft.value?.offline) return "offline";
  const { phase, has_display: hasDisplay } = jackpot.value ?? { phase: "unknown" };
  if (phase !== "open") return phase;
  return hasDisplay === false ? "no_display" : "";
});
// What the jackpot has to do with a round that was begun without the server, once the server is heard again.
export const frozen = computed(() => {
  const phase = jackpot.value?.phase ?? "unknown";
  return standing.value.jackpot && link.value !== "off" && phase !== "open" ? phase : "";
});
// What the pit decides on: to the server its round is still running, and no other can begin.
export const withPit = computed(() => pending.value.find((one) => one.kept));

export const stakesShut = computed(() => {
  if (withPit.value && link.value !== "off") return "pit";
  if (!coinsShut.value) return "";
  if (coinsShut.value === "no_display") return "";
  if (coinsShut.value === "offline") return standing.value.offline === "stop" ? "offline" : "";
  return page.game.progressive?.coins_alone_blocked_at.includes(coinsShut.value)
    ? ""
    : coinsShut.value;
});
