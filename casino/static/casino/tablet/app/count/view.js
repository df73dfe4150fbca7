// The frame of a count: what is counted, by whom, and the step that is next.
import { useState } from "preact/hooks";
import { page } from "tablet/frame/page";
import { html, icon, w } from "tablet/frame/words";
import { link, standing } from "tablet/frame/live";
import { Pieces } from "tablet/count/pieces";
import { SignEntry, Witness } from "tablet/count/sign";
import { begin, count, draft, giveUp, isOff, isOver, isSending, problem } from "tablet/count/flow";

export function Counting() {
  const [isSigning, setSigning] = useState(false);
  const now = count.value;
  const isEntered = now?.state === "entered";
  return html`
    <div class="count" data-state=${now?.state ?? "none"}>
      <${Head} />
      <div class="told" aria-live="polite"><${Told} /></div>
      ${
        !now
          ? html`<${Begin} />`
          : isOver.value
            ? html`<${Over} now=${now} />`
            : isEntered
              ? html`<${Witness} now=${now} key=${now.entries.length} />`
              : isSigning
                ? html`<${SignEntry} back=${() => setSigning(false)}
                  done=${() => setSigning(false)} />`
                : draft.value && html`<${Pieces} now=${now} done=${() => setSigning(true)} />`
      }
    </div>`;
}

function Head() {
  const now = count.value;
  const state = link.value;
  const words = { off: "offline", ok: "connected", unknown: "connecting" }[state] ?? state;
  return html`
    <header class="head">
      <h1>${standing.value.name}</h1>
      ${now && html`<span class="purpose">${page.purposes[now.purpose]}</span>`}
      <span class="pill unseen">${icon("eye", 20)}<span>${w("count_unseen")}</span></span>
      <span class="end">
        <span
          class="link ${state}"
          role="status">${icon(isOff.value ? "offline" : "ok", 20)}<span>${w(words)}</span></span>
        <span class="who-counts">${icon("user", 22)}<span>${page.name}</span></span>
        ${
          now && !isOver.value
            ? html`<${GiveUp} />`
            : html`<a class="do"
          href=${page.table_page}>${w("count_to_table")}</a>`
        }
      </span>
    </header>`;
}

function GiveUp() {
  const [isSure, setSure] = useState(false);
  return html`<button type="button" class="do" data-act="give-up"
    disabled=${isOff.value || isSending.value}
    onClick=${() => (isSure ? giveUp() : setSure(true))} onBlur=${() => setSure(false)}>
    ${w(isSure ? "count_give_up_sure" : "count_give_up")}</button>`;
}

// What was refused, what is said of the entry, and whether the server is heard.
function Told() {
  const now = count.value;
  const said = problem.value;
  if (said)
    return html`<div class="say alarm" role="alert">${icon("warn")}<p>
      <b>${said.title}</b> ${said.detail}</p></div>`;
  if (isOff.value)
    return html`<div
    class="say offline">${icon("offline")}<p>${w("count_offline")}</p></div>`;
  if (now?.state === "again")
    return html`<div class="say appr" data-why="again">${icon("refresh")}<p>
      <b>${w("count_again")}</b> ${w("count_again_help")}</p></div>`;
  if (now?.state === "begun" && now.entries.length > 0)
    return html`<div class="say appr" data-why="anew">${icon("refresh")}<p>
      <b>${w("count_anew")}</b> ${w("count_anew_help")}</p></div>`;
  return null;
}

function Begin() {
  const isOpen = Boolean(standing.value.session);
  const codes = Object.keys(page.purposes).filter((code) => (code !== "opener") === isOpen);
  return html`
    <section class="sheet" aria-label=${w("count_tray")}>
      <h2>${w(isOpen ? "count_what_for" : "count_tray")}</h2>
      <p>${w(isOpen ? "count_what_for_help" : "count_opener_help")}</p>
      <div class="row">
        ${codes.map(
          (code) =>
            html`<button type="button" class="do large" key=${code} data-purpose=${code}
          disabled=${isOff.value || isSending.value}
            onClick=${() => begin(code)}>${page.purposes[code]}</button>`,
        )}
      </div>
    </section>`;
}

const HELPS = { opener: "count_signed_opener", closer: "count_signed_closer" };

function Over({ now }) {
  const isSigned = now.state === "signed";
  return html`
    <section class="sheet over" role="status">
      <h2>${icon(isSigned ? "ok" : "warn", 40)}
        ${w(isSigned ? "count_signed" : "count_given_up")}</h2>
      ${isSigned && html`<p>${w(HELPS[now.purpose] ?? "count_signed_help")}</p>`}
      <a class="do large" data-act="table" href=${page.table_page}>${w("count_to_table")}</a>
    </section>`;
}
