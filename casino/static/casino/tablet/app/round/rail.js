// The rail beside the boxes: undo with the words of its step, what else is to be said of the round, and the one large action.
import { page } from "tablet/frame/page";
import { html, signed, w } from "tablet/frame/words";
import { useEffect, useState } from "preact/hooks";
import { link, serverNow, standing } from "tablet/frame/live";
import {
  aloneFor,
  coinsShut,
  draft,
  history,
  isCalled,
  isRoyalOpen,
  settled,
  show,
  stakesShut,
  take,
} from "tablet/round/state";
import { refusedEntry } from "tablet/round/answers";
import { undo } from "tablet/round/later";
import { isAsked } from "tablet/round/commands";
import * as flow from "tablet/round/flow";
import * as game from "tablet/game";
import { CardsAction, CardsRail, namesOf } from "tablet/round/cards-sheet";
import { isSupervisor, rest, sheet, working } from "tablet/frame/screen";
import { isOnItsWay, waits } from "tablet/frame/commands";
import { CallKey } from "tablet/frame/calls";
import { Big, Key } from "tablet/frame/keys";

const SLOW_MS = 3_000;

export function Rail({ now }) {
  if (sheet.value?.name === "cards") return html`<${CardsRail} now=${now} />`;
  if (sheet.value)
    return html`<${Key} label=${w("back")} picture="undo" onClick=${() => {
      sheet.value = null;
    }} />`;
  return html`<${Undo} now=${now} />${now.phase === "bets" ? html`<${BetKeys} now=${now} />` : html`<${PlayKeys} now=${now} />`}<${CallKey} />`;
}

