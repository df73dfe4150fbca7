// A tablet on which nobody deals is there all the same: the pit's board must not call it offline. The answer says whether the table is
// still as this page shows it: who waits for it to be opened comes to the round without a touch.
const ASK_MS = 2_000;
const [OTHERWISE, TURNED_AWAY] = [205, 403];
const { here, table } = document.querySelector("[data-here]").dataset;

async function ask() {
  const answer = await fetch(here, { cache: "no-store" }).catch(() => null); // without an answer the next one is tried
  if (![OTHERWISE, TURNED_AWAY].includes(answer?.status)) return;
  clearInterval(asking);
  location.replace(table); // not this address, which may be that of a form
}

const asking = setInterval(ask, ASK_MS);
