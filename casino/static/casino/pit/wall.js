// On a wall nobody scrolls: what does not fit on the screen, pits or what waits, comes one screen after the other.
const EVERY_MS = 20_000;

// `parts()`: the parts that scroll, as they are then.
export function start(parts) {
  setInterval(() => {
    for (const part of parts()) turn(part);
  }, EVERY_MS);
}

function turn(part) {
  if (part.scrollHeight <= part.clientHeight + 1) return;
  const bottom = part.scrollTop + part.clientHeight;
  const isLast = bottom >= part.scrollHeight - 1;
  const cut = [...part.querySelectorAll(".group, .meter, .one")].find(
    (one) => top(one, part) + one.offsetHeight > bottom + 1,
  );
  const next = cut && top(cut, part) > part.scrollTop ? top(cut, part) : bottom; // what is higher than the screen goes on
  part.scrollTop = isLast ? 0 : next;
}

const top = (one, part) =>
  one.getBoundingClientRect().top - part.getBoundingClientRect().top + part.scrollTop;
