// What goes wrong at a table of hands is recorded with what was decided about it (POK-9): the list
// of the rule, then in which hand and at which seat, and the decisions that the rule allows.
import { page } from "tablet/frame/page";
import { html, w } from "tablet/frame/words";
import { kept, tablePath } from "tablet/frame/commands";
import { Framed } from "tablet/frame/keys";
import { sheet } from "tablet/frame/screen";
import { draft, numberOf, show, stays } from "tablet/hand/state";

const { irregularities: cases, case_rules: rules } = page.game;

// The hand that runs, else the last one; none before the first.
const handOf = (now) =>
  now.phase === "dealt" ? { hand: now.hand, number: numberOf(now) } : (now.last ?? null);

export function Irregular({ open, now }) {
  const listed = cases.find(({ code }) => code === open.of);
  const turn = (more) => () => {
    sheet.value = { ...open, ...more };
  };
  if (!listed)
    return html`<${Framed} title=${w("irregular")}>
      <div class="choices"><p>${w("irregular_help")}</p>
        <div class="row">${cases.map(
          ({ code, title }) =>
            html`<button type="button" class="do" key=${code} data-of=${code}
            onClick=${turn({ of: code })}>${title}</button>`,
        )}</div>
      </div>
    <//>`;
  return html`<${Framed} title=${listed.title}>
    <div class="choices"><p>${rules[listed.code]} <span class="rule-id">POK-9</span></p>
      <${Where} open=${open} now=${now} turn=${turn} />
      <h3>${w("irregular_decided")}</h3>
      <div class="row">${listed.decisions.map(
        (decision) =>
          html`<button type="button" class="do" key=${decision.code}
          data-decision=${decision.code}
          onClick=${() => record(open, now, listed, decision)}>${decision.label}</button>`,
      )}</div>
    </div>
  <//>`;
}

function Where({ open, now, turn }) {
  const known = handOf(now);
  const hands = known ? [false, true] : [];
  const seats = stays.value.map(({ seat }) => seat).sort((one, other) => one - other);
  const key = (label, isOn, act) =>
    html`<button type="button" class="do" key=${label}
    aria-pressed=${String(isOn)} onClick=${act}>${label}</button>`;
  return html`<h3>${w("irregular_where")}</h3>
    <div class="row">${hands.map((between) =>
      key(
        between ? w("between_hands") : w("hand_number", known),
        Boolean(open.between) === between,
        turn({ between }),
      ),
    )}</div>
    <div class="row">${[null, ...seats].map((seat) =>
      key(
        seat ? w("seat", { seat }) : w("no_seat_of_it"),
        (open.seat ?? null) === seat,
        turn({ seat }),
      ),
    )}</div>`;
}

// The server knows a hand once it has ended: what is of one that runs goes behind it.
async function record(open, now, listed, decision) {
  const about = open.between ? null : handOf(now);
  const entry = {
    kind: "irregular",
    path: tablePath("irregularities/"),
    body: {
      hand: about?.hand ?? null,
      kind: listed.code,
      decision: decision.code,
      reason: `${listed.title}: ${decision.label}`,
      seat: open.seat ?? null,
    },
  };
  if (about && now.phase === "dealt") {
    const waits = { ...entry, act: "irregular", of: [], hand: about.hand };
    show({ ...draft.value, waiting: [...draft.value.waiting, waits] });
  } else if (!(await kept(entry))) return;
  sheet.value = null;
}
