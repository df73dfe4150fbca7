// A PIN is typed with a thumb, or on a keyboard; the last digit sends it.
import { html, w } from "tablet/frame/words";

export const PIN = 6; // digits

// `take` gets what is typed by now, also a part of it.
export function PinPad({ id, pin, take }) {
  const key = (digit) =>
    html`<button type="button" key=${digit} class=${digit === "0" ? "zero" : "digit"}
      onClick=${() => take(pin + digit)}>${digit}</button>`;
  const typed = ({ target }) => take(target.value.replace(/\D/g, "").slice(0, PIN));
  return html`
    <section class="pin">
      <label for=${id}>${w("pin")}</label>
      <input id=${id} class="digits" type="password" inputmode="none" maxlength=${PIN}
        autocomplete="off" value=${pin} onInput=${typed} ref=${focused} />
      <div class="pad">
        ${[..."1234567890"].map(key)}
        <button type="button" class="word"
          onClick=${() => take(pin.slice(0, -1))}>${w("delete")}</button>
      </div>
    </section>`;
}

const focused = (input) => input?.focus();
