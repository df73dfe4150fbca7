// Ultimate Texas Hold'em on the tablet: what lies on a box, what is tapped when it is settled, what goes to the server.
//
// The frame asks these functions and knows nothing of the game (docs/ARCHITECTURE.md, "What a game says"). Each takes the draft of a
// round; those that change it give `{draft, step}`: the new draft, and the words of the step for the undo key.
import { page } from "tablet/page";
import { amount, money, signed, w } from "tablet/words";
import { change, coinsOnly, emptySeat, numbers } from "tablet/uth-seats";
import { RANKS, kickers, made, rankSign } from "tablet/ranks";
import { atLeast, coins, prizeOf, settle } from "tablet/uth-pay";

export { GUESTS_MOST, clear, drawer, guestsAt, named, owned, seat, without } from "tablet/uth-seats";

const rules = page.game;
const { progressive } = rules;
const HAND_KEYS = ["three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush"];
const inFull = (draft) => draft.level === "full_cards";
// While coins may not be placed a lock takes none (`withCoins`); what lies on a box stays as its habit.
const coinOf = (draft, box) => (draft.seats[box]?.coin && progressive && draft.withCoins !== false ? progressive.coin : 0);

// --- stakes -----------------------------------------------------------------------------------------------------------------
// The tiles of a box that plays. `shut`: no coin may be placed now.
export function tiles(draft, box, shut) {
  const there = draft.seats[box];
  const before = draft.before[box];
  const isNew = (part) => Boolean(before) && before[part] !== there[part];
  const of = (part, label, text, more) => ({ part, label, text, changed: isNew(part), on: draft.current === box && draft.part === part, ...more });
  const off = { text: w("off"), off: true };
  const found = [];
  if (!coinsOnly(draft)) {
    found.push(of("ante", there.blind ? w("ante_played_blind", { play: there.blind }) : w("ante_is_blind"), amount(there.ante), { main: true }));
    found.push(of("trips", w("trips"), there.trips ? amount(there.trips) : "", there.trips ? {} : off));
  }
  if (progressive) {
    const state = shut ? { shut: true, text: w("shut") } : there.coin ? { gold: true } : off;
    found.push(of("coin", w("jackpot"), amount(progressive.coin), state));
  }
  return found;
}

export function tapTile(draft, box, part) {
  const there = draft.seats[box];
  if (part === "coin") return change({ ...draft, part: null }, box, { ...there, coin: !there.coin }, w(there.coin ? "undo_coin_off" : "undo_coin_on", { box }));
  // On and off with one tap each, as the coin; any other amount by the keys below, which are for this tile then.
  if (part === "trips") return put({ ...draft, part }, box, "trips", there.trips ? 0 : rules.limits.trips.minimum);
  return { draft: { ...draft, current: box, part } };
}

function put(draft, box, part, minor) {
  const there = draft.seats[box];
  const told = { box, part: w(part), from: there[part] ? amount(there[part]) : w("off"), to: minor ? amount(minor) : w("off") };
  return change(draft, box, { ...there, [part]: minor }, w("undo_stake", told));
}

// The keys for the tile that is chosen: amounts, and "off" where the stake may be left out.
export function chips(draft) {
  const { current, part } = draft;
  const there = draft.seats[current];
  if (!there || !(part in rules.limits)) return null;
  const keys = rules.limits[part].chips.map((minor) => ({ id: minor, label: amount(minor), on: there[part] === minor }));
  if (part === "trips") keys.unshift({ id: 0, label: w("off"), on: !there.trips });
  return { title: w("box", { box: current }), sub: w(part), keys, limits: rules.limits[part] };
}

export const tapChip = (draft, minor) => put(draft, draft.current, draft.part, minor);

// Why an amount may not be entered: title and help, or null.
export function wrongAmount(draft, minor) {
  const { minimum, maximum, step } = rules.limits[draft.part];
  const range = { low: money(minimum), high: money(maximum), step: money(step) };
  if (minor > maximum) return { title: w("at_most", range), help: w("limits", range) };
  if (minor < minimum) return { title: w("at_least", range), help: w("limits", range) };
  const legal = [1, 2, 3].map((times) => minimum + times * step).filter((one) => one <= maximum);
  if (minor % step) return { title: w("in_steps", range), help: w("steps_such_as", { list: legal.map(amount).join(", ") }) };
  return null;
}

