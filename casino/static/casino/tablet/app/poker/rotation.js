// Which variant is dealt, where a table plays several in turn (POK-1): each for an orbit, as many
// hands as were dealt in at its first one, or for as many as are posted; by a key another one.
import { page } from "tablet/frame/page";
import { html, w } from "tablet/frame/words";
import { Framed } from "tablet/frame/keys";
import { sheet } from "tablet/frame/screen";
import { dealtIn, draft, show } from "tablet/hand/state";
import { release } from "tablet/hand/flow";

const { variants, rotate_hands: posted } = page.game;
const FIRST = { ended: 0, count: null }; // hands of this variant that ended, and how many it gets

const placeOf = (code) => variants.findIndex((variant) => variant.code === code);
const after = (code) => variants[(placeOf(code) + 1) % variants.length];

// What a table begins with: the variant of its newest hand. `turn`: null before the first hand.
export function begins(last) {
  const place = Math.max(0, last ? placeOf(last.variant) : 0);
  return { variant: variants[place].code, turn: null };
}

const countOf = (now) => now.turn?.count ?? posted ?? dealtIn(now).length;

// As another hand begins.
export function nextTurn(now) {
  if (!now.turn || !now.dealt) return { ...now, turn: now.turn ?? FIRST };
  const [ended, count] = [now.turn.ended + 1, countOf(now)];
  if (ended < count) return { ...now, turn: { ended, count } };
  return { ...now, variant: after(now.variant).code, turn: FIRST };
}

export function railKeys(now) {
  if (variants.length < 2 || now.mode === "correct") return [];
  const { title } = variants[placeOf(now.variant)];
  return [{ label: title, sub: turnWords(now), picture: "cards", opens: "variant" }];
}

function turnWords(now) {
  if (now.mode !== "new" || !now.turn) return w("variant");
  const [number, count] = [now.turn.ended + 1, countOf(now)];
  if (now.phase === "between" && number >= count)
    return w("variant_then", { title: after(now.variant).title });
  return w("variant_turn", { number, count });
}

export function Variant({ now }) {
  const choose = (code) => {
    release();
    const isRunning = draft.value.phase === "dealt";
    const turn = draft.value.mode === "new" ? { turn: isRunning ? FIRST : null } : {};
    show({ ...draft.value, variant: code, ...turn });
    sheet.value = null;
  };
  return html`
    <${Framed} title=${w("variant")}>
      <div class="choices"><p>${w("variant_help")}</p>
        <div class="row">${variants.map(
          ({ code, title }) =>
            html`<button type="button"
          class="do large" key=${code} data-variant=${code}
          aria-pressed=${String(code === now.variant)} onClick=${() => choose(code)}>${title}
          </button>`,
        )}</div>
      </div>
    <//>`;
}
