// A page that belongs to no table: how many rounds are stored in this browser, whichever tablet it was.
const place = document.getElementById("stored");
const KINDS = ["queued", "settle"];
const promised = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

async function countIn(name) {
  const base = await promised(indexedDB.open(name));
  try {
    const step = base.transaction(["outbox", "draft"]);
    const [entries, draft] = await Promise.all([
      promised(step.objectStore("outbox").getAll()),
      promised(step.objectStore("draft").get("now")),
    ]);
    return (
      entries.filter((one) => KINDS.includes(one.kind) && !one.kept).length +
      (draft?.offline && draft.phase === "play" ? 1 : 0)
    );
  } finally {
    base.close();
  }
}

const names = ((await indexedDB.databases?.()) ?? [])
  .map((one) => one.name)
  .filter((name) => name.startsWith("saalchef-tablet-"));
const counts = await Promise.all(names.map(countIn));
const count = counts.reduce((sum, one) => sum + one, 0);
place.hidden = !count;
place.textContent = count === 1 ? place.dataset.one : place.dataset.many.replace("{count}", count);
