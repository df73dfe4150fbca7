// What is opened over the boxes: amounts by keypad, why a box is paid so, a dispute, Royal, a void round.
import { page } from "tablet/frame/page";
import { amount, decimal, hasCents, html, icon, money, signed, typed, w } from "tablet/frame/words";
import { draft, isCalled, take } from "tablet/round/state";
import { royal, voidRound } from "tablet/round/flow";
import { standing } from "tablet/frame/live";
import { Irregular } from "tablet/round/irregular";
import { Acts, Drawer } from "tablet/round/drawer";
import { Cards, areWanted, openCards } from "tablet/round/cards-sheet";
import * as game from "tablet/game";
import { sheet, working } from "tablet/frame/screen";
import { isOnItsWay } from "tablet/frame/commands";
import { Cash } from "tablet/frame/cash-sheet";
import { Call } from "tablet/frame/calls";
import { Framed } from "tablet/frame/keys";

export function Sheet({ open, now }) {
  const Part = {
    pad: Pad,
    box: Drawer,
    acts: Acts,
    why: Why,
    dispute: Dispute,
    royal: Royal,
    void: Void,
    irregular: Irregular,
    call: Call,
    cards: Cards,
    help: Help,
    cash: Cash,
    changed: Changed,
  }[open.name];
  return html`<${Part} open=${open} now=${now} />`;
}

const close = () => {
  sheet.value = null;
};

// An amount that no key has
function Pad({ open, now }) {
  const keys = game.chips(now);
  if (!keys) return null; // what it was opened for is gone
  const { title, sub, limits } = keys;
  const minor = typed(open.text);
  const wrong = minor === null ? null : game.wrongAmount(now, minor);
  const key = (sign) => () => {
    sheet.value = { ...open, text: (open.text + sign).slice(0, 9) };
  };
  const done = () => {
    take(game.tapChip(draft.value, minor));
    close();
  };
  return html`
    <${Framed} title=${`${title} · ${sub}`}>
      <div class="pad-place">
        <output class=${wrong ? "wrong" : ""}>${open.text || amount(limits.minimum)}</output>
        <p class="help" role="status">${wrong ? html`<b>${wrong.title}</b> ${wrong.help}` : w("limits", { low: money(limits.minimum), high: money(limits.maximum), step: money(limits.step) })}</p>
        <div class="numbers">
          ${[..."123456789"].map((sign) => html`<button type="button" key=${sign} onClick=${key(sign)}>${sign}</button>`)}
          ${hasCents ? html`<button type="button" onClick=${key(decimal)}>${decimal}</button>` : html`<span></span>`}
          <button type="button" onClick=${key("0")}>0</button>
          <button type="button" aria-label=${w("delete")} onClick=${() => {
            sheet.value = { ...open, text: open.text.slice(0, -1) };
          }}>${icon("undo", 30)}</button>
        </div>
        <button type="button" class="do large" disabled=${minor === null || Boolean(wrong)} onClick=${done}>${w("take_amount")}</button>
      </div>
    <//>`;
}

// How it goes
const JACKPOT = page.game.progressive ? ["jackpot"] : [];
const COUNT = page.counts ? ["count"] : [];
const HELP = [...game.HELP, "cash", "mistake", ...JACKPOT, ...COUNT, "offline", "floor"];
const HELP_PICTURES = {
  cash: "coins",
  count: "chip",
  mistake: "undo",
  jackpot: "lock",
  offline: "offline",
  floor: "bell",
};

function Help() {
  return html`
    <${Framed} title=${w("help")} reads>
      <dl class="help-list">${HELP.map(
        (name) =>
          html`
        <div key=${name}><dt>${HELP_PICTURES[name] && icon(HELP_PICTURES[name], 22)}${w(`help_${name}`)}</dt><dd>${w(`help_${name}_words`)}</dd></div>`,
      )}</dl>
    <//>`;
}

// Why a box is paid so
function Why({ open: { box }, now }) {
  const paid = game.payouts(now)[box];
  if (!paid) return null;
  return html`<${Framed} title=${w("box_paid", { box })} reads><${Lines} paid=${paid} there=${now.seats[box]} /><//>`;
}

function Lines({ paid, there }) {
  const isShared = game.guestsAt(there).length > 1;
  const all = (part) => paid.lines.reduce((sum, line) => sum + line[part], 0);
  return html`
    <table class="why">
      <thead><tr><th>${w("stake")}</th><th class="figure">${w("laid")}</th><th class="figure">${w("paid_out")}</th><th class="figure">${w("gets")}</th><th>${w("because")}</th></tr></thead>
      <tbody>${paid.lines.map((line, place) => html`<${WhyLine} key=${place} line=${line} whose=${isShared && numberOf(line.guest)} />`)}</tbody>
      <tfoot><tr><th scope="row">${w("together")}</th><td class="figure">${amount(all("laid"))}</td><td class="figure">${amount(all("paid"))}</td><td class="figure">${signed(paid.net)}</td><td>${paid.lines.some(isTaken) && w("taken_before")} ${paid.lines.some((line) => line.waits) && w("waits_help")}</td></tr></tfoot>
    </table>`;
}

const isTaken = (line) => line.stake > line.laid; // it went into the jackpot when bets were locked
const numberOf = (guest) => standing.value.guests.find((one) => one.id === guest)?.number;

