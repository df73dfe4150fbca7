// Poker on this tablet, as its table is entered: only what is taken out of a pot, or all of it.
import { page } from "tablet/frame/page";
import * as pots from "tablet/poker/pots/game";
import * as raked from "tablet/poker/raked";

const isPots = page.standing.entry_level === "pots";

export const {
  HELP,
  SHEETS,
  Board,
  Goes,
  SeatAction,
  SeatSheet,
  Ways,
  asks,
  begins,
  begun,
  body,
  canEnter,
  carriesOf,
  dock,
  endsByKey,
  footOf,
  isAsShown,
  isComplete,
  lastTap,
  netsOf,
  nextTurn,
  nothing,
  railKeys,
  said,
  summary,
  tapBack,
} = isPots ? pots : raked;
