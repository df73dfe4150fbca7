// While a report is made, looks every second how far it is; without this the page has a link to look again.
const EVERY_MS = 1000;

async function look() {
  try {
    const answer = await fetch(location.href, {
      headers: { accept: "text/html" },
      credentials: "same-origin",
    });
    if (answer.redirected) return location.reload();
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("run");
      const here = document.getElementById("run");
      if (fresh && fresh.innerHTML !== here.innerHTML) here.replaceChildren(...fresh.childNodes);
      here.toggleAttribute("data-waits", Boolean(fresh?.hasAttribute("data-waits")));
    }
  } catch {
    // The line is away: the next look says more.
  }
  again();
}

function again() {
  if (document.querySelector("#run[data-waits]")) setTimeout(look, EVERY_MS);
}

again();
