// What becomes of every stake of a round of Black Jack: the page's copy of the server's settlement (BJ-3 to BJ-9), in whole minor units,
// so that it stands on each hand before a chip moves. The server's own lines are what is booked.
import { hasEvenMoney, lyingOn } from "tablet/blackjack/later";
import { handOfKind } from "tablet/blackjack/unplaced";
import { bankOf, handAt } from "tablet/blackjack/ends";
import { rules } from "tablet/blackjack/table";

const EVEN = [1, 1];
const [BLACKJACK, INSURANCE] = [
  [3, 2],
  [2, 1],
];

const times = (minor, [pays, per]) => Math.floor((minor * pays) / per);
const paid = (stake, odds, code) => ({
  returned: stake.minor,
  won: times(stake.minor, odds),
  odds: odds.join(":"),
  code: `blackjack.${code}`,
});
const back = (stake, code) => ({ returned: stake.minor, won: 0, code: `blackjack.${code}` });
const gone = (code) => ({ returned: 0, won: 0, code: `blackjack.${code}` });

// The lines of one box, a line for each stake, in the order in which they were placed.
export function linesOf(draft, box) {
  return lyingOn(draft, box).map((stake) => {
    const end = settled(draft, stake);
    const laid = stake.minor;
    const basic = { prize: 0, odds: "", hand: "", waits: false, meter: false, stake: laid, laid };
    return {
      ...basic,
      box,
      guest: stake.guest,
      kind: stake.kind,
      ...end,
      paid: end.returned + end.won,
    };
  });
}

function settled(draft, stake) {
  const bank = bankOf(draft);
  const hand = handOfKind(stake.kind);
  if (!hand) return beside(stake, bank);
  const { result, doubled } = handAt(draft, stake.box, hand);
  const ends = doubled && isDoubled(draft, stake, hand, result) ? doubled : result;
  if (ends === "win") return paid(stake, EVEN, "won");
  if (ends === "blackjack") {
    if (hasEvenMoney(draft, stake.box, stake.guest)) return paid(stake, EVEN, "even_money");
    return bank === "blackjack"
      ? back(stake, "blackjack_push")
      : paid(stake, BLACKJACK, "blackjack_won");
  }
  if (ends === "push") return back(stake, "push");
  if (ends === "bust") return gone("bust");
  if (bank !== "blackjack") return gone("lost");
  const isFree = rules.bank_takes === "original" && stake.kind !== "stake";
  return isFree ? back(stake, "original_only") : gone("bank_blackjack");
}

// What doubles a stake ends with it, whoever brought it: the payer's own stake is another one (BJ-6). A Black Jack ends so only for who
// doubled their own (BJ-5).
const isDoubled = (draft, { box, guest, kind }, hand, result) =>
  kind === `double_${hand}` ||
  draft.placed.some(
    (one) =>
      one.box === box &&
      one.kind === `double_${hand}` &&
      one.source === guest &&
      (result !== "blackjack" || one.guest === guest),
  );

function beside(stake, bank) {
  if (stake.kind === "even_money") return gone("even_money_chosen");
  return bank === "blackjack" ? paid(stake, INSURANCE, "insurance_won") : gone("insurance_lost");
}
