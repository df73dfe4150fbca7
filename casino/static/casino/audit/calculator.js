// What the calculator draws: how often a hit comes at an amount or above, and how the meter grows until somebody wins it.
import uPlot from "uplot";

const told = JSON.parse(document.getElementById("plots").textContent);
const style = getComputedStyle(document.documentElement);
const colour = (name) => style.getPropertyValue(name).trim();
const lines = [
  { stroke: colour("--lock"), width: 3 },
  { stroke: colour("--appr"), width: 2, dash: [8, 5] },
];

function draw(place, plot) {
  const axis = {
    stroke: colour("--text2"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: "12px Inter Variable",
  };
  const [across, up] = [new Map(plot.across), new Map(plot.up)];
  const size = () => ({ width: place.clientWidth, height: 280 });
  const chart = new uPlot(
    {
      ...size(),
      legend: { show: false },
      cursor: { show: false },
      padding: [16, 40, 0, 0],
      scales: { x: { time: false }, y: { range: [plot.up[0][0], plot.up.at(-1)[0]] } },
      axes: [
        {
          ...axis,
          splits: () => [...across.keys()],
          values: (_chart, all) => all.map((one) => across.get(one)),
          space: 90,
        },
        {
          ...axis,
          size: 96,
          splits: () => [...up.keys()],
          values: (_chart, all) => all.map((one) => up.get(one)),
        },
      ],
      series: [{}, ...plot.lines.map((_line, at) => ({ ...lines[at], points: { show: false } }))],
      hooks: { draw: [(one) => mark(one, plot.mark)] },
    },
    [plot.places, ...plot.lines],
    place,
  );
  addEventListener("resize", () => chart.setSize(size()));
}

// Break-even: a line across where a coin is worth what it costs.
function mark(chart, at) {
  if (!at) return;
  const { ctx, bbox } = chart;
  ctx.save();
  [ctx.strokeStyle, ctx.fillStyle, ctx.lineWidth] = [colour("--warn"), colour("--warn"), 2];
  ctx.font = `${12 * devicePixelRatio}px Inter Variable`;
  ctx.beginPath();
  ctx.textBaseline = "alphabetic"; // the axes have left another one
  const place = chart.valToPos(at.at, at.across ? "x" : "y", true);
  if (at.across) {
    ctx.moveTo(place, bbox.top);
    ctx.lineTo(place, bbox.top + bbox.height);
    ctx.textAlign = place > bbox.left + bbox.width / 2 ? "right" : "left";
    ctx.fillText(
      at.text,
      place + (place > bbox.left + bbox.width / 2 ? -6 : 6),
      bbox.top + 14 * devicePixelRatio,
    );
  } else {
    ctx.moveTo(bbox.left, place);
    ctx.lineTo(bbox.left + bbox.width, place);
    ctx.textAlign = "left";
    ctx.fillText(at.text, bbox.left + 6 * devicePixelRatio, place - 6 * devicePixelRatio);
  }
  ctx.stroke();
  ctx.restore();
}

for (const place of document.querySelectorAll("[data-plot]")) draw(place, told[place.dataset.plot]);
