// What keeps the board true: it is asked for every moment and half, and at once when the socket says that a jackpot moved. What is
// shown is as old as the last answer; nothing else counts as live. The socket carries hints only.
const [FIRST_MS, MOST_MS, SILENT_MS, APART_MS] = [500, 5_000, 5_000, 150];

export class Live {
  // settings: board, socket, askMs, staleMs; take(text, at): a new board; told(isLive): whenever that changes.
  constructor(settings, take, told) {
    Object.assign(this, {
      settings,
      take,
      told,
      tag: "",
      asking: false,
      again: false,
      isLive: true,
      wait: FIRST_MS,
    });
    this.heard = performance.now(); // when the last answer that came was asked for
    this.began = this.heard;
  }

  start() {
    this.connect();
    this.ask();
    setInterval(() => this.ask(), this.settings.askMs);
    setInterval(() => this.look(), 250);
    addEventListener("offline", () => this.lost());
    addEventListener("online", () => this.ask());
    document.addEventListener("visibilitychange", () => this.ask());
  }

  // Seconds since what is shown was read.
  get age() {
    return (performance.now() - this.heard) / 1000;
  }

  look() {
    // A request that hangs must not keep the next one from being sent; its own signal ends it.
    const isLive = !this.isLost && performance.now() - this.heard < this.settings.staleMs;
    if (isLive !== this.isLive) this.told((this.isLive = isLive));
  }

  lost() {
    this.isLost = true;
    this.look();
  }

  async ask() {
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    const began = performance.now();
    try {
      const headers = { Accept: "text/html", ...(this.tag && { "If-None-Match": this.tag }) };
      const answer = await fetch(this.settings.board, {
        headers,
        cache: "no-store",
        signal: AbortSignal.timeout(this.settings.staleMs),
      });
      if (answer.redirected) location.assign(this.settings.signIn); // the session has ended
      else if (answer.ok || answer.status === 304) await this.answered(answer, began);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      if (error instanceof TypeError) this.lost(); // no connection; one that was only slow is looked at by its age
    } finally {
      this.asking = false;
      this.look();
      if (this.again) {
        this.again = false;
        setTimeout(() => this.ask(), APART_MS);
      }
    }
  }

  async answered(answer, began) {
    const text = answer.status === 304 ? null : await answer.text();
    this.tag = answer.headers.get("ETag") ?? "";
    this.heard = began;
    this.isLost = false;
    this.take(text, answer.headers.get("X-Board-At"), performance.now() - began);
  }

  connect() {
    const address = new URL(this.settings.socket, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    let said = performance.now();
    const watch = setInterval(() => {
      if (performance.now() - said > SILENT_MS) over({ code: 1006 });
    }, 500);
    const over = ({ code }) => {
      clearInterval(watch);
      socket.removeEventListener("close", over);
      socket.close();
      this.ask(); // whether there is a server at all is known by its answer
      if (code === 4403) return; // may see tables, not jackpots: asking is enough
      setTimeout(() => this.connect(), this.wait / 2 + (Math.random() * this.wait) / 2);
      this.wait = Math.min(this.wait * 2, MOST_MS);
    };
    socket.addEventListener("message", (event) => {
      said = performance.now();
      this.wait = FIRST_MS;
      if (JSON.parse(event.data).type === "jackpot") this.ask();
    });
    socket.addEventListener("close", over);
  }
}
