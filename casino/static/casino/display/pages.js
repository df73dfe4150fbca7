// Names that do not fit at once take turns: as many as fit, evenly shared out, each page for a while.
const TURN_MS = 8_000;

export class Pages {
  // `put(items, page, pages)` shows some of the items; `fits()` says whether what stands there now has room.
  constructor(put, fits) {
    Object.assign(this, { put, fits, items: [], pages: 1, page: 0 });
    setInterval(() => this.turn(), TURN_MS);
    addEventListener("resize", () => this.share());
  }

  // Show these from the first one on. What is shown already, with the same `beside` it, goes on taking its turns.
  show(items, beside = "") {
    const key = JSON.stringify([items, beside]);
    if (key === this.key) return;
    Object.assign(this, { key, items, page: 0 });
    this.share();
  }

  // As few pages as can be; every one of them has to fit.
  share() {
    const { page } = this;
    for (this.pages = 1; this.pages < this.items.length; this.pages += 1) {
      const all = Array.from({ length: this.pages }, (_, one) => one);
      if (all.every((one) => (this.place(one), this.fits()))) break;
    }
    this.place(Math.min(page, this.pages - 1));
  }

  turn() {
    if (this.pages > 1) this.place((this.page + 1) % this.pages);
  }

  place(page) {
    const size = Math.ceil(this.items.length / this.pages);
    this.page = page;
    this.put(this.items.slice(page * size, (page + 1) * size), page, this.pages);
  }
}
