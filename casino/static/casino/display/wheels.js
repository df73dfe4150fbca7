// One amount as wheels, and what is really to be seen of them.
//
// A wheel is a window onto a column of the digits 0 to 9, twice, so that it always turns upwards. The text comes from the server whole,
// separators and all; nothing is formatted here. `read` asks the page's geometry, not what was meant to be shown.
const DIGIT = /^[0-9]$/;
const POINTS = [
  [0.5, 0.5],
  [0.2, 0.2],
  [0.8, 0.2],
  [0.2, 0.8],
  [0.8, 0.8],
];
const HIGH = /^['’]$/;
const EMS = { wheel: 0.52, small: 0.292, sign: 0.17 }; // widths as display.css has them
const OFF = 0.06; // of a window's height by which the digit in it may be off

export class Wheels {
  // `row`: the element that holds the wheels. `decimals`: how many digits stand after the point, and are smaller.
  constructor(row, decimals) {
    this.row = row;
    this.decimals = decimals;
    this.text = "";
  }

  // Turn to this amount; `at once` puts it there without turning, on wheels made anew.
  show(text, atOnce = false) {
    if (text === this.text && !atOnce) return;
    if (atOnce) this.row.replaceChildren();
    const slots = slotsOf(text, this.decimals);
    this.row.parentElement.style.setProperty(
      "--ems",
      String(slots.reduce((sum, slot) => sum + EMS[slot.kind], 0)),
    );
    this.fit(slots);
    [...this.row.children].forEach((slot, place) => {
      if (slots[place].kind === "sign") sign(slot, slots[place].text);
      else turn(slot.firstElementChild, Number(slots[place].text));
    });
    this.text = text;
  }

  // As many wheels as the amount has signs. Those on the right that fit stay, since what leaves the page for a moment stops turning.
  fit(slots) {
    const there = [...this.row.children];
    let kept = 0;
    while (
      kept < Math.min(there.length, slots.length) &&
      there.at(-1 - kept).dataset.kind === slots.at(-1 - kept).kind
    )
      kept += 1;
    for (const slot of there.slice(0, there.length - kept)) slot.remove();
    this.row.prepend(...slots.slice(0, slots.length - kept).map((slot) => make(slot.kind)));
  }

  // Whether no wheel turns any more.
  get still() {
    return this.row.getAnimations({ subtree: true }).every((one) => one.playState !== "running");
  }

  // The amount that is visible in the windows, "?" for a window in which no digit is whole and uncovered.
  read() {
    return [...this.row.children]
      .map((slot) => (slot.dataset.kind === "sign" ? slot.textContent : seen(slot)))
      .join("");
  }
}

// The digits of an amount, whatever stands between them.
export const digits = (text) => text.replace(/[^0-9]/g, "");

function slotsOf(text, decimals) {
  const signs = [...text];
  const count = digits(text).length;
  let before = 0;
  return signs.map((one) => {
    if (!DIGIT.test(one)) return { kind: "sign", text: one };
    before += 1;
    return { kind: before > count - decimals ? "small" : "wheel", text: one };
  });
}

function make(kind) {
  const slot = document.createElement("span");
  slot.className = kind === "sign" ? "sign" : `wheel ${kind}`;
  slot.dataset.kind = kind;
  if (kind === "sign") return slot;
  const strip = document.createElement("span");
  strip.className = "strip";
  for (let place = 0; place < 20; place += 1) {
    const cell = document.createElement("span");
    cell.textContent = String(place % 10);
    strip.append(cell);
  }
  slot.append(strip);
  return slot;
}

function sign(slot, text) {
  if (slot.textContent === text) return;
  slot.textContent = text;
  slot.classList.toggle("high", HIGH.test(text));
}

function turn(strip, digit) {
  if (strip.dataset.place === undefined) {
    put(strip, digit);
    return;
  }
  const place = Number(strip.dataset.place);
  if (place % 10 === digit) return;
  if (place > 9) {
    strip.style.setProperty("transition", "none");
    put(strip, place - 10);
    strip.getBoundingClientRect(); // it stands there before the transition comes back
    strip.style.removeProperty("transition");
  }
  put(strip, digit < place % 10 ? digit + 10 : digit);
}

function put(strip, place) {
  strip.dataset.place = String(place);
  strip.style.setProperty("transform", `translateY(${place * -5}%)`);
}

function seen(slot) {
  const window_ = slot.getBoundingClientRect();
  if (
    window_.height < 1 ||
    window_.left < 0 ||
    window_.top < 0 ||
    window_.right > innerWidth ||
    window_.bottom > innerHeight
  )
    return "?";
  const cell = [...slot.querySelectorAll(".strip > span")].find((one) => {
    const box = one.getBoundingClientRect();
    return (
      Math.abs(box.top - window_.top) < window_.height * OFF &&
      Math.abs(box.height - window_.height) < window_.height * OFF
    );
  });
  const isSeen =
    cell?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    isUncovered(cell, window_);
  return isSeen && DIGIT.test(cell.textContent) ? cell.textContent : "?";
}

// Whether nothing lies on the window, looked at in its middle and towards its corners.
function isUncovered(cell, window_) {
  return POINTS.every(([x, y]) =>
    cell.contains(
      document.elementFromPoint(window_.left + x * window_.width, window_.top + y * window_.height),
    ),
  );
}
