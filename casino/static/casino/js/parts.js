// Parts of a page that the server draws by themselves (`data-part-address`), again and again. After
// four turns without an answer a part says nothing: nobody trusts what may be over. What is being
// pressed stays what it is, what is unfolded stays so.
function keep(place) {
  const every = Number(place.dataset.every ?? 15_000);
  let heard = Date.now();
  let asking = false;

  function show(text) {
    const fresh = [...new DOMParser().parseFromString(text, "text/html").body.children];
    const [old, next] = [place.querySelector("details"), fresh[0]];
    if (old && next?.matches("details")) next.open = old.open;
    const same = fresh.length === place.children.length;
    if (place.querySelector(":active")) return;
    if (same && fresh.every((part, number) => part.isEqualNode(place.children[number]))) return;
    const focused = place.contains(document.activeElement) && document.activeElement;
    const links = [...place.querySelectorAll("a, summary")].indexOf(focused);
    place.replaceChildren(...fresh.map((part) => document.adoptNode(part)));
    place.querySelectorAll("a, summary")[links]?.focus();
  }

  async function ask() {
    if (Date.now() - heard >= 4 * every) show("");
    if (asking || document.hidden) return;
    asking = true;
    try {
      const answer = await fetch(place.dataset.partAddress, {
        headers: { Accept: "text/html" },
        cache: "no-store",
        signal: AbortSignal.timeout(15_000),
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

  setInterval(ask, every);
  document.addEventListener("visibilitychange", ask);
  ask();
}

document.querySelectorAll("[data-part-address]").forEach(keep);
