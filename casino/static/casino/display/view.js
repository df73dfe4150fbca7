// Puts a snapshot on the page. Every word comes from the server, in the house's language.
import { Pages } from "display/pages";
import { Wheels } from "display/wheels";

const BANNERS = {
  showing: "lock",
  draining: "pending",
  verifying: "pending",
  suspended: "warn",
  retired: "warn",
  stale: "alarm",
};
const root = document.documentElement;
const part = (name) => document.querySelector(`[data-part="${name}"]`);

export class View {
  constructor(settings, words, hands) {
    Object.assign(this, { settings, words, hands, coin: "", tag: "" });
    this.meters = {
      main: new Wheels(part("wheels"), settings.decimals),
      hit: new Wheels(part("hit-wheels"), settings.decimals),
    };
    this.when = new Intl.DateTimeFormat(settings.locale, {
      dateStyle: "medium",
      timeStyle: "medium",
      timeZone: settings.zone,
    });
    this.turns = {
      banner: new Pages(
        (tables) => this.verifying(tables),
        () => hasLines(part("banner-text"), 2),
      ),
      stake: new Pages(
        (tables) => this.stake(tables),
        () => hasLines(part("stake"), 2),
      ),
      winners: new Pages((winners, page, pages) => this.winners(winners, page, pages), hasRoom),
    };
    this.clock = new Intl.DateTimeFormat(settings.locale, {
      timeStyle: "medium",
      timeZone: settings.zone,
    });
  }

  // The wheels that are on the screen now.
  get wheels() {
    return root.dataset.view === "hit" ? this.meters.hit : this.meters.main;
  }

  // Whether nothing fades in any more.
  get isThere() {
    return document
      .getAnimations()
      .every(
        (one) => one.playState !== "running" || one.effect.getComputedTiming().endTime === Infinity,
      );
  }

  // A snapshot as it is, live.
  show(told) {
    const isFirst = this.told === undefined;
    this.told = told;
    root.dataset.version = told.version;
    part("title").textContent = told.name;
    part("title").style.setProperty("--signs", String(told.name.length));
    for (const name of ["currency", "hit-currency"]) part(name).textContent = told.currency;
    for (const name of ["meter", "hit-meter"])
      part(name).setAttribute("aria-label", `${told.currency} ${told.text}`);
    for (const meter of Object.values(this.meters)) meter.show(told.text, isFirst);
    this.ladder(told);
    this.coin = `${told.currency} ${whole(told.coin_text)}`;
    this.turns.stake.show(ranges(told.tables), this.coin);
    if (told.hit?.winners.length) this.hit(told);
    this.state(this.isStale);
  }

  // Which state is said: that of the jackpot, or that nothing was heard for too long.
  state(isStale, confirmedAt = null) {
    this.isStale = isStale;
    const told = this.told;
    const state = isStale || !told ? "stale" : told.phase;
    const isHit = told?.hit?.state === "paid" && this.settings.in_play.includes(state);
    const isOther = root.dataset.state !== state || root.dataset.view !== (isHit ? "hit" : "main");
    root.dataset.view = isHit ? "hit" : "main";
    root.dataset.state = state;
    part("banner").dataset.kind = BANNERS[state] ?? "";
    for (const icon of document.querySelectorAll("[data-for]"))
      icon.toggleAttribute("hidden", !icon.dataset.for.split(" ").includes(state));
    if (state === "verifying" && told.hit?.tables.length) this.turns.banner.show(told.hit.tables);
    else {
      this.turns.banner.show([]);
      this.say(state === "stale" ? this.words.stale : this.sentence(told));
    }
    if (isOther) for (const turns of Object.values(this.turns)) turns.share(); // what was not on the screen had no size
    part("last").textContent = confirmedAt
      ? fill(this.words.last, { when: this.when.format(new Date(confirmedAt)) })
      : "";
  }

  sentence(told) {
    const { rounds } = told.waiting_for;
    if (told.phase === "draining" && rounds.length)
      return fill(this.words[rounds.length === 1 ? "draining_one" : "draining_many"], {
        count: rounds.length,
      });
    return this.words[told.phase];
  }

  say(text) {
    for (const name of ["state", "banner-text"]) part(name).textContent = bound(text);
  }

  verifying(tables) {
    if (tables.length)
      this.say(fill(this.words.verifying_at, { tables: tables.map(unbroken).join(" · ") }));
  }

