// Two people sign a count: who has counted, and who looks at it.
import { useState } from "preact/hooks";
import { page } from "tablet/frame/page";
import { amount, html, icon, money, w } from "tablet/frame/words";
import { PIN, PinPad } from "tablet/frame/pin-pad";
import { Look, spoken } from "tablet/count/pieces";
import { chips, enter, isOff, problem, sumOf, typedLines, witness } from "tablet/count/flow";

// The pieces as both see them; no figure of the books.
function Counted({ lines }) {
  return html`
    <div class="seen">
      <dl>
        ${lines.map(({ value_minor, pieces }) => {
          const chip = chips.find((one) => one.value_minor === value_minor);
          return html`<div key=${value_minor}>
            <dt>${chip && html`<${Look} chip=${chip} />`}<b>${amount(value_minor)}</b><span
              class="visually-hidden">${chip?.words}</span></dt>
            <dd><small>${chip && spoken(chip, pieces)}</small> <b>${pieces}</b></dd></div>`;
        })}
      </dl>
      <p class="sum"><span>${w("count_sum")}</span> <b>${money(sumOf(lines))}</b></p>
    </div>`;
}

// The last digit sends it; what was refused begins anew.
function Signing({ id, title, help, act, children }) {
  const [pin, setPin] = useState("");
  const take = async (text) => {
    if (pin.length === PIN) return;
    setPin(text);
    if (text.length < PIN) return;
    await act(text);
    setPin("");
  };
  return html`
    <div class="signing"><h2>${title}</h2>${help && html`<p>${help}</p>`}${children}
      ${!isOff.value && html`<${PinPad} id=${id} pin=${pin} take=${take} />`}</div>`;
}

export function SignEntry({ back, done }) {
  const act = async (secret) => {
    if (await enter(secret)) done();
  };
  return html`
    <section class="sheet signs-it" aria-label=${w("count_tray")}>
      <${Counted} lines=${typedLines()} />
      <${Signing} id="count-pin" title=${w("count_sign", { name: page.name })} act=${act}>
        ${
          page.demo_pin &&
          html`<p
          class="demo-secret">${w("demo_pin")} <b>${page.demo_pin}</b></p>`
        }
        <button type="button" class="do" data-act="back" onClick=${() => {
          problem.value = null;
          back();
        }}>${icon("undo")}${w("count_back")}</button>
      <//>
    </section>`;
}

export function Witness({ now }) {
  const entry = now.entries.at(-1);
  const people = page.witnesses.filter(({ id }) => id !== entry.counter);
  const [person, setPerson] = useState(people[0]?.id ?? null);
  const [username, setUsername] = useState("");
  const [ok, setOk] = useState(null);
  const name = people.find(({ id }) => id === person)?.name ?? username.trim();
  const choose = (id) => () => setPerson(id);
  const act = (secret) => witness({ ok, person, username: person ? "" : username.trim(), secret });
  return html`
    <section class="sheet signs-it" aria-label=${w("count_witness")}>
      <${Counted} lines=${entry.lines} />
      ${
        ok === null
          ? html`<div class="signing"><h2>${w("count_witness")}</h2>
            <p>${w("count_witness_help")}</p>
        <div class="row" role="group" aria-label=${w("count_witness")}>
          ${people.map(
            (one) =>
              html`<button type="button" class="do" key=${one.id}
            data-person=${one.id} aria-pressed=${String(one.id === person)}
              onClick=${choose(one.id)}>${icon("user")}${one.name}</button>`,
          )}
          <button type="button" class="do" data-person="other"
            aria-pressed=${String(person === null)}
              onClick=${choose(null)}>${icon("badge")}${w("count_somebody")}</button>
        </div>
        ${
          person === null &&
          html`<label class="username">${w("count_username")}<input
          id="count-username" maxlength="60" autocomplete="off" autocapitalize="none"
            spellcheck="false" value=${username}
              onInput=${({ target }) => setUsername(target.value)} /></label>`
        }
        <div class="row">
          <button type="button" class="do large" data-ok="yes" disabled=${!name}
            onClick=${() => setOk(true)}>${icon("ok")}${w("count_right")}</button>
          <button type="button" class="do" data-ok="no" disabled=${!name}
            onClick=${() => setOk(false)}>${icon("cross")}${w("count_wrong")}</button>
        </div></div>`
          : html`<${Signing} id="witness-pin"
            title=${w(ok ? "count_right_by" : "count_wrong_by", { name })} act=${act}>
        <button type="button" class="do" data-act="back" onClick=${() => {
          problem.value = null;
          setOk(null);
        }}>${icon("undo")}${w("count_cancel")}</button>
      <//>`
      }
    </section>`;
}
