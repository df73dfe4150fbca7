// What a hand came to: each pot, the fee out of it, who gets how much, and why.
import { amount, html, w } from "tablet/frame/words";
import { oddOfHalves } from "tablet/poker/money/share";
import { rakeWords } from "tablet/poker/reasons";
import { cardsOf, carriedOf, carriesOf, isPassed, readOf, variantOf } from "tablet/poker/pots/deal";
import { Shown } from "tablet/poker/pots/cards";
import { potName } from "tablet/poker/pots/grid";

export function Result({ now }) {
  const { result, chairs } = readOf(now);
  if (!result?.nets) return null;
  if (isPassed(now)) return html`<${Passed} now=${now} stacks=${result.stacks} />`;
  const total = result.pots.reduce((sum, pot) => sum + pot.amount_minor, 0);
  const back = result.uncalled;
  const { doors } = variantOf(now);
  const orderOf = ({ length }) => {
    if (length > 1) return "odd_chips";
    return doors ? "odd_chip_dealer" : "odd_chip";
  };
  return html`
    <section class="result" tabindex="0">
      <h2>${w("hand_number", { number: now.number })}</h2>
      <table><thead><tr><th>${w("pot_column")}</th><th class="figure">${w("pot_in")}</th>
        <th class="figure">${w("rake")}</th><th>${w("pot_gets")}</th><th class="figure">
        ${w("pot_each")}</th><th>${w("pot_why")}</th></tr></thead>
      <tbody>${result.pots.map((pot, at) => Pot(pot, at, result, orderOf))}
        <tr class="total"><th>${w("pot_sum")}</th><td class="figure">${amount(total)}</td>
          <td class="figure">${amount(result.rake?.minor ?? 0)}</td><td></td><td></td>
          <td>${result.rake && rakeWords(result.rake)}</td></tr></tbody></table>
      ${
        back &&
        html`<p>${w("goes_back", { seat: back.seat, amount: amount(back.amount_minor) })}</p>`
      }
      ${Shows(now, chairs)}
      ${Stacks(result.stacks)}
    </section>`;
}

const Stacks = (stacks) =>
  html`<p class="stacks">${Object.entries(stacks).map(
    ([seat, minor]) => html`<span key=${seat}><b>${seat}</b> ${amount(minor)}</span>`,
  )}</p>`;

// A hand without a winner.
const Passed = ({ now, stacks }) =>
  html`
    <section class="result" tabindex="0">
      <h2>${w("hand_number", { number: now.number })}</h2>
      <p data-result="passed"><b>${w("all_pass")}</b> ${w("carried_on", {
        amount: amount(carriedOf(now) + carriesOf(now)),
      })} POK-4</p>
      ${Stacks(stacks)}
    </section>`;

// The board, and each hand that was shown.
function Shows(now, chairs) {
  const { board, hands } = cardsOf(now);
  const shown = chairs.filter(({ seat }) => hands[seat]);
  if (!shown.length) return null;
  return html`<p class="shows">${board.length > 0 && html`<span>${Shown(board)}</span>`}${shown.map(
    ({ seat }) => html`<span key=${seat}>${Shown(hands[seat])} ${w("seat", { seat })}</span>`,
  )}</p>`;
}

function Pot(pot, at, { seats }, orderOf) {
  const halves = oddOfHalves(pot.shares);
  const ofHalves = ({ half, seat }) =>
    half === "high" && seat === halves?.seat ? halves.minor : 0;
  const odd = pot.shares
    .filter((share) => share.odd_minor > ofHalves(share))
    .map(({ seat }) => seat);
  const oddWords = [
    odd.length && w(orderOf(odd), { list: odd.join(", ") }),
    halves && w("odd_half", { seat: halves.seat }),
  ].filter(Boolean);
  const why = oddWords.length
    ? `${oddWords.join(" ")} POK-7`
    : seats[at].length === 1
      ? `${w("alone_in_pot")} POK-6`
      : at
        ? `${w("side_pot_why", { list: seats[at].join(", ") })} POK-6`
        : pot.shares.length > 1
          ? `${w("equal_parts")} POK-7`
          : "";
  return html`
    <tr key=${at} data-result=${at}><th>${potName(at)}</th>
      <td class="figure">${amount(pot.amount_minor)}</td>
      <td class="figure">${amount(pot.rake_minor)}</td>
      <td>${pot.shares.map(
        (share) =>
          html`<p key=${share.half + share.seat}>
        ${w(`seat_${share.half}`, { seat: share.seat })}</p>`,
      )}</td>
      <td class="figure won">${pot.shares.map(
        (share) => html`<p key=${share.half + share.seat}>${amount(share.amount_minor)}</p>`,
      )}</td><td>${why}</td></tr>`;
}