  stake(tables) {
    part("stake").textContent = [
      fill(this.words.stake, { coin: this.coin }),
      tables.map(unbroken).join(", "),
    ]
      .filter(Boolean)
      .map(bound)
      .join("\u00a0· ");
  }

  ladder(told) {
    const lines = told.ladder.map((line) => ({
      name:
        (line.on_board && this.hands[`board:${line.hand}`]) || this.hands[line.hand] || line.hand,
      ...(line.amount_minor === null ? { all: line.text } : { amount: whole(line.text) }),
    }));
    if (told.envy_text)
      lines.push({ name: this.words.envy, amount: whole(told.envy_text), isEnvy: true });
    const key = JSON.stringify(lines);
    if (key === this.lines) return;
    this.lines = key;
    part("ladder").style.setProperty("--lines", String(lines.length));
    part("ladder").replaceChildren(
      ...lines.map((line) => {
        const item = clone("line");
        item.classList.toggle("envy", Boolean(line.isEnvy));
        item.classList.toggle("all", "all" in line);
        item.querySelector("small").textContent = "all" in line ? "" : told.currency;
        item.querySelector("b").textContent = line.all ?? line.amount;
        item.querySelector("span").textContent = line.name;
        return item;
      }),
    );
  }

  hit({ hit, currency, phase }) {
    const [first] = hit.winners;
    const isOne = hit.winners.length === 1;
    const isEven = hit.winners.every((one) => one.amount_minor === first.amount_minor);
    const won = isEven ? first.text : hit.won_text;
    this.tag = isOne
      ? fill(this.words.won_at, { table: first.table, box: first.box ?? "–" })
      : fill(this.words.won_by, { count: hit.winners.length });
    part("hit-title").textContent = this.hands.royal_flush;
    part("hit-amount").textContent = won;
    part("hit-amount").style.setProperty("--signs", String(won.length));
    part("hit-of").textContent = currency;
    part("hit-each").textContent = isOne || !isEven ? "" : this.words.each;
    part("hit-soon").textContent = phase === "open" ? this.words.open : this.words.soon;
    part("hit-cards").replaceChildren(...(isOne ? first.cards : []).map(card));
    const names = hit.winners.map((one) => ({
      place: fill(this.words.place, { table: one.table, box: one.box ?? "–" }),
      amount: isEven ? "" : `${currency} ${one.text}`,
    }));
    part("hit-winners").classList.toggle("many", names.length > 4);
    this.turns.winners.show(isOne ? [] : names, this.tag);
  }

  winners(names, page, pages) {
    part("hit-tag").textContent = this.tag + (pages > 1 ? ` · ${page + 1}/${pages}` : "");
    part("hit-winners").replaceChildren(
      ...names.map(({ place, amount }) => {
        const item = clone("winner");
        item.querySelector("span").textContent = place;
        item.querySelector("b").textContent = amount;
        return item;
      }),
    );
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

// A name that goes to the next line as a whole, unless it is longer than a line may be.
const unbroken = (name) => (name.length > 28 ? name : name.replaceAll(" ", "\u00a0"));

// No line begins with a dash or a dot.
const bound = (text) => text.replaceAll(/ ([·–]) /g, "\u00a0$1 ");

// Whether a text stands in no more lines than so many.
const hasLines = (one, most) =>
  one.offsetHeight <= parseFloat(getComputedStyle(one).lineHeight) * (most + 0.5);

// Whether everything that a hit says has its place on the screen.
function hasRoom() {
  const stage = document.querySelector(".hit");
  return stage.scrollHeight <= stage.clientHeight + 1 && stage.scrollWidth <= stage.clientWidth + 1;
}

// Names of tables, those that only count on joined: UTH 1–3, BJ 2.
function ranges(names) {
  const runs = [];
  for (const name of names) {
    const [, head, number] = /^(.*?)(\d+)$/.exec(name) ?? [null, name, ""];
    const last = runs.at(-1);
    if (last && number && last.head === head && Number(number) === last.to + 1) last.to += 1;
    else runs.push({ head, number, from: Number(number), to: Number(number) });
  }
  return runs.map((run) =>
    run.to > run.from ? `${run.head}${run.from}–${run.to}` : `${run.head}${run.number}`,
  );
}