// `whose`: the number of the guest, on a box that several stake on.
function WhyLine({ line, whose }) {
  const reason = game.reason(line);
  const values = {
    odds: line.odds,
    hand: game.handWithin(line.hand),
    prize_minor: money(line.prize),
  };
  const words = reason.words.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
  const name = [game.partWords(line.kind), isTaken(line) && amount(line.stake)]
    .filter(Boolean)
    .join(" ");
  const later = line.meter
    ? w("jackpot")
    : line.waits
      ? w("waits", { part: amount(line.prize) })
      : "";
  const gain = line.won || line.prize || line.meter ? "gain" : "";
  return html`
    <tr><th scope="row">${whose && html`${w("guest", { number: whose })} · `}${name}</th><td class="figure">${line.laid ? amount(line.laid) : "–"}</td>
      <td class="figure ${gain}">${later ? html`<small>${later}</small>` : amount(line.paid)}</td><td class="figure">${later ? "–" : signed(line.paid - line.laid)}</td>
      <td>${words} <span class="rule">${reason.rule}</span></td></tr>`;
}

// A settled round that the floor has put right
// What every box gets now and got before, and the lines of those where that is not the same. There is nothing to do but to look.
function Changed({ open: { number, before, after } }) {
  const [was, is] = [game.payouts(before), game.payouts(after)];
  const figures = (box) =>
    was[box]
      ? [was[box].net, is[box].net, is[box].net - was[box].net].map(signed)
      : ["–", signed(is[box].net), "–"];
  const others = Object.keys(is).filter(
    (box) => JSON.stringify(was[box]) !== JSON.stringify(is[box]),
  );
  return html`
    <${Framed} title=${w("changed_elsewhere", { number })} reads>
      <table class="why">
        <thead><tr><th>${w("box_word")}</th>${["before", "now", "difference"].map((name) => html`<th key=${name} class="figure">${w(name)}</th>`)}</tr></thead>
        <tbody>${Object.keys(is).map((box) => html`<tr key=${box}><th scope="row">${box}</th>${figures(box).map((one, place) => html`<td key=${place} class="figure">${one}</td>`)}</tr>`)}</tbody>
      </table>
      ${others.map((box) => html`<section key=${box}><h3>${w("box_paid", { box })}</h3><${Lines} paid=${is[box]} there=${after.seats[box]} /></section>`)}
    <//>`;
}

// A dispute, Royal, a misdeal
function Dispute({ now }) {
  const isSo = Boolean(now.flags.dispute);
  const turn = (dispute) => {
    take({
      draft: { ...draft.value, flags: { ...draft.value.flags, dispute } },
      step: w("dispute"),
    });
    if (dispute) openCards();
    else close();
  };
  const wanted = game.cardGroups(now).length > 0;
  return html`
    <${Framed} title=${w("cards_dispute")}>
      <div class="choices">
        <p>${w("dispute_help")}</p>
        <div class="row">
          <button type="button" class="do" onClick=${() => turn(!isSo)}>${w(isSo ? "dispute_over" : "dispute_all")}</button>
          ${wanted && html`<button type="button" class="do" onClick=${openCards}>${icon("cards")}${w("cards_enter")}</button>`}
        </div>
        <h3>${w("irregular")}</h3>
        <p>${w(now.offline ? "irregular_later" : "irregular_help")}</p>
        <div class="row"><button type="button" class="do" disabled=${now.offline} onClick=${() => {
          sheet.value = { name: "irregular" };
        }}>${icon("warn")}${w("irregular_do")}</button></div>
      </div>
    <//>`;
}

function Royal({ now }) {
  if (isCalled(now)) return html`<${Whose} now=${now} />`;
  return html`
    <${Framed} title=${w("royal")}>
      <div class="choices"><p>${w("royal_help")}</p>
        <div class="row"><button type="button" class="do large royal" disabled=${isOnItsWay("call")} onClick=${royal}>${w("royal_do")}</button></div>
      </div>
    <//>`;
}

// *Royal!* was called: the box that has it, or that none does. A tap on the box that was named takes its name back.
function Whose({ now }) {
  const keys = game.royalKeys(now);
  const say = (next, falseAlarm) => {
    take({ ...next, draft: { ...next.draft, falseAlarm } });
    if (!falseAlarm && areWanted(draft.value)) openCards();
    else close();
  };
  const isNone = Boolean(now.falseAlarm);
  return html`
    <${Framed} title=${w("royal_open")}>
      <div class="choices"><p>${w(keys.length ? "royal_whose" : "royal_cards_say")}</p>
        <div class="row">
          ${keys.map(
            ({ box, sub, gold, on }) =>
              html`
            <button type="button" class="do whose ${gold ? "royal" : ""}" key=${box} data-box=${box} aria-pressed=${String(on)} onClick=${() => say(game.tapRoyal(draft.value, box), false)}><b>${w("box", { box })}</b><small>${sub}</small></button>`,
          )}
          ${!keys.length && game.cardGroups(now).length > 0 && html`<button type="button" class="do" onClick=${openCards}>${icon("cards")}${w("cards_enter")}</button>`}
        </div>
        ${
          !game.royals(now).length &&
          html`
          <p>${w("false_alarm_help")}</p>
          <div class="row"><button type="button" class="do" data-false-alarm aria-pressed=${String(isNone)} onClick=${() => say({ draft: draft.value, step: w("undo_false_alarm") }, !isNone)}>${w("false_alarm")}</button></div>`
        }
      </div>
    <//>`;
}

const REASONS = ["misdeal", "cards_exposed", "deck_wrong", "technical"];

function Void() {
  return html`
    <${Framed} title=${w("void")}>
      <div class="choices"><p>${w("void_help")}</p>
        <div class="row">${REASONS.map((reason) => html`<button type="button" class="do" key=${reason} disabled=${Boolean(working.value)} onClick=${() => voidRound(w(`void_${reason}`))}>${w(`void_${reason}`)}</button>`)}</div>
      </div>
    <//>`;
}
