// Why a fee is what it is, in the words of the rules (RAK-1, RAK-3).
import { page } from "tablet/frame/page";
import { html, money } from "tablet/frame/words";

export function rakeWords({ code, bp, minor: _minor, parts: _parts, ...data }) {
  const { rule, words } = page.game.reasons[code];
  const values = Object.fromEntries(
    Object.entries(data).map(([name, minor]) => [name, money(minor)]),
  );
  const percent = bp === undefined ? "" : String(bp / 100);
  return html`${words
    .replace(/%\((\w+)\)s/g, (_, name) => (name === "percent" ? percent : values[name]))
    .replaceAll("%%", "%")} <span class="rule">${rule}</span>`;
}
