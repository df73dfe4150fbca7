// A verification that runs is looked at again until it is done; what was found then stands on the page.
const EVERY_MS = 1_000;

async function look() {
  const run = document.getElementById("run");
  if (!run.dataset.busy) return;
  try {
    const answer = await fetch(run.dataset.busy, {
      headers: { Accept: "text/html" },
      cache: "no-store",
    });
    if (answer.redirected) {
      location.reload();
      return;
    } // the session has ended
    if (answer.ok) take(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no connection: asked again
  }
  setTimeout(look, EVERY_MS);
}

function take(page) {
  if (!page.getElementById("run")?.dataset.busy) {
    location.replace(document.getElementById("run").dataset.busy);
    return;
  }
  document.getElementById("run").replaceWith(document.adoptNode(page.getElementById("run")));
}

setTimeout(look, EVERY_MS);