export function stakes(draft, withCoins = true) {
  return numbers(draft.seats).flatMap((box) => {
    const { guest, ante, trips, coin, blind } = draft.seats[box];
    const coinMinor = coin && withCoins && progressive ? progressive.coin : 0;
    const amounts = coinsOnly(draft) ? { coin: coinMinor } : { ante, blind: ante, trips, play: blind * ante, coin: coinMinor };
    return Object.entries(amounts).filter(([, minor]) => minor).map(([kind, amount_minor]) => ({ box, guest, kind, amount_minor }));
  });
}

export function seatsOf(list) {
  const seats = {};
  for (const { box, guest, kind, amount_minor: minor } of list) {
    seats[box] ??= emptySeat(guest);
    if (seats[box].guest !== guest) continue; // nobody shares a box here: what another one has there is not this guest's
    if (kind === "coin") seats[box].coin = true;
    else if (kind === "play") seats[box].play = minor;
    else if (kind !== "blind") seats[box][kind] = minor;
  }
  for (const box of numbers(seats)) {
    const { play = 0, ante, guest } = seats[box];
    delete seats[box].play;
    seats[box].blind = play / ante;
    if (play) seats[box].owner = numbers(seats).find((other) => other !== box && seats[other].guest === guest);
  }
  return seats;
}

export function laid(draft, shut) {
  const every = Object.values(draft.seats);
  const withCoin = shut ? 0 : every.filter((one) => one.coin && progressive).length;
  return { boxes: coinsOnly(draft) ? withCoin : every.length, coins: withCoin, hasJackpot: Boolean(progressive) };
}

// What lies on a box, in short: "50 · T10 · JP".
export function inShort(draft, box) {
  const { ante, trips, coin, blind } = draft.seats[box];
  const parts = coinsOnly(draft) ? [] : [amount(ante), trips && `T${amount(trips)}`, blind && w("blind_short", { play: blind })];
  return [...parts, coinOf(draft, box) && w("jp")].filter(Boolean).join(" · ");
}

// --- the result ---------------------------------------------------------------------------------------------------------------
const outcome = (draft, box) => draft.results[box] ?? {};
const enter = (draft, box, more, step) => ({ draft: { ...draft, results: { ...draft.results, [box]: { ...outcome(draft, box), ...more } }, current: box }, step });

// Rows of keys for a box: `id` is tapped, `sign` says how it ends.
export function cells(draft, box) {
  if (coinsOnly(draft)) return [];
  const { play, result } = outcome(draft, box);
  const { blind } = draft.seats[box];
  const plays = rules.no_play === "showdown" ? [...rules.plays, 0] : rules.plays;
  const key = (times, ends) => ({
    id: `${times}:${ends}`, label: `${times}×`, sign: ends, on: play === times && (inFull(draft) || result === ends || result === "tie") ? result ?? "on" : "",
    disabled: Boolean(blind) && blind !== times, name: inFull(draft) ? `${times}×` : w(ends === "win" ? "times_wins" : "times_loses", { play: times }),
  });
  const rows = plays.map((times) => (inFull(draft) ? [key(times, "")] : [key(times, "lose"), key(times, "win")]));
  const fold = { id: "0:fold", label: w("fold"), name: w("fold"), said: true, on: result === "fold" ? "fold" : "", disabled: Boolean(blind) };
  return rules.no_play === "fold" ? [...rows, [fold]] : rows;
}

export function tapCell(draft, box, id) {
  const [times, ends] = id.split(":");
  const play = Number(times);
  const words = ends === "fold" ? w("fold") : ends ? w(ends === "win" ? "times_wins" : "times_loses", { play }) : `${play}×`;
  return enter(draft, box, { play, result: ends || null }, w("undo_cell", { box, words }));
}

export function handKeys(draft) {
  const box = draft.current;
  if (!box || inFull(draft) || !(draft.seats[box] || takesOthers(draft))) return null;
  const { result, hand } = outcome(draft, box);
  const coin = coinOf(draft, box) > 0;
  const found = draft.seats[box] ? HAND_KEYS : ["royal_flush"];
  const keys = found.filter((one) => (progressive && prizeOf(progressive, { hand: one })) || (!coinsOnly(draft) && (rules.blind[one] || rules.trips[one])))
    .map((one) => ({ id: one, label: rules.hands[one], sub: coin ? prizeOfHand(one) : "", gold: coin && Boolean(prizeOfHand(one)), on: hand === one }));
  const noTie = result === "fold" ? w("fold") : result ? "" : w("result_first");
  if (!coinsOnly(draft)) keys.unshift({ id: "tie", label: w("tie"), sub: noTie, on: result === "tie", disabled: Boolean(noTie) });
  return { title: w("box", { box }), sub: w(coinsOnly(draft) ? "hand" : "hand_or_result"), keys };
}

