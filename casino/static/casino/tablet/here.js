// A tablet on which nobody deals is there all the same: the pit's board must not call it offline. The answer says whether the table is
// still as this page shows it: who waits for it to be opened comes to the round without a touch.
const ASK_MS = 2_000;
const [OTHERWISE, TURNED_AWAY] = [205, 403];
const { here, table } = document.querySelector("[data-here]").dataset;
const stored = document.getElementById("stored"); // where `sender.js` notes what lies here

async function ask() {
  const report = stored?.dataset.report;
  const headers = report ? { "X-Saalchef-Stored": report } : {};
  // without an answer the next one is tried
  const answer = await fetch(here, { headers, cache: "no-store" }).catch(() => null);
  if (![OTHERWISE, TURNED_AWAY].includes(answer?.status)) return;
  clearInterval(asking);
  location.replace(table); // not this address, which may be that of a form
}

const asking = setInterval(ask, ASK_MS);
