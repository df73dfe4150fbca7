// Puts a snapshot on the page. Every word comes from the server, in the house's language.
import { Wheels } from "display/wheels";

const BANNERS = { showing: "lock", draining: "pending", verifying: "pending", suspended: "warn", retired: "warn", stale: "alarm" };
const root = document.documentElement;
const part = (name) => document.querySelector(`[data-part="${name}"]`);

export class View {
  constructor(settings, words, hands) {
    Object.assign(this, { settings, words, hands });
    this.meters = { main: new Wheels(part("wheels"), settings.decimals), hit: new Wheels(part("hit-wheels"), settings.decimals) };
    this.when = new Intl.DateTimeFormat(settings.locale, { dateStyle: "medium", timeStyle: "medium", timeZone: settings.zone });
    this.clock = new Intl.DateTimeFormat(settings.locale, { timeStyle: "medium", timeZone: settings.zone });
  }

  // The wheels that are on the screen now.
  get wheels() {
    return root.dataset.view === "hit" ? this.meters.hit : this.meters.main;
  }

  // A snapshot as it is, live.
  show(told) {
    const isFirst = this.told === undefined;
    this.told = told;
    root.dataset.version = told.version;
    part("title").textContent = told.name;
    part("title").style.setProperty("--signs", String(told.name.length));
    for (const name of ["currency", "hit-currency"]) part(name).textContent = told.currency;
    for (const name of ["meter", "hit-meter"]) part(name).setAttribute("aria-label", `${told.currency} ${told.text}`);
    for (const meter of Object.values(this.meters)) meter.show(told.text, isFirst);
    this.ladder(told);
    part("stake").textContent = [fill(this.words.stake, { coin: `${told.currency} ${whole(told.coin_text)}` }), ranges(told.tables)].filter(Boolean).join(" · ");
    if (told.hit?.winners.length) this.hit(told);
    this.state(this.isStale);
  }

  // Which state is said: that of the jackpot, or that nothing was heard for too long.
  state(isStale, confirmedAt = null) {
    this.isStale = isStale;
    const told = this.told;
    const state = isStale || !told ? "stale" : told.phase;
    const text = state === "stale" ? this.words.stale : this.sentence(told);
    const isHit = told?.hit?.state === "paid" && ["showing", "open"].includes(state);
    root.dataset.view = isHit ? "hit" : "main";
    root.dataset.state = state;
    part("state").textContent = text;
    part("banner").dataset.kind = BANNERS[state] ?? "";
    part("banner-text").textContent = text;
    for (const icon of document.querySelectorAll("[data-for]")) icon.toggleAttribute("hidden", !icon.dataset.for.split(" ").includes(state));
    part("last").textContent = confirmedAt ? fill(this.words.last, { when: this.when.format(new Date(confirmedAt)) }) : "";
  }

  sentence(told) {
    const { rounds } = told.waiting_for;
    if (told.phase === "draining" && rounds.length) return fill(this.words[rounds.length === 1 ? "draining_one" : "draining_many"], { count: rounds.length });
    if (told.phase === "verifying" && told.hit?.tables.length) return fill(this.words.verifying_at, { tables: told.hit.tables.join(" · ") });
    return this.words[told.phase];
  }

  ladder(told) {
    const lines = told.ladder.map((line) => ({
      name: (line.on_board && this.hands[`board:${line.hand}`]) || this.hands[line.hand] || line.hand,
      ...(line.amount_minor === null ? { all: line.text } : { amount: whole(line.text) }),
    }));
    if (told.envy_text) lines.push({ name: this.words.envy, amount: whole(told.envy_text), isEnvy: true });
    const key = JSON.stringify(lines);
    if (key === this.lines) return;
    this.lines = key;
    part("ladder").style.setProperty("--lines", String(lines.length));
    part("ladder").replaceChildren(...lines.map((line) => {
      const item = clone("line");
      item.classList.toggle("envy", Boolean(line.isEnvy));
      item.classList.toggle("all", "all" in line);
      item.querySelector("small").textContent = "all" in line ? "" : told.currency;
      item.querySelector("b").textContent = line.all ?? line.amount;
      item.querySelector("span").textContent = line.name;
      return item;
    }));
  }

  hit({ hit, currency, phase }) {
    const [first] = hit.winners;
    const isOne = hit.winners.length === 1;
    const isEven = hit.winners.every((one) => one.amount_minor === first.amount_minor);
    const won = isEven ? first.text : hit.won_text;
    part("hit-tag").textContent = isOne
      ? fill(this.words.won_at, { table: first.table, box: first.box ?? "–" })
      : fill(this.words.won_by, { count: hit.winners.length });
    part("hit-title").textContent = this.hands.royal_flush;
    part("hit-amount").textContent = won;
    part("hit-amount").style.setProperty("--signs", String(won.length));
    part("hit-of").textContent = currency;
    part("hit-each").textContent = isOne || !isEven ? "" : this.words.each;
    part("hit-soon").textContent = phase === "open" ? this.words.open : this.words.soon;
    part("hit-cards").replaceChildren(...(isOne ? first.cards : []).map(card));
    part("hit-winners").replaceChildren(...(isOne ? [] : hit.winners).map((one) => {
      const item = clone("winner");
      item.querySelector("span").textContent = fill(this.words.place, { table: one.table, box: one.box ?? "–" });
      item.querySelector("b").textContent = isEven ? "" : `${currency} ${one.text}`;
      return item;
    }));
  }

  // Whether another session holds this display: then it shows nothing else.
  elsewhere(isSo) {
    root.toggleAttribute("data-elsewhere", isSo);
    part("elsewhere").hidden = !isSo;
  }

  // The code of the last refused confirmation, small, for who looks for the reason.
  refused(code) {
    root.dataset.refused = code;
    part("refused").textContent = code;
  }

  tick(moment) {
    part("time").textContent = this.clock.format(moment);
  }
}

const SUITS = { s: "spade", h: "heart", d: "diamond", c: "club" };

function card(text) {
  const item = clone("card");
  const [rank, suit] = [text.slice(0, -1), text.slice(-1)];
  item.dataset.suit = suit;
  item.querySelector("b").textContent = rank === "T" ? "10" : rank;
  item.querySelector(`[data-suit="${SUITS[suit]}"]`).removeAttribute("hidden");
  return item;
}

const clone = (name) => document.getElementById(name).content.firstElementChild.cloneNode(true);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
const whole = (text) => text.replace(/[.,]0+$/, (end) => (end.length === 4 ? end : ""));

// Names of tables, those that only count on joined: UTH 1–3, BJ 2.
function ranges(names) {
  const runs = [];
  for (const name of names) {
    const [, head, number] = /^(.*?)(\d+)$/.exec(name) ?? [null, name, ""];
    const last = runs.at(-1);
    if (last && number && last.head === head && Number(number) === last.to + 1) last.to += 1;
    else runs.push({ head, number, from: Number(number), to: Number(number) });
  }
  return runs.map((run) => (run.to > run.from ? `${run.head}${run.from}–${run.to}` : `${run.head}${run.number}`)).join(", ");
}
