// The floor is called to the table with a reason, and is told when it is no longer needed.
import { beside, isOnItsWay, tablePath, waits } from "tablet/frame/commands";
import { Framed, Key } from "tablet/frame/keys";
import { link, standing } from "tablet/frame/live";
import { isSupervisor, sheet } from "tablet/frame/screen";
import { html, w } from "tablet/frame/words";

const callFloor = (round, reason) =>
  beside("floor", round, tablePath("floor-call/"), { reason: reason ?? "" });

// The floor: called with a reason, until somebody says that it is seen to. Who is the floor calls nobody.
// `more`: there is more behind the key than the call, also without the server and for the floor.
export function CallKey({ more = false }) {
  const { call: reason, call_taken: taken } = standing.value;
  if (isSupervisor && !reason && !more) return null;
  const why = taken ? w("call_taken", { name: taken.by }) : reason ? w(`call_${reason}`) : "";
  return html`<${Key} label=${w(reason ? "floor_called" : "call_floor")} sub=${waits("floor") || why} picture="bell" opens="call" on=${Boolean(reason)} disabled=${link.value === "off" && !more} onClick=${() => {
    sheet.value = { name: "call" };
  }} />`;
}

const CALLS = ["dispute", "chips", "payout", "guest", "technical"];

// `now`: what is played at this moment; `children`: what is done beside it.
export function Call({ now: { round }, children }) {
  const { call: reason, call_taken: taken } = standing.value;
  return html`
    <${Framed} title=${w("call_floor")}>
      <div class="choices"><p>${taken && `${w("call_taken", { name: taken.by })}. `}${reason ? w("floor_called_for", { reason: w(`call_${reason}`) }) : w("call_help")}</p>
        <div class="row">
          ${CALLS.map((one) => html`<button type="button" class="do" key=${one} aria-pressed=${String(one === reason)} disabled=${isOnItsWay("floor")} onClick=${() => callFloor(round, one)}>${w(`call_${one}`)}</button>`)}
        </div>
        ${reason && html`<div class="row"><button type="button" class="do large" disabled=${isOnItsWay("floor")} onClick=${() => callFloor(round, null)}>${w("call_done")}</button></div>`}
        ${children}
      </div>
    <//>`;
}
