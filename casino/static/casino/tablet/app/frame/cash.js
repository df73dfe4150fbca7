// Chips that guests buy for cash, and tips: entered by one tap, sent in order beside what is
// played, also later; taken back for as long as that is the croupier's own.
import { signal } from "@preact/signals";
import { page, remember, uuid } from "tablet/frame/page";
import { link, offset, serverNow, standing } from "tablet/frame/live";
import * as outbox from "tablet/frame/outbox";
import { api, kept, tablePath } from "tablet/frame/commands";
import { notice, sheet, tell, tellToStay } from "tablet/frame/screen";
import { money, w } from "tablet/frame/words";

const KEPT = `saalchef-tablet-cash-${page.table}`;
const SHOWN = 4; // of what was entered last
const LATE_MS = 5_000; // what is older was on its way while the table changed
const PLACES = { buyin: "buy-ins", tip: "tips" };
const CHANGED = ["table.closed", "round.croupier_wrong"]; // the table, since it was entered
export const isSold = Boolean(page.game?.cash);

// What was entered here, newest first: {id, kind, minor, at, session}, with `until` when its
// croupier takes it back alone, once the house has it; `back` and `refused`: what became of it.
export const entered = signal(JSON.parse(localStorage.getItem(KEPT) ?? "[]"));

const keep = (list) => {
  entered.value = list.slice(0, SHOWN);
  remember(KEPT, JSON.stringify(entered.value));
};
const note = (id, more) =>
  keep(entered.value.map((one) => (one.id === id ? { ...one, ...more } : one)));

export const sessionNow = () => standing.value.session?.id ?? null;
export const isUnsent = ({ id }) =>
  outbox.pending.value.some((one) => one.body?.id === id && !one.refused);
export const unsent = () =>
  outbox.pending.value.filter((one) => one.kind in PLACES && !one.refused).length;
export const isGoingBack = ({ id }) =>
  outbox.pending.value.some((one) => one.of === id && !one.refused);

export async function enter(kind, minor) {
  const [id, session, at] = [uuid(), sessionNow(), serverNow()];
  const queued_at = link.value === "off" ? new Date(at).toISOString() : null;
  const body = { id, amount_minor: minor, session, queued_at };
  if (!(await kept({ kind, path: tablePath(`${PLACES[kind]}/`), body }))) return;
  keep([{ id, kind, minor, at, session }, ...entered.value]);
  sheet.value = null;
  said({ id, kind, minor });
}

// What was tapped, with a way back as long as it is said.
function said({ id, kind, minor }) {
  const told = {
    title: w(`cash_${kind}_entered`, { amount: money(minor) }),
    help: link.value === "off" ? w("cash_stored") : "",
    kind: "lock",
    picture: "coins",
    act: {
      words: w("cash_take_back"),
      go: () => takeBack(entered.value.find((one) => one.id === id)),
    },
  };
  notice.value = told;
  setTimeout(() => {
    if (notice.value === told) notice.value = null;
  }, page.game.undo_s * 1000);
}

export async function takeBack(one) {
  if (!one || one.back || isGoingBack(one)) return;
  const path = api(`${PLACES[one.kind]}/${one.id}/take-back/`);
  if (!(await kept({ kind: "cash_back", of: one.id, path, body: { reason: "" } }))) return;
  const sentence = w(`cash_${one.kind}_back`, { amount: money(one.minor) });
  tell(sentence, "", { kind: "lock", picture: "coins" });
}

// What the answers mean: done twice, they do no more.
export const taken = {
  buyin: booked,
  tip: booked,
  cash_back: ({ of }) => note(of, { back: true }),
};

function booked({ body: { id } }, { answer }) {
  note(id, { until: Date.parse(answer.alone_until) });
}

export const refused = { buyin: notBooked, tip: notBooked, cash_back: notTakenBack };

// What was on its way while the table was closed or handed over comes later than it was entered.
async function notBooked(entry, { problem }) {
  const { kind, body, at, key } = entry;
  if (CHANGED.includes(problem.code) && body.queued_at === null && Date.now() - at > LATE_MS) {
    const queued_at = new Date(at + offset.value).toISOString();
    return outbox.replace(entry, { refused: null, body: { ...body, queued_at } });
  }
  note(body.id, { refused: true });
  const title = w(`cash_${kind}_refused`, { amount: money(body.amount_minor) });
  return tellToStay(`${title} ${problem.title}`, problem.detail, { of: key });
}

function notTakenBack({ of, key }, { problem }) {
  note(of, { until: 0 });
  return tellToStay(`${w("cash_still_there")} ${problem.title}`, problem.detail, { of: key });
}
