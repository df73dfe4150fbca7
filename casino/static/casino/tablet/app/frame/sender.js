// What is stored on the tablet is sent from its other pages, too, as long as the one who gave the commands is signed in.
//
// What is refused stays at its place: the page of the round comes back to it.
import { effect } from "@preact/signals";
import { alone } from "tablet/frame/alone";
import { setAside } from "tablet/frame/aside";
import { page } from "tablet/frame/page";
import { tabletReport } from "tablet/frame/offline-page";
import { ALONG, CASH, IN_ORDER, begun, named, pending } from "tablet/frame/outbox";
import { draftRead, outboxRead } from "tablet/frame/store";

const TELL_MS = 2_000;
const place = document.getElementById("stored");
const isRound = (entry) => ["queued", "settle", "hand"].includes(entry.kind) && !entry.kept;
const SETTLES = ["queued", "settle", "correct", "request", "void", "withdraw"];

async function tell() {
  const draft = await draftRead();
  const isOpen = draft?.offline && draft.phase === "play"; // begun without the server, and not ended yet
  const stored = await outboxRead();
  // whoever gave it; `here.js` sends that
  place.dataset.report = tabletReport(isOpen ? [...stored, { at: draft.lockedAt }] : stored);
  const count = stored.filter(isRound).length + (isOpen ? 1 : 0);
  place.hidden = !count;
  place.textContent =
    count === 1 ? place.dataset.one : place.dataset.many.replace("{count}", count);
}

async function answered(entry, answer, refusal) {
  if (!refusal && entry.temp) await named(entry, answer.answer.id);
  const left = answer?.rounds?.find(({ outcome }) => outcome === "refused"); // by the game
  if (left) return setAside(entry, left.problem);
  if (refusal && [...SETTLES, ...ALONG, ...IN_ORDER, ...CASH].includes(entry.kind))
    await setAside(entry, refusal.problem);
}

effect(() => {
  void pending.value;
  tell();
});
setInterval(tell, TELL_MS); // what is fresh lies there after a while
await alone();
await begun(answered, { isMine: (entry) => entry.person === page.person });
