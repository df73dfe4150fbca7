// On a wall nobody scrolls: pits that do not fit on the screen come one screen after the other.
const EVERY_MS = 20_000;

// `tables()`: the part that scrolls, as it is then.
export function start(tables) {
  setInterval(() => turn(tables()), EVERY_MS);
}

function turn(tables) {
  if (tables.scrollHeight <= tables.clientHeight + 1) return;
  const bottom = tables.scrollTop + tables.clientHeight;
  const isLast = bottom >= tables.scrollHeight - 1;
  const cut = [...tables.querySelectorAll(".group")].find((group) => group.offsetTop + group.offsetHeight > bottom + 1);
  const next = cut && cut.offsetTop > tables.scrollTop ? cut.offsetTop : bottom; // a pit that is higher than the screen goes on
  tables.scrollTop = isLast ? 0 : next;
}