export const hint = (draft) => w(coinsOnly(draft) ? "hint_box" : inFull(draft) ? "hint_play" : "hint_result");

// With coins alone a royal flush in a box without one is entered, too, and its guest: it pays the coins Envy (PRG-6).
export const takesOthers = (draft) => coinsOnly(draft) && Boolean(progressive?.envy);
export const handOf = (draft, box) => rules.hands[outcome(draft, box).hand] ?? "";

function prizeOfHand(hand) {
  const prize = progressive && prizeOf(progressive, { hand });
  if (!prize) return "";
  return prize.amount === null ? w("jackpot") : w("jp_amount", { amount: amount(prize.amount) });
}

export function tapHand(draft, id) {
  const box = draft.current;
  const { hand, result, was } = outcome(draft, box);
  if (id === "tie") return enter(draft, box, result === "tie" ? { result: was } : { result: "tie", was: result }, w("undo_cell", { box, words: w("tie") }));
  const { [box]: _cards, ...cards } = draft.cards;
  return enter({ ...draft, cards }, box, { hand: hand === id ? null : id, on_board: false }, w("undo_cell", { box, words: rules.hands[id] }));
}

// Boxes that have a royal flush as entered: by their cards, where all are entered.
export function royals(draft) {
  const every = [...new Set([...numbers(draft.seats), ...numbers(draft.results)])];
  return every.filter((box) => (inFull(draft) ? verdict(draft, box)?.hand : outcome(draft, box).hand) === "royal_flush");
}

// Boxes that can be named as the one that has it; also without a coin, as it pays the others Envy (PRG-6).
export function royalKeys(draft) {
  const isLive = (box) => rules.survive || outcome(draft, box).result !== "fold";
  const named = royals(draft);
  return inFull(draft) ? [] : numbers(draft.seats).filter(isLive).map((box) => {
    const coin = coinOf(draft, box) > 0;
    return { box, sub: w(coin ? "jackpot" : "no_stake"), gold: coin, on: named.includes(box) };
  });
}

export const tapRoyal = (draft, box) => tapHand({ ...draft, current: box }, "royal_flush");

export function flags(draft) {
  if (coinsOnly(draft) || inFull(draft)) return [];
  return [{ id: "dealer_without_pair", label: w("no_pair"), sub: w("no_pair_sub"), on: Boolean(draft.flags.dealer_without_pair) }];
}

// --- cards --------------------------------------------------------------------------------------------------------------------
// Whose cards have to be entered. The board comes first, then the boxes, the dealer last.
export function cardGroups(draft) {
  const boxes = numbers(draft.seats).filter((box) => wantsCards(draft, box));
  const others = coinsOnly(draft) ? Object.keys(draft.results).map(Number).filter((box) => !coinOf(draft, box) && outcome(draft, box).hand) : [];
  const every = [...new Set([...boxes, ...others])];
  const isDealer = (inFull(draft) || draft.flags.dispute) && numbers(draft.seats).some((box) => outcome(draft, box).result !== "fold");
  if (!every.length && !isDealer) return [];
  const group = (id, label, count, short = label) => ({ id, label, short, count, cards: draft.cards[id] ?? [] });
  const own = every.map((box) => group(String(box), w("own_cards", { box }), 2, String(box)));
  return [{ ...group("board", w("board"), 5), wipe: w("clear_board") }, ...own, ...(isDealer ? [group("dealer", w("dealer"), 2)] : [])];
}

function wantsCards(draft, box) {
  const { hand, result } = outcome(draft, box);
  const there = draft.seats[box];
  if (inFull(draft)) return result !== "fold" || (rules.survive && (there.trips > 0 || coinOf(draft, box) > 0));
  if (draft.flags.dispute && result !== "fold") return true;
  return Boolean(hand) && (hand === "royal_flush" || (coinOf(draft, box) > 0 && atLeast(hand, rules.cards_from)));
}

// Slots are filled in any order: a card may lie in the second one while the first is empty.
const areAll = (cards, count) => cards.filter(Boolean).length === count;

