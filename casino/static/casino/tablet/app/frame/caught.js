// A screen that cannot be drawn says so, and offers the way out: what was entered is stored.
import { Component } from "preact";
import { html, icon, w } from "tablet/frame/words";

export const Lone = ({ title, help, children }) =>
  html`<section class="lone" role="alert"><h1>${icon("warn", 32)} ${title}</h1><p>${help}</p>${children}</section>`;

export class Caught extends Component {
  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  componentDidCatch(error) {
    console.warn(error);
  }

  render({ children }, { isBroken }) {
    if (!isBroken) return children;
    return html`<${Lone} title=${w("broken")} help=${w("broken_help")}><button type="button" class="button act" onClick=${() => location.reload()}>${w("load_again")}</button><//>`;
  }
}
