// Keeps a page of the floor fresh: every few seconds the page is read again and its marked regions are put in the place of the old
// ones. A region in which somebody types, has opened something or reads a refusal stays as it is until they are done. On the pit's board
// such a page stands in the panel, which reads it again itself (`pit/panel.js`).
const main = document.querySelector("[data-fresh]");
const note = document.querySelector("[data-stale]");
const EVERY = Number(main?.dataset.every ?? 4_000);
const STALE = 3 * EVERY;
let last = Date.now();
let asking = false;
let pressed = false; // between finger down and finger up nothing is exchanged: the tap would hit what is no longer there

function dirty(field) {
  if (field.type === "hidden") return false;
  if (field.type === "checkbox" || field.type === "radio")
    return field.checked !== field.defaultChecked;
  if (field.tagName !== "SELECT") return field.value !== field.defaultValue;
  const first = [...field.options].find((option) => option.defaultSelected) ?? field.options[0];
  return first !== undefined && field.value !== first.value;
}

function busy(region) {
  if (region.querySelector("[role=alert], details[open]")) return true;
  if (region.querySelector("form") && region.contains(document.activeElement)) return true;
  return [...region.querySelectorAll("input, select, textarea")].some(dirty);
}

// The same but for what is new on every page: the keys of its forms. Such a region stays, with whatever a finger is about to tap.
function same(region, fresh) {
  const [old, next] = [region.cloneNode(true), fresh.cloneNode(true)];
  for (const copy of [old, next])
    copy
      .querySelectorAll("[name=key], [name=csrfmiddlewaretoken]")
      .forEach((field) => field.remove());
  return old.isEqualNode(next);
}

function put(region, fresh) {
  const link = region.contains(document.activeElement)
    ? document.activeElement.getAttribute("href")
    : null;
  const scrolled = [...region.querySelectorAll(".wide")].map((box) => box.scrollLeft);
  const adopted = document.adoptNode(fresh);
  region.replaceWith(adopted);
  adopted.querySelectorAll(".wide").forEach((box, place) => {
    box.scrollLeft = scrolled[place] ?? 0;
  });
  if (link)
    [...adopted.querySelectorAll("a")].find((one) => one.getAttribute("href") === link)?.focus();
  return adopted;
}

// `within`: where the page is shown; `page`: as it was read just now. Gives back the regions that were put in.
export function take(page, within = document) {
  if (pressed) return [];
  const came = [];
  for (const region of within.querySelectorAll("[data-live]")) {
    const fresh = page.querySelector(`[data-live="${region.dataset.live}"]`);
    if (fresh && !same(region, fresh) && !busy(region)) came.push(put(region, fresh));
  }
  return came;
}

async function refresh() {
  if (asking || document.hidden) return;
  asking = true;
  try {
    const answer = await fetch(main.dataset.fresh, {
      headers: { Accept: "text/html" },
      signal: AbortSignal.timeout(EVERY * 2),
    });
    if (answer.ok && !answer.redirected) {
      // a redirect leads to the sign-in: the session has ended
      take(new DOMParser().parseFromString(await answer.text(), "text/html"));
      last = Date.now();
    }
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error; // no server: ask again, and say so below
  }
  asking = false;
  note.hidden = Date.now() - last < STALE;
  document.documentElement.toggleAttribute("data-stale-page", !note.hidden);
}

for (const [name, down] of [
  ["pointerdown", true],
  ["pointerup", false],
  ["pointercancel", false],
  ["blur", false],
]) {
  addEventListener(
    name,
    () => {
      pressed = down;
    },
    { capture: true, passive: true },
  );
}
if (main) {
  setInterval(refresh, EVERY);
  document.addEventListener("visibilitychange", refresh);
}
