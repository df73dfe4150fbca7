// The rail beside the seats: undo, the last hand that can be put right, the floor, and the one
// large key.
import { html, w } from "tablet/frame/words";
import { link, secondsTo } from "tablet/frame/live";
import { sheet, working } from "tablet/frame/screen";
import { CallKey } from "tablet/frame/calls";
import { Big, Key } from "tablet/frame/keys";
import { dealtIn, held, refusedHand, storedHand } from "tablet/hand/state";
import * as flow from "tablet/hand/flow";
import * as game from "tablet/game";

export function Rail({ now }) {
  if (sheet.value)
    return html`<${Key} label=${w("back")} picture="undo" onClick=${() => {
      sheet.value = sheet.value.back ?? null;
    }} />`;
  return html`<${Undo} now=${now} />${game.Ways && html`<${game.Ways} now=${now} />`}${game
    .railKeys(now)
    .map(
      (key) =>
        html`<${Key} key=${key.opens} ...${key} onClick=${() => {
          flow.release();
          sheet.value = { name: key.opens };
        }} />`,
    )}<${CallKey} more />`;
}

function Undo({ now }) {
  const entry = held.value;
  const isTapped = now.phase === "dealt" && now.past?.length > 0;
  if (isTapped)
    return html`<${Key} label=${w("undo")} sub=${game.lastTap(now)} picture="undo"
      onClick=${game.tapBack} />`;
  if (now.mode === "again" && refusedHand.value)
    return html`<${Key} label=${w("undo")} sub=${w("undo_none")} picture="undo" disabled=${true}
      />`;
  if (now.mode !== "new")
    return html`<${Key} label=${w("leave_correction")} picture="undo"
      onClick=${flow.leaveCorrection} disabled=${Boolean(working.value)} />`;
  if (entry)
    return html`<${Key} label=${w("undo")} sub=${`${w(
      "hand_number",
      entry,
    )} · ${game.summary(entry.draft)}`} picture="undo" onClick=${flow.undo} />`;
  return html`<${Correct} now=${now} />`;
}

// Alone as long as the house lets who dealt it, and until the next hand has ended; one that is only
// stored here, as long as it is. Then the pit is asked.
function Correct({ now: { last } }) {
  const isStored = last && storedHand(last.hand);
  const seconds = last && !isStored ? secondsTo(last.until ?? 0) : 0;
  const key = { picture: "undo", onClick: flow.takeBack };
  const disabled = Boolean(working.value);
  if (isStored || seconds)
    return html`<${Key} label=${w("correct_hand", last)} sub=${
      isStored ? w("stored_again") : w("seconds", { count: seconds })
    } ...${key} disabled=${disabled} />`;
  if (last?.revision)
    return html`<${Key} label=${w("ask_correction")} sub=${w("hand_number", last)} ...${key}
      picture="code" disabled=${disabled || link.value === "off"} />`;
  return html`<${Key} label=${w("undo")} sub=${w("undo_none")} picture="undo" disabled=${true} />`;
}

export function Action({ now }) {
  if (sheet.value?.name === "seat")
    return html`<${game.SeatAction} now=${now} open=${sheet.value} />`;
  if (sheet.value) return null;
  if (working.value) return html`<${Big} kind="wait" label=${w("booking")} />`;
  const count = dealtIn(now).length;
  const players = w("players", { count });
  const asks = now.mode === "correct" && !secondsTo(now.aloneUntil);
  if (now.mode !== "new" && game.isComplete(now))
    return html`<${Big} kind="finish" picture="ok" label=${w(asks ? "ask_pit" : "book_correction")}
      sub=${`${game.summary(now)} · ${players}`} act=${flow.book} rests />`;
  const isOpen = now.phase === "dealt" || now.mode !== "new";
  if (isOpen && game.Goes && count > 1) return html`<${game.Goes} now=${now} />`;
  if (now.phase === "dealt" && game.endsByKey)
    return html`<${Big} kind="left" label=${game.asks.label} sub=${game.asks.sub} />`;
  const isOver = Boolean(now.dealt);
  const label = w(now.phase === "dealt" || isOver ? "hand_next" : "hand_first");
  const sub = isOver ? `${game.summary(now)} · ${players}` : players;
  return html`<${Big} kind="finish" picture="ok" label=${label} sub=${sub} act=${flow.nextHand}
    rests />`;
}
