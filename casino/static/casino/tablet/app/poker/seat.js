// What is done at a seat: a guest buys in, tops up, tips, pauses, moves, leaves (POK-2). What is
// chosen lies in the sheet; the large key says what it does, and where the chips come from.
import { page } from "tablet/frame/page";
import { amount, html, icon, money, time, typed, w } from "tablet/frame/words";
import { Big, Framed, Numbers } from "tablet/frame/keys";
import { sheet } from "tablet/frame/screen";
import { draft, isDealt, show, stayAt } from "tablet/hand/state";
import { turn } from "tablet/hand/flow";
import { beginStay, ofStay, waitsFor } from "tablet/hand/commands";
import { guestWords } from "tablet/hand/columns";
import { Leave, leaving } from "tablet/poker/goes";
import { Elsewhere, Move, askElsewhere, moving, movingElsewhere } from "tablet/poker/moves";
import { owedOf } from "tablet/poker/time";

const { chip, least, most, given } = page.game;
const isPots = page.standing.entry_level === "pots";
const BOUGHT = ["cash", "chips"];

// Presets: the least, the middle, the most; without a most, some times the least.
const middle = most && Math.floor((least + most) / 2 / chip) * chip;
const BUYS = [...new Set(most ? [least, middle, most] : [least, 2 * least, 4 * least])];
const TIPS = [1, 2, 5, 10].map((times) => times * chip);

const put = (more) => {
  sheet.value = { ...sheet.value, ...more };
};

const wrongOf = {
  begin: (minor) => minor % chip || minor < least || (most && minor > most),
  top_up: (minor) => minor % chip || minor < chip || (most && minor > most),
  tip: (minor) => minor % chip || minor < chip,
};
export const minorOf = ({ minor, text }) => (text ? typed(text) : (minor ?? null));

export function SeatSheet({ open, now }) {
  const stay = stayAt(open.seat);
  if (!stay) return html`<${Begin} open=${open} now=${now} />`;
  const Part = { tip: Tip, move: Move, elsewhere: Elsewhere, leave: Leave }[open.part] ?? Stay;
  return html`<${Part} open=${open} now=${now} stay=${stay} />`;
}

function Begin({ open, now }) {
  return html`
    <${Framed} title=${`${w("seat", open)} · ${w("buy_in")}`}>
      <${Amount} open=${open} act="begin" keys=${BUYS} help=${range("begin")} />
      <${Means} list=${BOUGHT} of="bought" now=${now} />
    <//>`;
}

const range = (act) =>
  most
    ? w(act === "begin" ? "buy_range" : "top_up_range", {
        low: money(least),
        high: money(most),
        step: money(chip),
      })
    : w(act === "begin" ? "buy_from" : "top_up_from", { low: money(least), step: money(chip) });

// Preset keys, and those of a pad where none is right. What is typed counts before what is chosen.
export function Amount({ open, act, keys, name, help }) {
  const minor = minorOf(open);
  const isWrong = minor !== null && wrongOf[act](minor);
  return html`
    <div class="amounts">
      <p class="help ${isWrong ? "wrong" : ""}" role="status">
        ${name && html`<b>${name}</b> `}${help}</p>
      <div class="row">
        ${keys.map(
          (one) =>
            html`<button type="button" class="do figure" key=${one}
          data-minor=${one} aria-pressed=${String(minor === one && !open.pad)}
          onClick=${() => put({ minor: one, text: "", pad: false })}>${amount(one)}</button>`,
        )}
        <button type="button" class="do" data-pad aria-pressed=${String(Boolean(open.pad))}
          onClick=${() => put({ pad: true, text: "", minor: null })}>${w("other")}</button>
      </div>
      ${
        open.pad &&
        html`<output class=${isWrong ? "wrong" : ""}>${open.text || amount(0)}</output>
        <${Numbers} open=${open} />`
      }
    </div>`;
}

const ICONS = { cash: "coins", chips: "chip", stack: "chip" };

function Means({ list, of, now }) {
  const choose = (one) => show({ ...draft.value, means: { ...draft.value.means, [of]: one } });
  return html`
    <div class="row means" role="group" aria-label=${w("means")}>
      ${list.map(
        (one) =>
          html`<button type="button" class="do" key=${one} data-means=${one}
        aria-pressed=${String(now.means[of] === one)} onClick=${() => choose(one)}>
        ${icon(ICONS[one])}${w(`means_${one}`)}</button>`,
      )}
    </div>`;
}

