// A display of one jackpot: hears, shows, reads back, confirms.
import { Feed } from "display/feed";
import { Gate } from "display/gate";
import { View } from "display/view";

const data = (name) => JSON.parse(document.getElementById(name).textContent);
const settings = data("settings");
const SHIFT_MS = 60_000;

const gone = () => location.reload();
const view = new View(settings, data("words"), data("hands"));
const feed = new Feed(settings, (told) => view.show(told), gone);
const gate = new Gate(settings, view, feed, gone);

feed.start(data("first"));
gate.start();

let wasStale = null;
function watch() {
  const isStale = feed.isStale;
  if (isStale !== wasStale) view.state(isStale, isStale ? feed.confirmedAt : null);
  wasStale = isStale;
}
watch();
setInterval(watch, 200);

// The time of the server, which may be another than the machine's.
const offset = () => (feed.confirmedAt ? Date.parse(feed.confirmedAt) - feed.heard[1] : 0);
const tick = () => view.tick(new Date(Date.now() + offset()));
tick();
setInterval(tick, 1_000);

// The same pixels for years would burn in: the whole picture wanders, a pixel a minute, to four pixels in each direction and back.
const PLACES = [
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 3],
  [4, 2],
  [3, 1],
  [2, 0],
  [1, -1],
  [0, -2],
  [-1, -3],
  [-2, -4],
  [-3, -4],
  [-4, -3],
  [-4, -2],
  [-3, -1],
  [-2, 0],
  [-1, 1],
  [-2, 2],
  [-3, 3],
  [-3, 4],
  [-2, 4],
  [-1, 3],
  [0, 2],
  [1, 1],
  [2, 0],
  [3, -1],
  [3, -2],
  [2, -3],
  [1, -2],
  [0, -1],
];
let place = 0;
setInterval(() => {
  place = (place + 1) % PLACES.length;
  const [x, y] = PLACES[place];
  document.body.style.setProperty("--shift-x", `${x}px`);
  document.body.style.setProperty("--shift-y", `${y}px`);
}, SHIFT_MS);

// A screen that goes to sleep shows nothing. Not every browser can be asked, and none while the page is hidden.
const wake = () =>
  document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});
document.addEventListener("visibilitychange", wake);
wake();

// Once a day the page is loaded anew, within ten minutes of the hour so that not all displays go at once, and never at a hit.
const hour = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  hourCycle: "h23",
  timeZone: settings.zone,
});
const started = performance.now();
const late = Math.random() * 600_000;
let due = null;
setInterval(() => {
  const isHour = Number(hour.format(Date.now() + offset())) === settings.reload_hour;
  if (!isHour) due = null;
  if (!isHour || performance.now() - started < 7_200_000) return;
  due ??= performance.now() + late;
  const isQuiet = settings.quiet.includes(feed.newest?.phase) && !feed.newest.gate && !feed.isStale;
  if (performance.now() > due && isQuiet) location.reload();
}, 30_000);
