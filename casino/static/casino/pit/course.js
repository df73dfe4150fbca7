// The meter's course over an epoch, with marks for its opening, its hits and what was put right.
import uPlot from "uplot";

const root = document.documentElement;
// Ticks stand at whole times: none of them is written twice, or half a second beside its line.
const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
  172_800, 604_800, 2_592_000, 7_776_000,
];
let chart = null;
addEventListener("resize", () => chart?.setSize(size()));

const size = () => ({ width: document.querySelector("[data-chart]").clientWidth, height: 260 });

async function read(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    return answer.ok ? await answer.json() : null;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null; // the line is cut: what is drawn stays, and the page says that it is old
  }
}

// Draw what the server says now, in place of what was drawn; whether it was read.
export async function draw() {
  const place = document.querySelector("[data-chart]");
  const told = await read(place.dataset.chart);
  if (told === null) return false;
  document.querySelector("[data-chart-empty]").hidden = told.seconds.length > 1;
  document.querySelector("[data-chart-words]").textContent = told.words;
  place.hidden = told.seconds.length < 2;
  chart?.destroy();
  chart = null;
  if (place.hidden) return true;
  const style = getComputedStyle(root);
  const colour = (name) => style.getPropertyValue(name).trim();
  const tick = new Map(told.ticks);
  const isShort = told.seconds.at(-1) - told.seconds[0] < 900;
  const time = new Intl.DateTimeFormat("de-CH", {
    hour: "2-digit",
    minute: "2-digit",
    ...(isShort && { second: "2-digit" }),
    timeZone: told.zone,
  });
  const day = new Intl.DateTimeFormat("de-CH", {
    day: "2-digit",
    month: "2-digit",
    timeZone: told.zone,
  });
  const span = told.seconds.at(-1) - told.seconds[0];
  const label = (at) => (span > 86_400 ? day : time).format(at * 1000);
  const axis = {
    stroke: colour("--text2"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: "12px Inter Variable",
  };
  chart = new uPlot(
    {
      ...size(),
      legend: { show: false },
      cursor: { show: false },
      padding: [38, 44, 0, 0],
      scales: { x: { time: false }, y: { range: [told.ticks[0][0], told.ticks.at(-1)[0]] } },
      axes: [
        { ...axis, incrs: steps, values: (_plot, all) => all.map(label), space: 90, gap: 12 },
        {
          ...axis,
          size: 96,
          splits: () => [...tick.keys()],
          values: (_plot, all) => all.map((minor) => tick.get(minor)),
        },
      ],
      series: [
        {},
        {
          stroke: colour("--gold"),
          width: 2,
          paths: uPlot.paths.stepped({ align: 1 }),
          points: { show: false },
        },
      ],
      hooks: { draw: [(plot) => marks(plot, told.marks, colour)] },
    },
    [told.seconds, told.shown],
    place,
  );
  return true;
}

function marks(plot, all, colour) {
  const { ctx, bbox } = plot;
  ctx.save();
  [ctx.strokeStyle, ctx.fillStyle, ctx.lineWidth] = [colour("--lock"), colour("--lock"), 2];
  ctx.font = `${12 * devicePixelRatio}px Inter Variable`;
  [ctx.textAlign, ctx.textBaseline] = ["left", "alphabetic"]; // the axes have left others
  let end = 0;
  for (const one of all) {
    const x = plot.valToPos(one.at, "x", true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const width = ctx.measureText(one.text).width;
    const begin = Math.min(x, bbox.left + bbox.width - width);
    const row = begin < end ? 22 : 6; // above the one before it, where that would be written over
    ctx.fillText(one.text, begin, bbox.top - row * devicePixelRatio);
    end = row === 6 ? begin + width + 8 * devicePixelRatio : 0;
  }
  ctx.restore();
}