function Stay({ open, now, stay }) {
  const isAway = stay.state === "away";
  const isNew = stay.id.startsWith("new-");
  const since = time(Date.parse(stay.began_at)).slice(0, 5);
  const go = (part) => {
    if (part === "move") askElsewhere();
    put({
      part,
      minor: null,
      text: "",
      pad: part === "leave",
      back: { name: "seat", seat: open.seat, box: open.seat },
    });
  };
  return html`
    <${Framed} title=${`${w("seat", open)} · ${guestWords(stay)}`}>
      <div class="facts"><dl>
        <div><dt>${w("bought")}</dt><dd>${amount(stay.bought_minor)}</dd></div>
        ${isPots && html`<div><dt>${w("stack")}</dt><dd>${amount(stay.stack_minor)}</dd></div>`}
        <div><dt>${w("sits_since")}</dt><dd>${since}</dd></div>
        ${
          Boolean(page.game.half_hour) &&
          html`<div><dt>${w("time_charge")}</dt><dd>
          ${owedWords(stay)}</dd></div>`
        }
      </dl>${!isPots && html`<p>${w("no_stack")}</p>`}</div>
      <${Amount} open=${open} act="top_up" keys=${BUYS} name=${w("top_up")}
        help=${range("top_up")} />
      <${Means} list=${BOUGHT} of="bought" now=${now} />
      <div class="row acts">
        ${
          isPots &&
          (now.phase === "dealt" || now.mode !== "new") &&
          html`<button type="button" class="do" data-part="turn"
          aria-pressed=${String(isDealt(now, stay))} disabled=${isAway} onClick=${() => {
            sheet.value = null;
            turn(stay.id);
          }}>${icon("chip")}${w("dealt_in")}</button>`
        }
        <button type="button" class="do" data-part="tip" disabled=${isNew}
          onClick=${() => go("tip")}>${icon("coins")}${w("tip")}</button>
        <button type="button" class="do" data-part=${isAway ? "back" : "away"} disabled=${isNew}
          onClick=${() => ofStay(isAway ? "back" : "away", stay.id)}>${icon(
            isAway ? "refresh" : "clock",
          )}${w(isAway ? "plays_on" : "pause")}</button>
        <button type="button" class="do" data-part="move" disabled=${isNew}
          onClick=${() => go("move")}>${icon("next")}${w("move")}</button>
        <button type="button" class="do" data-part="leave" disabled=${isNew}
          onClick=${() => go("leave")}>${icon("out")}${w("leave")}</button>
      </div>
    <//>`;
}

const owedWords = (stay) => {
  const { minor, halves } = owedOf(stay);
  return halves ? w("time_owes", { amount: amount(minor) }) : w("time_paid_up");
};

function Tip({ open, now, stay }) {
  return html`
    <${Framed} title=${`${w("seat", open)} · ${guestWords(stay)} · ${w("tip")}`}>
      <${Amount} open=${open} act="tip" keys=${TIPS} help=${w("tip_help", { step: money(chip) })} />
      <${Means} list=${given} of="given" now=${now} />
    <//>`;
}

// The large key of a sheet: what it does, and where the chips come from.
export function SeatAction({ open, now }) {
  const stay = stayAt(open.seat); // none where they have just gone
  const { label, sub, act, missing } = (stay ? (ACTS[open.part] ?? topUp) : buyIn)(open, now, stay);
  if (missing) return html`<${Big} kind="left" label=${missing} sub=${sub ?? ""} />`;
  return html`<${Big} kind="finish" picture="ok" label=${label} sub=${sub} act=${act} />`;
}

const ACTS = { tip, move: moving, elsewhere: movingElsewhere, leave: leaving };
export const later = (act, stay) =>
  waitsFor({ act, of: [stay.id] }) ? ` · ${w("after_hand")}` : "";

function known(open, act) {
  const minor = minorOf(open);
  return minor === null || wrongOf[act](minor) ? null : minor;
}

const from = (means, minor) => w(`from_${means}`, { amount: amount(minor) });

function buyIn(open, { means: { bought: means } }) {
  const minor = known(open, "begin");
  if (minor === null) return { missing: w("how_much") };
  const act = () => beginStay({ seat: open.seat, amount_minor: minor, means });
  return { label: `${amount(minor)} ${w(`by_${means}`)}`, sub: from(means, minor), act };
}

function topUp(open, { means: { bought: means } }, stay) {
  const minor = known(open, "top_up");
  if (minor === null || stay.id.startsWith("new-")) return { missing: w("how_much") };
  const sub = from(means, minor) + later("top_up", stay);
  return {
    label: `+${amount(minor)} ${w(`by_${means}`)}`,
    sub,
    act: () => chips("top_up", stay, minor, means),
  };
}

function tip(open, { means: { given: means } }, stay) {
  const minor = known(open, "tip");
  if (minor === null) return { missing: w("how_much") };
  const sub = w(`from_${means}`, { amount: amount(minor) }) + later("tip", stay);
  return {
    label: w("tip_of", { amount: amount(minor) }),
    sub,
    act: () => chips("tip", stay, minor, means),
  };
}

const chips = (kind, { id }, minor, means) =>
  ofStay(kind, id, { kind, amount_minor: minor, means }, `stays/${id}/chips/`);