// A moment that passes: draws again each half second until it is over.
function useUntil(until) {
  const [, again] = useState(0);
  useEffect(() => {
    if (!until || performance.now() >= until) return undefined;
    const timer = setInterval(() => again((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, [until]);
  return until ? Math.ceil((until - performance.now()) / 1000) : 0;
}

function Undo({ now }) {
  const last = history.value.at(-1);
  const isWaiting = now.phase === "bets" && isAsked();
  const seconds = useUntil(now.phase === "bets" && !last && !isWaiting ? settled.value?.until : 0);
  const isShut = !now.offline && !["", "offline", "no_display"].includes(coinsShut.value); // a hit is decided on with the rounds that run
  const reopenUntil =
    now.phase === "play" && now.mode === "new" && !last && !isShut
      ? performance.now() + now.lockedAt + page.game.reopen_s * 1000 - serverNow()
      : 0;
  const open = useUntil(reopenUntil);
  if (last)
    return html`<${Key} label=${w("undo")} sub=${last.step} picture="undo" onClick=${undo} />`;
  if (now.mode === "correct" || (now.mode === "again" && !refusedEntry.value))
    return html`<${Key} label=${w("leave_correction")} picture="undo" onClick=${flow.leaveCorrection} />`;
  if (now.mode === "again")
    return html`<${Key} label=${w("undo")} sub=${w("undo_none")} picture="undo" disabled=${true} />`;
  if (open > 0)
    return html`<${Key} label=${w("reopen")} sub=${w("seconds", { count: open })} picture="undo" onClick=${flow.reopen} disabled=${Boolean(working.value)} />`;
  if (isWaiting)
    return html`<${Key} label=${w("waits_for_pit")} sub=${askedAbout()} picture="code" disabled=${true} />`;
  if (seconds > 0)
    return html`<${Key} label=${w("take_back", { number: settled.value.number })} sub=${w("seconds", { count: seconds })} picture="undo" onClick=${flow.takeBack} disabled=${Boolean(working.value)} />`;
  if (now.phase === "bets" && settled.value && !settled.value.isStored)
    return html`<${Key} label=${w("ask_correction")} sub=${waits("request") || w("round", { number: settled.value.number })} picture="code" onClick=${flow.takeBack} disabled=${Boolean(working.value) || link.value === "off"} />`;
  return html`<${Key} label=${w("undo")} sub=${w("undo_none")} picture="undo" disabled=${true} />`;
}

// What the pit decides on, or what is stored here until the server has it.
function askedAbout() {
  const { round } = standing.value;
  return round?.correction_waits
    ? `${w("correcting")} · ${w("round", { number: round.number })}`
    : w("stored_again");
}

function BetKeys({ now }) {
  const box = now.current;
  return html`${box && now.seats[box] && html`<${Key} label=${w("clear_box", { box })} onClick=${() => take(game.clear(draft.value, box))} />`}`;
}

function PlayKeys({ now }) {
  const isLinked = Boolean(standing.value.jackpot) && !now.offline;
  const flags = game.flags(now);
  const toggle = (flag) =>
    take({
      draft: { ...draft.value, flags: { ...draft.value.flags, [flag.id]: !flag.on } },
      step: flag.label,
    });
  return html`
    ${flags.map((flag) => html`<${Key} key=${flag.id} label=${flag.label} sub=${flag.sub} on=${flag.on} onClick=${() => toggle(flag)} />`)}
    <${Key} label=${w("cards_dispute")} picture="cards" opens="dispute" on=${Boolean(now.flags.dispute)} onClick=${() => {
      sheet.value = { name: "dispute" };
    }} />
    ${isLinked && now.mode === "new" && html`<${RoyalKey} now=${now} />`}
    ${
      isSupervisor &&
      now.mode === "new" &&
      html`<${Key} label=${w("void")} opens="void" sub=${w("void_sub")} onClick=${() => {
        sheet.value = { name: "void" };
      }} />`
    }`;
}

// It freezes all tables; once that is done it says whose the royal flush is, and until then asks.
function RoyalKey({ now }) {
  const named = game.royals(now);
  const whose = named.length
    ? w("box", { box: named.join(", ") })
    : w(now.falseAlarm ? "false_alarm" : "royal_which");
  const sub = isOnItsWay("call")
    ? w("stored_again")
    : isCalled(now)
      ? whose
      : waits("call") || w("royal_sub");
  return html`<${Key} label=${w("royal")} kind="royal" opens="royal" sub=${sub} disabled=${!isCalled(now) && link.value === "off"} onClick=${() => {
    sheet.value = { name: "royal" };
  }} />`;
}

// The action
export function Action({ now }) {
  const late = useLate(working.value);
  if (sheet.value?.name === "cards") return html`<${CardsAction} now=${now} />`;
  if (sheet.value) return null;
  if (now.phase === "bets" && working.value === "lock")
    return html`<${Big} kind="wait" label=${late ? w("no_answer") : w("wait")} sub=${w("no_cards_yet")} act=${late ? flow.withdraw : null} rests=${late} doing=${late ? w("withdraw") : ""} />`;
  if (working.value)
    return html`<${Big} kind="wait" label=${w("booking")} sub=${late ? w("stored_again") : ""} />`;
  return now.phase === "bets" ? html`<${Lock} now=${now} />` : html`<${Finish} now=${now} />`;
}

function useLate(what) {
  const [late, setLate] = useState("");
  useEffect(() => {
    setLate("");
    const turn = () => {
      rest(); // a finger on its way meant what stood there before
      setLate(what);
    };
    const timer = what ? setTimeout(turn, SLOW_MS) : 0;
    return () => clearTimeout(timer);
  }, [what]);
  return Boolean(what) && late === what;
}

const WHY = { offline: "offline_stop", pit: "waits_for_pit" };

function Lock({ now }) {
  const why = stakesShut.value;
  if (why)
    return html`<${Big} kind="shut" picture="lock" label=${w("stakes_shut")} sub=${w(WHY[why] ?? `jackpot_${why}`)} />`;
  const { boxes, coins, hasJackpot } = game.laid(now, coinsShut.value);
  const count = w(boxes === 1 ? "boxes_one" : "boxes_many", { count: boxes });
  const sub = hasJackpot
    ? `${count} · ${coins ? w("with_jackpot", { count: coins }) : w("without_jackpot")}`
    : count;
  return html`<${Big} kind="lock" picture="lock" label=${w("no_more_bets")} sub=${sub} act=${flow.lock} rests />`;
}

function Finish({ now }) {
  const { boxes, cards, other } = game.missing(now);
  if (boxes.length) {
    const label = w(boxes.length === 1 ? "boxes_left_one" : "boxes_left_many", {
      count: boxes.length,
    });
    return html`<${Big} kind="left" label=${label} sub=${w(boxes.length === 1 ? "box_missing" : "boxes_missing", { list: boxes.join(", ") })} act=${() => show({ ...draft.value, current: boxes[0] })} />`;
  }
  if (cards.length)
    return html`<${Big} kind="left" picture="cards" label=${w("cards_missing")} sub=${namesOf(cards)} act=${flow.finish} rests />`;
  if (other) return html`<${Big} kind="left" label=${other.label} sub=${other.sub} />`;
  if (isRoyalOpen(now))
    return html`<${Big} kind="left" label=${w("royal_open")} sub=${w("royal_which")} act=${flow.finish} rests />`;
  const every = Object.values(game.payouts(now));
  const ofHouse = (part) => signed(-every.reduce((sum, one) => sum + one[part], 0));
  const told = { amount: ofHouse("net"), game: ofHouse("game"), prizes: ofHouse("prize") };
  const house = w(every.some((one) => one.prize) ? "house_parts" : "house_net", told);
  const sub = every.some((one) => one.meter) ? `${house} · ${w("claims_jackpot")}` : house;
  return html`<${Big} kind="finish" picture="ok" label=${w(now.mode !== "correct" ? "finish" : aloneFor.value ? "book_correction" : "ask_pit")} sub=${sub} act=${flow.finish} rests />`;
}
