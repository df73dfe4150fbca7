// What becomes of every stake of a round of Ultimate Texas Hold'em: the page's copy of the server's settlement, in whole minor units,
// so that the payout stands there before a chip moves, also without a network. The server's own lines are what is booked.
import { HANDS } from "tablet/frame/ranks";

const won = (rules, stake, [pays, per]) => {
  const unit = per * rules.round_to;
  const share = (stake * pays) / unit;
  return (rules.round_up ? Math.ceil(share) : Math.floor(share)) * rules.round_to;
};

// `boxes`: box, guest, ante, trips, coin, blind (the Play multiple placed at the start). `outcomes`: by box play, result, hand, on_board.
export function settle(rules, boxes, outcomes, noPair) {
  const lines = [];
  const add = (box, kind, stake, back, more = {}) =>
    lines.push({
      box: box.box,
      kind,
      stake,
      returned: back,
      won: 0,
      prize: 0,
      odds: "",
      hand: "",
      ...more,
    });
  for (const box of boxes) {
    const outcome = outcomes[box.box];
    if (outcome.result === "fold") {
      add(box, "ante", box.ante, 0, { code: "uth.ante_folded" });
      add(box, "blind", box.ante, 0, { code: "uth.blind_folded" });
    } else compared(rules, box, outcome, noPair, add);
    if (box.trips) trips(rules, box, outcome, add);
  }
  return rules.progressive ? [...lines, ...coins(rules, boxes, outcomes)] : lines;
}

function compared(rules, box, { play, result, hand }, noPair, add) {
  const placed = play * box.ante;
  if (result === "win") {
    add(
      box,
      "ante",
      box.ante,
      box.ante,
      noPair ? { code: "uth.ante_no_pair" } : { won: box.ante, odds: "1:1", code: "uth.ante_won" },
    );
    const odds = rules.blind[hand];
    const blind = odds
      ? { won: won(rules, box.ante, odds), odds: odds.join(":"), hand, code: "uth.blind_won" }
      : { code: "uth.blind_back" };
    add(box, "blind", box.ante, box.ante, blind);
    if (placed)
      add(box, "play", placed, placed, { won: placed, odds: "1:1", code: "uth.play_won" });
  } else if (result === "tie") {
    for (const [kind, stake] of [
      ["ante", box.ante],
      ["blind", box.ante],
      ["play", placed],
    ])
      if (stake) add(box, kind, stake, stake, { code: `uth.${kind}_tie` });
  } else {
    add(box, "ante", box.ante, noPair ? box.ante : 0, {
      code: noPair ? "uth.ante_no_pair" : "uth.ante_lost",
    });
    add(box, "blind", box.ante, 0, { code: "uth.blind_lost" });
    if (placed) add(box, "play", placed, 0, { code: "uth.play_lost" });
  }
}

function trips(rules, box, { result, hand = "" }, add) {
  const odds = rules.trips[hand];
  if (result === "fold" && !rules.survive)
    add(box, "trips", box.trips, 0, { code: "uth.trips_folded" });
  else if (!odds) add(box, "trips", box.trips, 0, { hand, code: "uth.trips_lost" });
  else
    add(box, "trips", box.trips, box.trips, {
      won: won(rules, box.trips, odds),
      odds: odds.join(":"),
      hand,
      code: "uth.trips_won",
    });
}

// The progressive
const isRoyal = (made) => made?.hand === "royal_flush";

// The highest prize of a hand: a whole meter (amount null) is above any amount.
export function prizeOf(progressive, made) {
  const fits = progressive.prizes.filter(
    (one) => one.hand === made.hand && !(one.hole && made.on_board),
  );
  return fits.sort((a, b) => (b.amount ?? Infinity) - (a.amount ?? Infinity))[0];
}

// `boxes` may hold some without stakes but with an outcome: whose royal flush pays the others Envy.
export function coins(rules, boxes, outcomes) {
  const { progressive } = rules;
  const seats = boxes.map((box) => {
    const { result, hand, on_board } = outcomes[box.box] ?? {};
    const live = result !== "fold" || rules.survive;
    return { ...box, live, made: hand && live ? { hand, on_board: Boolean(on_board) } : null };
  });
  const shares = progressive.shared
    ? seats.filter((one) => one.coin && isRoyal(one.made) && one.made.on_board).length || 1
    : 1;
  const lines = seats.filter((one) => one.coin).map((one) => coin(progressive, one, shares));
  return [...lines, ...envy(progressive, seats)];
}

function coin(progressive, { box, live, made }, shares) {
  const line = {
    box,
    kind: "coin",
    stake: progressive.coin,
    returned: 0,
    won: 0,
    prize: 0,
    odds: "",
    hand: made?.hand ?? "",
  };
  if (!made) return { ...line, code: live ? "prg.coin_lost" : "prg.coin_folded" };
  const prize = prizeOf(progressive, made);
  if (!prize) return { ...line, code: "prg.coin_lost" };
  if (prize.amount === null) return { ...line, code: "prg.claim", meter: true };
  if (!isRoyal(made) || !made.on_board) return { ...line, prize: prize.amount, code: "prg.prize" };
  const each =
    shares > 1
      ? Math.floor(prize.amount / shares / progressive.unit) * progressive.unit
      : prize.amount;
  return { ...line, prize: each, code: "prg.community_royal" };
}

function envy(progressive, seats) {
  if (!progressive.envy) return [];
  const own = seats.filter((one) => isRoyal(one.made) && !one.made.on_board);
  const board = progressive.envy_board
    ? seats.filter((one) => isRoyal(one.made) && one.made.on_board).slice(-1)
    : [];
  const isPaid = (royal, seat) =>
    royal.made.on_board ||
    (progressive.envy_box ? seat.box !== royal.box : seat.guest !== royal.guest);
  const line = {
    kind: "envy",
    stake: 0,
    returned: 0,
    won: 0,
    prize: progressive.envy,
    odds: "",
    hand: "",
    code: "prg.envy",
  };
  return [...own, ...board].flatMap((royal) =>
    seats
      .filter((one) => one.coin && one.live && isPaid(royal, one))
      .map(({ box }) => ({ ...line, box })),
  );
}

export const atLeast = (hand, other) => HANDS.indexOf(hand) >= HANDS.indexOf(other);