// What the cards of a box say: its class, whether another one was tapped, and what the coin wins.
export function verdict(draft, box) {
  const { board = [], [box]: hole = [] } = draft.cards;
  if (!areAll(board, 5) || !areAll(hole, 2)) return null;
  const found = made(board, hole);
  const tapped = outcome(draft, box).hand;
  const prize = coinOf(draft, box) ? prizeOf(progressive, found) : null;
  const won = prize ? (prize.amount === null ? `· ${w("claims_jackpot")}` : w("wins_prize", { amount: money(prize.amount) })) : "";
  const bank = dealerHand(draft);
  const ends = bank && outcome(draft, box).result !== "fold" ? endOf(found, bank) : "";
  const differs = Boolean(tapped) && tapped !== found.hand;
  return { ...found, ends, label: rules.hands[found.hand], ranks: ranksOf(found), differs, agrees: tapped === found.hand, tapped: rules.hands[tapped], won };
}

// Of which ranks a hand is made, in words: "kings with eights", "up to K".
function ranksOf({ value, hand }) {
  const [first, second] = kickers(value).map((place) => RANKS[place]);
  const many = (rank) => w(`ranks_${rank}`);
  if (["two_pair", "full_house"].includes(hand)) return w("ranks_two", { first: many(first), second: many(second) });
  if (["one_pair", "three_of_a_kind", "four_of_a_kind"].includes(hand)) return many(first);
  return hand === "royal_flush" ? "" : w("ranks_up_to", { rank: rankSign(first) });
}

const endOf = (own, bank) => (own.value > bank.value ? "win" : own.value < bank.value ? "lose" : "tie");

// Boxes whose prize the pit has to see while the house cannot be told of it: their coins were taken before the network went.
export const needsPit = (draft) => numbers(draft.seats).filter((box) => coinOf(draft, box) > 0 && outcome(draft, box).hand && atLeast(outcome(draft, box).hand, rules.cards_from));

function dealerHand(draft) {
  const { board = [], dealer = [] } = draft.cards;
  return areAll(board, 5) && areAll(dealer, 2) ? made(board, dealer) : null;
}

// Cards count: every box whose cards are there takes its class from them, and with the dealer's also how it ends.
export function takeCards(draft) {
  const results = { ...draft.results };
  for (const { id } of cardGroups(draft)) {
    const found = Number(id) ? verdict(draft, id) : null;
    if (!found) continue;
    results[id] = { ...results[id], hand: found.hand, on_board: found.on_board };
    if (found.ends && results[id].play !== undefined) results[id].result = found.ends;
  }
  const bank = dealerHand(draft);
  const flags = bank && !inFull(draft) ? { ...draft.flags, dealer_without_pair: bank.hand === "high_card" } : draft.flags;
  return { draft: { ...draft, results, flags }, step: w("undo_cards") };
}

// --- what is paid -----------------------------------------------------------------------------------------------------------
const known = new WeakMap();

// By box what it wins or loses, with the line of every stake; a box that is not decided yet is left out.
export function payouts(draft) {
  if (!known.has(draft)) known.set(draft, worked(draft));
  return known.get(draft);
}

function worked(draft) {
  const outcomes = outcomesOf(draft);
  const decided = numbers(draft.seats).filter((box) => outcomes[box]);
  const laidOut = decided.map((box) => ({ ...draft.seats[box], box, coin: coinOf(draft, box) }));
  const others = coinsOnly(draft) ? Object.keys(outcomes).map(Number).filter((box) => !decided.includes(box)).map((box) => ({ box, coin: 0 })) : [];
  const lines = coinsOnly(draft) ? coins(rules, [...laidOut, ...others], outcomes) : settle(rules, laidOut, outcomes, noPair(draft));
  const sum = (list, value) => list.reduce((total, one) => total + value(one), 0);
  return Object.fromEntries(decided.map((box) => {
    const own = lines.filter((line) => line.box === box).map(counted);
    const [net, prize] = [sum(own, (line) => line.paid - line.laid), sum(own, (line) => (line.waits ? 0 : line.prize))];
    return [box, { net, game: net - prize, prize, meter: own.some((line) => line.meter), lines: own }];
  }));
}

// What of a line moves now: a coin went into the jackpot at the lock, and a prize of some size is paid when people have approved it.
function counted(line) {
  const waits = line.prize > 0 && progressive.waits_from !== null && line.prize >= progressive.waits_from;
  return { ...line, waits, laid: line.kind === "coin" ? 0 : line.stake, paid: line.returned + line.won + (waits ? 0 : line.prize) };
}

function outcomesOf(draft) {
  if (coinsOnly(draft)) return Object.fromEntries([...numbers(draft.seats), ...Object.keys(draft.results)].map((box) => [box, { result: "stay", ...outcome(draft, box) }]));
  if (inFull(draft)) return fromCards(draft);
  return Object.fromEntries(numbers(draft.seats).filter((box) => outcome(draft, box).result).map((box) => [box, outcome(draft, box)]));
}

