// The keys under the streets: what is bet on this one, as the table's limit has it.
import { page } from "tablet/frame/page";
import { amount, html, w } from "tablet/frame/words";
import { sheet } from "tablet/frame/screen";
import { chairsOf, enteredOf, readOf, stageOf, toOf } from "tablet/poker/pots/deal";
import { bet, pick, streetName } from "tablet/poker/pots/taps";

const { game } = page;
const KEYS_MOST = 7;
const TIMES = [2, 3, 4, 5, 6, 8, 10];
const onChip = (minor) => Math.round(minor / game.chip) * game.chip;

// Amounts that are likely next, ascending: none below what is to be matched, or above every stack.
export function betsOf(now, read) {
  const at = stageOf(now);
  const to = toOf(now, at);
  const most = Math.max(0, ...chairsOf(now).map(({ stack }) => stack));
  const isFirst = !enteredOf(now).streets[at].amounts.length;
  const fits = (minor) =>
    minor > (isFirst && !at ? 0 : to) && minor <= most && minor % game.chip === 0;
  return [...new Set(limited(now, { at, to, read }).map(onChip))]
    .filter(fits)
    .sort((one, other) => one - other)
    .slice(0, KEYS_MOST);
}

function limited(now, { at, to, read }) {
  const unit = game.bet;
  if (game.limit === "split") {
    const bet_ = at + 1 >= game.big_from ? game.big_bet : game.small_bet;
    return [1, 2, 3, 4].map((times) => (to && at === 0 ? to : 0) + times * bet_);
  }
  if (game.limit === "spread") return [1, 2, 3, 4, 5].map((times) => to + times * game.least_bet);
  if (!at) return TIMES.map((times) => times * (to || unit));
  const pot = read.code ? 0 : read.pots.reduce((sum, one) => sum + one.amount_minor, 0);
  if (to) return [2, 2.5, 3, 4, 5].map((times) => to * times);
  return [...[2, 4, 6, 10].map((times) => times * unit), pot / 2, (pot * 3) / 4, pot];
}

export function Keys({ now }) {
  const read = readOf(now);
  const at = stageOf(now);
  const to = toOf(now, at);
  const bets = betsOf(now, read);
  return html`
    <div class="dock"><p class="named"><b>${streetName(now, at)}</b><span>${w("bet_to")}</span></p>
      ${bets.map(
        (minor) =>
          html`
        <button type="button" class="key figure" key=${minor} data-bet=${minor}
          aria-pressed=${String(minor === to)} onClick=${() => bet(minor)}><b>${amount(minor)}</b>
          </button>`,
      )}
      <button type="button" class="key" data-bet="all_in" key="all_in"
        aria-pressed=${String(now.picks === "all_in")} onClick=${() => pick("all_in")}>
        <b>${w("all_in_key")}</b><small>${w("tap_seat")}</small></button>
      <button type="button" class="key" data-opens="bet" key="other" onClick=${() => {
        sheet.value = { name: "bet", text: "" };
      }}><b>${w("other")}</b></button>
    </div>`;
}
