// The sheet of a count: each denomination by colour, shape and value, and one number pad.
import { useEffect } from "preact/hooks";
import { amount, html, icon, money, w } from "tablet/frame/words";
import {
  back,
  chips,
  choose,
  digit,
  draft,
  isOff,
  isTyped,
  linesOf,
  missing,
  piecesOf,
  stack,
  sumOf,
  typedLines,
} from "tablet/count/flow";

export const Look = ({ chip }) =>
  html`<span class="look ${chip.colour} ${chip.shape}" aria-hidden="true"></span>`;

// "10 stacks + 8", of what stacks are made of; nothing is added to whole ones.
export function spoken(chip, pieces) {
  const [stacks, rest] = [Math.floor(pieces / chip.stack), pieces % chip.stack];
  if (!stacks) return w("count_pieces", { pieces });
  if (!rest) return stacks === 1 ? w("count_whole_stack") : w("count_whole_stacks", { stacks });
  return stacks === 1
    ? w("count_one_stack", { pieces: rest })
    : w("count_stacks", { stacks, pieces: rest });
}

export function Pieces({ done }) {
  const { at } = draft.value;
  const left = missing();
  const isLast = left.length === 0 || at === chips.length - 1;
  const next = () => {
    if (!left.length) done();
    else choose(isLast ? chips.indexOf(left[0]) : at + 1);
  };
  useKeys({ at, next });
  const nextAt = isLast && left.length ? chips.indexOf(left[0]) : at + 1;
  return html`
    <section class="lines" aria-label=${w("count_lines")}>
      ${chips.map(
        (chip, place) =>
          html`<${Line} key=${chip.value_minor} chip=${chip} place=${place}
        isHere=${place === at} />`,
      )}
    </section>
    <p class="sum">
      <span>${w("count_so_far", { count: chips.length - left.length, all: chips.length })}</span>
      <b>${money(sumOf(typedLines()))}</b></p>
    <aside class="typing" aria-label=${w("count_pad")}>
      <div class="numbers">
        ${[..."789456123"].map(
          (sign) =>
            html`<button type="button" key=${sign}
          onClick=${() => digit(sign)}>${sign}</button>`,
        )}
        <button type="button" class="word" aria-label=${w("delete")}
          onClick=${back}>${icon("undo", 30)}</button>
        <button type="button" onClick=${() => digit("0")}>0</button>
        <button type="button" class="word" data-act="stack" onClick=${stack}>
          <span>${w("count_stack")}</span>
          <span>${w("count_stack_of", { count: chips[at].stack })}</span></button>
      </div>
      <button type="button" class="do next" data-act="next"
        disabled=${left.length === 0 || nextAt >= chips.length || nextAt === at}
        onClick=${next}>${nextWords(chips[nextAt])}${icon("next", 26)}</button>
      <button type="button" class="do done" data-act="done"
        disabled=${left.length > 0 || isOff.value} onClick=${done}>
        <b>${w("count_done")}</b>
        ${left.length > 0 && html`<small>${leftWords(left)}</small>`}</button>
    </aside>`;
}

const nextWords = (chip) =>
  chip ? `${w("count_next")} · ${amount(chip.value_minor)}` : w("count_next");

const leftWords = (left) =>
  w(left.length === 1 ? "count_left_one" : "count_left_many", {
    count: left.length,
    values: left.map((chip) => amount(chip.value_minor)).join(", "),
  });

function Line({ chip, place, isHere }) {
  const isThere = isTyped(chip);
  void linesOf(chip.value_minor);
  const pieces = piecesOf(chip);
  return html`
    <button type="button" class="line" aria-current=${isHere ? "true" : undefined}
      data-value=${chip.value_minor} onClick=${() => choose(place)}
        ref=${(line) => isHere && line?.scrollIntoView({ block: "nearest" })}>
      <${Look} chip=${chip} />
      <span class="value"><b>${amount(chip.value_minor)}</b> <small>${chip.words}</small></span>
      <span class="spoken">${isThere ? spoken(chip, pieces) : w("count_empty")}</span>
      <b class="pieces">${isThere ? pieces : "–"}</b>
      <span class="worth">${isThere ? money(pieces * chip.value_minor) : ""}</span>
    </button>`;
}

// For who has a keyboard: digits, Backspace, Enter, and the arrows.
function useKeys({ at, next }) {
  useEffect(() => {
    const pressed = (event) => {
      const { key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^\d$/.test(key)) digit(key);
      else if (key === "Backspace") back();
      else if (key === "ArrowDown") choose(at + 1);
      else if (key === "ArrowUp") choose(at - 1);
      else if (key === "Enter" && !event.target.closest("button, a")) next();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}
