// The parts that a screen is made of, whatever is played: keys of the rail, the one large action, the frame of a sheet.
import { useMemo, useRef } from "preact/hooks";
import { decimal, hasCents, html, icon, kept, w } from "tablet/frame/words";
import { resting, sheet } from "tablet/frame/screen";

// Drawn again only if it says something else; what it does is always the newest.
export function Key({ label, sub, picture, onClick, disabled, on, opens, kind = "" }) {
  const act = useRef();
  act.current = onClick;
  return useMemo(
    () =>
      kept(
        html`
    <button type="button" class="rail-key ${kind}" data-opens=${opens} onClick=${() => act.current()} disabled=${disabled} aria-pressed=${on === undefined ? undefined : String(on)}>
      <span class="words">${picture && icon(picture, 24)}<b>${label}</b></span>${sub && html`<small>${sub}</small>`}
    </button>`,
      ),
    [label, sub, picture, disabled, on, opens, kind],
  );
}

// `rests`: for a moment after a change of phase it takes no tap, and looks so.
export function Big({ kind, label, sub, picture, act, doing, rests }) {
  const inside = html`${picture && icon(picture, 42)}<b>${label}</b>${sub && html`<small>${sub}</small>`}${doing && html`<span class="doing">${doing}</span>`}`;
  return html`<button type="button" class="action ${kind} ${rests && resting.value ? "resting" : ""}" aria-disabled=${String(!act)} onClick=${act ?? (() => {})}>${inside}</button>`;
}

// `reads`: there is nothing to tap in it, and what is long is scrolled by keys, too.
export const Framed = ({ title, reads, children }) =>
  html`<section class="sheet" tabindex=${reads ? "0" : "-1"} aria-label=${title}><h2>${title}</h2>${children}</section>`;

// Keys for an amount, which is typed into the sheet's `text`.
export function Numbers({ open }) {
  const put = (text) => {
    sheet.value = { ...open, text };
  };
  const text = open.text ?? "";
  const key = (sign) => () => put((text + sign).slice(0, 9));
  return html`
    <div class="numbers">
      ${[..."123456789"].map(
        (sign) =>
          html`<button type="button" key=${sign} onClick=${key(sign)}>
        ${sign}</button>`,
      )}
      ${
        hasCents
          ? html`<button type="button" onClick=${key(decimal)}>${decimal}</button>`
          : html`<span></span>`
      }
      <button type="button" onClick=${key("0")}>0</button>
      <button type="button" aria-label=${w("delete")} onClick=${() => put(text.slice(0, -1))}>
        ${icon("undo", 30)}</button>
    </div>`;
}
