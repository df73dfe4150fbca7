// What a seat may have paid on a street by when it folded there: a tap takes the most likely, each
// further tap the next smaller (POK-6).

// `amounts`: what was entered on the street, each a raise of the one before; `posted`: the seat's
// blind or bring-in, on the first street; `left`: what lay before the seat as the street began. Who
// folds to the newest amount has paid the one before it, or any before that, and what it posted at
// the least; all of its chips never, for who is all-in cannot fold.
export function foldsOf(amounts, { posted = 0, left }) {
  const raised = amounts.slice(0, -1).filter((minor) => minor > posted);
  return [...raised.reverse(), posted].filter((minor) => minor < left);
}

// What the next tap makes of it; null: not folded.
export const nextFold = (folds, now) => folds[folds.indexOf(now) + 1] ?? null;
