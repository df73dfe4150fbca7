// Keeps in the bar how much the person may sign, as the server says it. After a minute without an answer it says nothing: nobody
// trusts a figure that may be over. A link that is being pressed stays what it is.
const place = document.querySelector("[data-waits]");
const [EVERY, STALE] = [15_000, 60_000];
let heard = Date.now();
let asking = false;

function show(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("a");
  const link = place.querySelector("a");
  if (link?.matches(":active") || (link && fresh?.isEqualNode(link))) return;
  const focused = link?.matches(":focus");
  place.replaceChildren(...(fresh ? [document.adoptNode(fresh)] : []));
  if (focused) fresh?.focus();
}

async function ask() {
  if (Date.now() - heard >= STALE) show("");
  if (asking || document.hidden) return;
  asking = true;
  try {
    const answer = await fetch(place.dataset.waits, {
      headers: { Accept: "text/html" },
      cache: "no-store",
      signal: AbortSignal.timeout(EVERY),
    });
    // a redirect leads to the sign-in: the session has ended
    if (answer.ok && !answer.redirected) {
      show(await answer.text());
      heard = Date.now();
    }
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error; // no server
  } finally {
    asking = false;
  }
}

setInterval(ask, EVERY);
document.addEventListener("visibilitychange", ask);
ask();
