// What a game of hands plays on the tablet, for tests: nothing yet. The frame asks for it as `tablet/play`.
import { signal } from "@preact/signals";
import { Call, CallKey } from "tablet/frame/calls";
import { Big } from "tablet/frame/keys";
import { standing } from "tablet/frame/live";
import { begun } from "tablet/frame/outbox";
import { sheet } from "tablet/frame/screen";
import { html } from "tablet/frame/words";

export const draft = signal({ phase: "bets", mode: "new", number: 1 });
export const begin = () => begun(async () => {}, {});
export const isRunning = () => false;
export const headOf = ({ number }) => ({ number });
export const title = ({ number }) => `Hand ${number}`;
export const said = () => [];

export const Phase = () => html`<span class="pill open">No hand</span>`;
export const Board = () =>
  html`<div class="columns"><p>${standing.value.guests.map((one) => `Seat ${one.box}`).join(", ")}</p></div>`;
export const Rail = () => html`<${CallKey} />`;
export const Action = () => html`<${Big} kind="wait" label="Next hand" />`;
export const Sheet = ({ now }) =>
  sheet.value.name === "call" ? html`<${Call} now=${now} />` : null;
