// What the server tells of the jackpot: by socket, and by asking every two seconds while the socket says nothing. The newest wins.
const FIRST_MS = 500;
const MOST_MS = 5_000; // between two tries of the socket
const ASK_MS = 2_000;
const NOT_ENROLLED = 4401; // the code that the server closes a socket with when the display's token counts no more
const SILENT_MS = 4_000; // a socket that says nothing for so long is taken for dead: it sends a heartbeat every 2 s
export const STALE_MS = 6_000;

const random = (low, high) => low + Math.random() * (high - low);

export class Feed {
  // `take(snapshot)` is called with each newer snapshot, `gone()` when the display is enrolled no more.
  constructor(settings, take, gone) {
    this.settings = settings;
    this.take = take;
    this.gone = gone;
    this.newest = null;
    this.confirmedAt = null; // the server's time of the last message
    this.wait = FIRST_MS;
    this.heard = [-Infinity, -Infinity];
    this.socketHeard = -Infinity;
  }

  start(first) {
    if (first) this.told(first);
    this.connect();
    setInterval(() => this.ask(), ASK_MS);
  }

  // Milliseconds since the last message, by the clock that says more: one stands still while the machine sleeps, the other can be set.
  get silence() {
    return Math.max(performance.now() - this.heard[0], Date.now() - this.heard[1]);
  }

  get isStale() {
    return this.silence >= STALE_MS;
  }

  told(message) {
    // A heartbeat says itself whether the server could read the truth lately; if not, it confirms nothing.
    if (message.type !== "jackpot" && (message.type !== "heartbeat" || message.stale)) return;
    this.heard = [performance.now(), Date.now()];
    if (this.confirmedAt === null || Date.parse(message.at) > Date.parse(this.confirmedAt))
      this.confirmedAt = message.at;
    if (message.type === "jackpot" && isNewer(message, this.newest)) {
      this.newest = message;
      this.take(message);
    }
  }

  connect() {
    const address = new URL(this.settings.socket, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    const opened = performance.now();
    this.socketHeard = opened;
    socket.addEventListener("message", (event) => {
      this.socketHeard = performance.now();
      this.wait = FIRST_MS;
      this.told(JSON.parse(event.data));
    });
    const watch = setInterval(() => {
      if (performance.now() - this.socketHeard > SILENT_MS) over(null);
    }, 500);
    const over = (event) => {
      if (event?.code === NOT_ENROLLED) this.ask(true); // whether it is so, and what to do then
      clearInterval(watch);
      if (this.socket !== socket) return;
      this.socket = null;
      socket.close();
      setTimeout(() => this.connect(), random(this.wait / 2, this.wait));
      this.wait = Math.min(this.wait * 2, MOST_MS);
    };
    this.socket = socket;
    socket.addEventListener("close", over);
  }

  async ask(atOnce = false) {
    if (this.asking || (!atOnce && this.silence < ASK_MS * 1.5)) return;
    this.asking = true;
    try {
      const headers = { Accept: "application/json", "X-Saalchef-Device": this.settings.device };
      const answer = await fetch(this.settings.now, {
        headers,
        cache: "no-store",
        signal: AbortSignal.timeout(ASK_MS * 2),
      });
      if (answer.ok) this.told(await answer.json());
      else if (answer.status === 401) this.gone();
    } catch (error) {
      if (!isNoAnswer(error)) throw error; // no server: asked again, and the page says so by itself
    } finally {
      this.asking = false;
    }
  }
}

// Whether a failed fetch means that there was no answer that can be read.
export const isNoAnswer = (error) =>
  error instanceof TypeError || error instanceof SyntaxError || error instanceof DOMException;

function isNewer(one, other) {
  if (other === null) return true;
  const [a, b] = [one, other].map((told) => [
    told.incarnation,
    told.version,
    told.phase_number,
    told.turn,
  ]);
  const place = a.findIndex((value, index) => value !== b[index]);
  return place >= 0 && a[place] > b[place];
}
