// Digits jump to a table, F to the first approval, M to the first alert, X shows exceptions only. Who speaks to their computer, or leans on
// the keys, has them off: kept on this screen (WCAG 2.1.4).
const TYPED_MS = 900;
const KEPT = "saalchef-pit-keys";
let off = localStorage.getItem(KEPT) === "off";
let [typed, last] = ["", 0];

export function start({ isBusy, only, toggle }) {
  const show = () => {
    toggle.setAttribute("aria-pressed", String(!off));
    document.body.classList.toggle("keyless", off);
  };
  toggle.addEventListener("click", () => {
    off = !off;
    localStorage.setItem(KEPT, off ? "off" : "");
    show();
  });
  show();
  addEventListener("keydown", (event) => {
    if (off || event.ctrlKey || event.metaKey || event.altKey || isBusy()) return;
    if (event.target.closest("input, select, textarea")) return;
    const key = event.key.toLowerCase();
    if (/^\d$/.test(key)) table(key);
    else if (key === "f") first("#approvals .do > *");
    else if (key === "m") first("#alerts .do > *");
    else if (key === "x") only();
    else return;
    event.preventDefault();
  });
}

function first(selector) {
  document.querySelector(selector)?.focus();
}

// Of several tables of that number (UTH 1, BJ 1) the next one after the one that is looked at.
function table(digit) {
  typed = performance.now() - last < TYPED_MS ? typed + digit : digit;
  last = performance.now();
  const all = [...document.querySelectorAll("#board a[data-table]")].filter(
    (one) => one.offsetParent,
  );
  const number = (one) => one.dataset.table.match(/\d+/)?.[0] ?? "";
  const fits = all.filter((one) => number(one) === typed);
  const here = fits.indexOf(document.activeElement);
  (fits[(here + 1) % fits.length] ?? all.find((one) => number(one).startsWith(typed)))?.focus();
}
