// A count of the tray: how it stands at the server, and the pieces that are typed here, which lie
// on this tablet until they are signed.
import { computed, effect, signal } from "@preact/signals";
import { page, remember, uuid } from "tablet/frame/page";
import { Refusal, request } from "tablet/frame/outbox";
import { ask, link, standing } from "tablet/frame/live";
import { api, tablePath } from "tablet/frame/commands";
import { wrong } from "tablet/frame/sound";
import { w } from "tablet/frame/words";

const KEPT = `saalchef-tablet-count-${page.table}`;
const RUNNING = ["begun", "entered", "again"];

export const count = signal(null); // as the API answers it
export const problem = signal(null); // {title, detail} of what was refused last
export const isSending = signal(false);
export const isOff = computed(() => link.value === "off");
export const isOver = computed(() => count.value && !RUNNING.includes(count.value.state));

// {id, number, at, lines: {value: {stacks, text}}}: the pieces of one entry; `at`: whose turn it is
export const draft = signal(JSON.parse(localStorage.getItem(KEPT) ?? "null"));
export const chips = page.chips;

export const linesOf = (value) => draft.value?.lines[value] ?? { stacks: 0, text: "" };
export const isTyped = ({ value_minor: value }) => {
  const { stacks, text } = linesOf(value);
  return stacks > 0 || text !== "";
};
export const piecesOf = ({ value_minor: value, stack }) => {
  const { stacks, text } = linesOf(value);
  return stacks * stack + Number(text);
};
export const missing = () => chips.filter((chip) => !isTyped(chip));
export const sumOf = (lines) =>
  lines.reduce((sum, { value_minor, pieces }) => sum + value_minor * pieces, 0);
export const typedLines = () =>
  chips.filter(isTyped).map((chip) => ({ value_minor: chip.value_minor, pieces: piecesOf(chip) }));

function put(next) {
  draft.value = next;
  remember(KEPT, next && JSON.stringify(next));
}

// What is typed belongs to one entry: a second count begins empty, one that its witness has sent
// back stays as it was typed.
function follow() {
  const now = count.value;
  if (!now) return;
  if (isOver.value) return put(null);
  const [before, number] = [draft.peek(), now.entries.length + 1];
  if (before?.id === now.id && (before.number === number || now.state !== "again")) {
    if (before.number !== number && now.state === "begun") put({ ...before, number, at: 0 });
    return;
  }
  put({ id: now.id, number, at: 0, lines: {} });
}
effect(() => {
  void count.value;
  follow();
});

export function choose(at) {
  put({ ...draft.value, at: Math.max(0, Math.min(at, chips.length - 1)) });
}

function change(work) {
  const chip = chips[draft.value.at];
  const lines = { ...draft.value.lines, [chip.value_minor]: work(linesOf(chip.value_minor)) };
  const before = draft.value;
  put({ ...before, lines });
  if (piecesOf(chip) > page.pieces_most) put(before);
}

export const digit = (sign) =>
  change(({ stacks, text }) => ({ stacks, text: text === "0" ? sign : (text + sign).slice(0, 6) }));
export const stack = () => change(({ stacks, text }) => ({ stacks: stacks + 1, text }));
export const back = () =>
  change(({ stacks, text }) =>
    text ? { stacks, text: text.slice(0, -1) } : { stacks: Math.max(0, stacks - 1), text },
  );

// The server, asked once under a key that stays until it has answered. True where it has done it.
const keys = new Map();
let number = 0;

async function command(name, path, body) {
  if (isSending.value) return false;
  isSending.value = true;
  problem.value = null;
  if (!keys.has(name)) keys.set(name, uuid());
  number += 1;
  try {
    const sent = { body, key: keys.get(name), seq: number, at: Date.now() };
    count.value = (await request(path, sent)).answer;
    keys.delete(name);
    return true;
  } catch (error) {
    if (error instanceof Refusal) {
      keys.delete(name);
      problem.value = error.problem;
    } else if (error instanceof TypeError)
      problem.value = { title: w("no_answer"), detail: w("count_offline") };
    else throw error;
    wrong();
    return false;
  } finally {
    isSending.value = false;
    ask();
  }
}

const pathOf = (act) => api(`counts/${count.value.id}/${act}/`);
export const begin = (purpose) => command(`begin ${purpose}`, tablePath("counts/"), { purpose });
export const enter = (secret) => {
  const lines = typedLines();
  return command(`enter ${JSON.stringify(lines)}`, pathOf("enter"), { lines, secret });
};
export const witness = ({ ok, person, username, secret }) => {
  const entry = count.value.entries.at(-1).number;
  const about = { entry, ok, person, username };
  return command(`witness ${JSON.stringify(about)}`, pathOf("witness"), { ...about, secret });
};
export const giveUp = () => command("give up", pathOf("give-up"), {});

// What others did meanwhile: the pit begins and witnesses counts, too.
let reading = null;
export function follows() {
  effect(() => {
    const heard = standing.value.counting;
    const now = count.peek();
    if (heard && (heard.id !== now?.id || heard.state !== now.state)) read(heard.id);
    else if (!heard && now && RUNNING.includes(now.state)) read(now.id);
  });
}

function read(id) {
  if (isSending.peek()) return;
  reading ??= request(api(`counts/${id}/`))
    .then((answer) => {
      count.value = answer;
    })
    .catch((error) => {
      if (!(error instanceof Refusal || error instanceof TypeError)) throw error;
    })
    .finally(() => {
      reading = null;
    });
}
