// What others do to the round, as the server tells of it: locked or ended elsewhere, decided by the pit, changed since.
import { page } from "tablet/frame/page";
import { w } from "tablet/frame/words";
import { ask, serverNow } from "tablet/frame/live";
import * as outbox from "tablet/frame/outbox";
import { stillHere } from "tablet/round/answers";
import { adopt, numbered } from "tablet/round/later";
import { draft, enter, freshDraft, noteCall, settled, show } from "tablet/round/state";
import * as game from "tablet/game";
import { notice, sheet, tell, unstored, working } from "tablet/frame/screen";

export const repeated = (round) => stillHere(round ? game.seatsOf(round.stakes) : {});

// The pit has decided: to the server the round runs no more, and the rounds after it may go.
export function decided({ round }) {
  numbered(round);
  if (round?.state === "locked" && draft.peek().mode === "again") adopt(round);
  const isOver = (one) => one.kept && !(round?.id === one.round && round.state === "locked");
  if (outbox.pending.peek().some(isOver)) outbox.drop(isOver).then(ask, unstored);
}

// What the server says of the table is older than these.
const isAhead = (entry) =>
  !outbox.isBeside(entry) && !outbox.isAside(entry) && !(entry.kept && entry.kind === "settle");

export function follow(told) {
  const now = draft.peek();
  if (working.peek() || outbox.underWay().some(isAhead) || now.mode !== "new" || now.offline)
    return;
  if (told.session?.id !== now.session || !(told.croupier.id === page.person || page.supervisor))
    return location.reload();
  const { round } = told;
  if (round?.state === "locked") {
    followLocked(round, now);
    adopt(round);
    followFed(round);
  } else if (now.phase === "play") {
    settled.value = null;
    enter(freshDraft(repeated(round)));
    tell(w("elsewhere_ended", { number: now.number }), w("elsewhere_help"), { kind: "lock" });
  } else if (now.level !== told.session.entry_level) {
    enter({ ...now, level: told.session.entry_level, current: null, part: null });
  } else if (JSON.stringify(told.versions) !== JSON.stringify(page.standing.versions)) {
    location.reload();
  }
  if (round?.state === "settled" && round.result) remember(round);
}

function followLocked(round, now) {
  if (now.phase === "play" && now.round === round.id)
    return void (round.called && !now.called && noteCall());
  const mine = now.round === round.id;
  const seats = game.seatsOf(round.stakes);
  enter({
    ...freshDraft(seats, round.entry_level),
    ...(mine ? now : {}),
    phase: "play",
    placed: game.placedOf?.(round.stakes) ?? [],
    round: round.id,
    number: round.number,
    called: round.called,
    lockedAt: Date.parse(round.locked_at),
    seats,
    current: null,
    part: null,
  });
  if (!mine)
    tell(w("elsewhere_locked", { number: round.number }), w("elsewhere_help"), { kind: "lock" });
}

// Cards that the table's shoe has read since.
function followFed(round) {
  const next = draft.peek().round === round.id && game.takeFed?.(draft.peek(), round.fed);
  if (!next) return;
  show(next);
  sheet.value ??= { name: "cards" };
}

// The last round as the server has it: it can be put right also by a page that did not settle it.
function remember(round) {
  const there = settled.peek();
  const isSame = there?.draft.round === round.id;
  if (isSame && there.revision === round.revision) return;
  const was = {
    ...freshDraft(game.seatsOf(round.stakes), round.entry_level),
    ...game.resultsOf(round.result),
    placed: game.placedOf?.(round.stakes) ?? [],
    round: round.id,
  };
  const left = Date.parse(round.ended_at) + page.game.undo_s * 1000 - serverNow();
  settled.value = {
    draft: was,
    number: round.number,
    revision: round.revision,
    until: performance.now() + left,
  };
  if (!isSame || !there.revision) return;
  const look = () => {
    [sheet.value, notice.value] = [
      { name: "changed", number: round.number, before: there.draft, after: was },
      null,
    ];
  };
  tell(w("changed_elsewhere", { number: round.number }), w("changed_elsewhere_help"), {
    kind: "lock",
    act: { words: w("look"), go: look },
  });
}