function fromCards(draft) {
  const bank = dealerHand(draft);
  const found = {};
  for (const box of numbers(draft.seats)) {
    const { play, result } = outcome(draft, box);
    const own = verdict(draft, box);
    if (result === "fold" && (own || !wantsCards(draft, box))) found[box] = { play: 0, result, ...own };
    else if (play !== undefined && own && bank !== null) found[box] = { play, result: endOf(own, bank), ...own };
  }
  return found;
}

function noPair(draft) {
  if (inFull(draft)) return dealerHand(draft)?.hand === "high_card";
  return Boolean(draft.flags.dealer_without_pair);
}

// What is still to be entered: boxes, then cards.
export function missing(draft) {
  const boxes = coinsOnly(draft) ? [] : numbers(draft.seats).filter((box) => outcome(draft, box)[inFull(draft) ? "play" : "result"] === undefined);
  return { boxes, cards: boxes.length ? [] : cardGroups(draft).filter((one) => !areAll(one.cards, one.count)) };
}

// The result as the server reads it.
export function result(draft) {
  const groups = cardGroups(draft);
  const cards = Object.fromEntries(groups.filter((one) => areAll(one.cards, one.count)).map((one) => [one.id, one.cards.join(" ")]));
  const named = coinsOnly(draft) ? Object.keys(draft.results).filter((box) => outcome(draft, box).hand) : numbers(draft.seats);
  const boxes = Object.fromEntries(named.map((box) => [box, boxResult(draft, box, cards[box])]));
  const whole = { boxes, ...(cards.board && { board: cards.board }), ...(cards.dealer && { dealer: cards.dealer }) };
  for (const flag of ["dealer_without_pair", "dispute"]) if (draft.flags[flag]) whole[flag] = true;
  return whole;
}

function boxResult(draft, box, cards) {
  const { play = 0, result: ends, hand, on_board } = outcome(draft, box);
  const there = draft.seats[box];
  const own = { ...(cards && { cards }) };
  if (inFull(draft)) return { ...own, play };
  if (hand) Object.assign(own, { hand, on_board: Boolean(on_board) });
  if (coinsOnly(draft)) return coinOf(draft, box) ? own : { ...own, guest: there?.guest ?? draft.owners[box] };
  return { ...own, play, result: ends };
}

// A result that the server keeps, as taps again.
export function resultsOf(kept) {
  const split = (text) => (text ? text.split(" ") : []);
  const results = {};
  const cards = { board: split(kept?.board), dealer: split(kept?.dealer) };
  for (const [box, one] of Object.entries(kept?.boxes ?? {})) {
    const folds = one.result === "fold" || (one.result === undefined && one.play === 0 && rules.no_play === "fold");
    results[box] = { play: one.play ?? 0, result: folds ? "fold" : one.result ?? null, hand: one.hand ?? null, on_board: Boolean(one.on_board) };
    if (one.cards) cards[box] = split(one.cards);
  }
  const kinds = ["dealer_without_pair", "dispute"].filter((flag) => kept?.[flag]);
  return { results, cards, flags: Object.fromEntries(kinds.map((flag) => [flag, true])) };
}

// What the help says of this game, in the order of a round; the frame says the rest.
export const HELP = ["bets", "lock", "result", "hand", "cards", "finish"];

export const reason = (line) => rules.reasons[line.code];
export const handWithin = (hand) => rules.hands_within[hand] ?? "";
// Of what a box gets in all, its parts where the jackpot pays one: "+80 · JP 50 · Envy 500". What waits, and the meter, come later.
export function partsOf({ game, lines, meter }) {
  const prizes = (kind, words) => {
    const own = lines.filter((line) => line.kind === kind && line.prize);
    const text = own.length ? words(amount(own.reduce((total, line) => total + line.prize, 0))).replaceAll(" ", "\u00a0") : "";
    return own[0]?.waits ? w("waits", { part: text }) : text;
  };
  const found = [meter && w("jackpot"), prizes("coin", (sum) => w("jp_amount", { amount: sum })), prizes("envy", (sum) => `${w("line_envy")} ${sum}`)].filter(Boolean);
  const isGame = lines.some((line) => line.laid);
  return (isGame && found.length ? [signed(game), ...found] : found).join(" · ");
}
export const partWords = (kind) => w(`line_${kind}`);
