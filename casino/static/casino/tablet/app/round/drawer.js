// The drawer of a box: whose it is, who stakes on it with them, and what else the game lets choose there.
import { page } from "tablet/frame/page";
import { html, icon, w } from "tablet/frame/words";
import { draft, guestAt, guestsOf, take } from "tablet/round/state";
import { act } from "tablet/round/later";
import {
  choose,
  comesBeside,
  guestGoes,
  hasRoom,
  join,
  leaves,
  newGuest,
  others,
  part,
  placesFree,
} from "tablet/round/guests";
import { link } from "tablet/frame/live";
import * as game from "tablet/game";
import { sheet } from "tablet/frame/screen";
import { Framed } from "tablet/frame/keys";

export function Drawer({ open: { box }, now }) {
  if (!now.seats[box]) return null; // who sat there was refused
  const owner = guestAt(box);
  const { said, own, help, groups = [] } = game.drawer(now, box);
  const takes = () => {
    take(own(draft.value, owner.id));
    sheet.value = null;
  };
  const alone = game.GUESTS_MOST === 1 ? w("one_guest") : "";
  return html`
    <${Framed} title=${w("box", { box })}>
      <div class="choices">
        <p>${said || ownerWords(now, box, owner)} ${alone}</p>
        <div class="row">
          ${!(own && owner) && html`<button type="button" class="do" onClick=${() => newGuest(box)}>${icon("user")}${w("new_guest")}</button>`}
          ${!own && owner && html`<button type="button" class="do" disabled=${link.value === "off"} onClick=${() => guestGoes(box)}>${icon("out")}${w("guest_goes")}</button>`}
          ${own && owner && html`<button type="button" class="do" onClick=${takes}>${w("own_guest", { number: owner.number })}</button>`}
        </div>
        ${game.GUESTS_MOST > 1 && html`<${Beside} box=${box} now=${now} />`}
        ${help && html`<p>${help}</p>`}
        ${groups.length > 0 && html`<div class="chosen">${groups.map((one) => html`<${Group} key=${one.title} one=${one} />`)}</div>`}
      </div>
    <//>`;
}

const ownerWords = (now, box, owner) =>
  owner
    ? w("guest_sits", { number: owner.number })
    : w(game.guestsAt(now.seats[box]).includes(null) ? "guest_comes" : "no_owner");

const Group = ({ one: { title, keys } }) =>
  html`
  <section><h3>${title}</h3><div class="row">${keys.map(
    (key) =>
      html`
    <button type="button" class="do figure" key=${key.label} aria-pressed=${String(key.on)} aria-label=${key.name} onClick=${() => choose(key)}>${key.label}</button>`,
  )}
  </div></section>`;

// What the guests of a box may do when the cards lie, guest by guest.
export function Acts({ open: { box }, now }) {
  const { groups } = game.acts(now, box);
  return html`
    <${Framed} title=${w("box", { box })}>
      <div class="choices">${groups.map(
        ({ title, keys }) =>
          html`
        <section key=${title}><h3>${title}</h3><div class="row">${keys.map(
          ({ label, name, on, disabled, turn }) =>
            html`
          <button type="button" class="do" key=${label} aria-pressed=${on ? "true" : undefined} disabled=${disabled} aria-label=${name} onClick=${() => act(turn(draft.value))}>${label}</button>`,
        )}</div></section>`,
      )}${!groups.length && html`<p>${w("nothing_to_do")}</p>`}</div>
    <//>`;
}

// Who stakes on it besides
const placeWords = ({ box, distance }) =>
  box ? w("sits_at", { box }) : w("stands_at", { place: distance });

function Beside({ box, now }) {
  const there = guestsOf(now, box).filter((one) => one.box !== box);
  return html`
    ${there.length > 0 && html`<h3>${w("beside")}</h3>`}
    ${there.map(
      (one) =>
        html`
      <div class="row beside" key=${one.id} data-guest=${one.number}><p><b>${w("guest", { number: one.number })}</b> ${placeWords(one)}</p>
        <button type="button" class="do" onClick=${() => part(box, one)}>${w("stake_off", { number: one.number })}</button>
        ${!one.box && html`<${Leaves} one=${one} />`}
      </div>`,
    )}
    ${hasRoom(now, box) ? html`<${Joining} box=${box} now=${now} />` : html`<p>${w("box_full", { count: game.GUESTS_MOST })}</p>`}`;
}

const Leaves = ({ one }) =>
  html`
  <button type="button" class="do" disabled=${link.value === "off"} onClick=${() => leaves(one)}>${icon("out")}${w("guest_goes_named", { number: one.number })}</button>`;

// Who is at the table already, and who comes: standing, at a place counted from the shoe.
function Joining({ box, now }) {
  const here = others(now, box);
  return html`
    ${
      here.length > 0 &&
      html`<section><h3>${w("joins")}</h3><div class="row">${here.map(
        (one) =>
          html`
      <button type="button" class="do" key=${one.id} onClick=${() => join(box, one)}>${w("guest", { number: one.number })} · ${placeWords(one)}</button>`,
      )}
    </div></section>`
    }
    <section><h3>${w("comes_beside")}</h3><div class="row">${placesFree(page.game.boxes).map(
      (place) =>
        html`
      <button type="button" class="do figure place" key=${place} disabled=${link.value === "off"} aria-label=${w("stands_at", { place })} onClick=${() => comesBeside(box, place)}>${place}</button>`,
    )}
    </div></section>`;
}
