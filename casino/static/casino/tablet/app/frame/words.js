// The page's words, amounts and pictures. Every word comes from the server in the language of who is signed in.
import { h } from "preact";
import htm from "htm";
import { data, page } from "tablet/frame/page";

export const html = htm.bind(h);
const words = data("words");

// What is drawn stays as it is until it is drawn anew: Preact does not look into a component that it is given for the second time.
const Kept = ({ node }) => node;
export const kept = (node, key) => h(Kept, { node, key });

// Places in which something is drawn again only if something else is to be written there. What a finger does there must follow from
// what is written, or be read at that moment.
export function places() {
  const drawn = new Map(); // by place what was written there, and how it was drawn
  return (place, written, draw) => {
    const [before, text] = [drawn.get(place), JSON.stringify(written)];
    if (before?.text === text) return before.node;
    const node = kept(draw(), place);
    drawn.set(place, { text, node });
    return node;
  };
}
const style = page.money;

export function w(name, values = {}) {
  if (!(name in words)) throw new Error(`no word for ${name}`);
  return fill(words[name], values);
}

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

// An amount (never a negative one) as the house writes it, with its currency: the page's copy of `casino.text.formats.format_money`.
export const money = (minor) => written(style, minor);
export const written = (how, minor) => `${how.before}${figure(minor, how)}${how.after}`;

// The figure alone, for a tile: without the currency, and without the cents if there are none.
export function amount(minor) {
  const [text, unit] = [figure(minor), 10 ** style.digits];
  return minor % unit || !style.digits ? text : text.slice(0, -1 - style.digits);
}

// What a guest wins or loses, always with its sign.
export const signed = (minor) =>
  `${minor < 0 ? style.minus : minor > 0 ? "+" : "±"}${amount(minor)}`;

function figure(minor, { digits, thousands, decimal: point } = style) {
  const unit = 10 ** digits;
  const whole = String(Math.floor(Math.abs(minor) / unit)).replace(/\B(?=(\d{3})+$)/g, thousands);
  return digits ? `${whole}${point}${String(Math.abs(minor) % unit).padStart(digits, "0")}` : whole;
}

// "12.50" or "12,5" as minor units; null for what is no amount.
export function typed(text) {
  const parts = /^(\d{1,9})(?:[.,](\d{1,3}))?$/.exec(text);
  if (!parts || (parts[2] ?? "").length > style.digits) return null;
  return (
    Number(parts[1]) * 10 ** style.digits + Number((parts[2] ?? "").padEnd(style.digits, "0") || 0)
  );
}

export const decimal = style.decimal;
export const hasCents = style.digits > 0;

const clock = new Intl.DateTimeFormat("de-CH", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZone: page.zone,
});
export const time = (ms) => clock.format(ms);

export const icon = (name, size = 24) =>
  html`<svg class="icon" width=${size} height=${size} aria-hidden="true"><use href="${page.icons}#${name}" /></svg>`;
export const suit = (name) =>
  html`<svg class="suit" aria-hidden="true"><use href="${page.suits}#${name}" /></svg>`;
