// Tones, once somebody has asked for them on this screen: one soft for a new approval, two for an alarm, again every 20 s, five times.
// After the fifth it is the manager's start page that says so. At night they are half as loud.
const [AGAIN_MS, MOST, LOUD] = [20_000, 5, 0.12];
const [KEPT, NIGHT] = ["saalchef-pit-sound", "saalchef-pit-night"];
let context = null;
let [alarms, approvals, rang, at] = [new Set(), new Set(), 0, 0];
let [wanted, night] = [localStorage.getItem(KEPT) === "1", localStorage.getItem(NIGHT) === "1"];

// toggle: the switch; quiet: half as loud; waits: said while the browser waits for a first tap or key before it lets us sound.
export function start({ toggle, quiet, waits }) {
  const show = () => {
    toggle.setAttribute("aria-pressed", String(wanted));
    quiet.setAttribute("aria-pressed", String(night));
    waits.hidden = !wanted || context !== null;
  };
  const wake = () => {
    if (wanted && !context) [context, rang] = [new AudioContext(), 0];
    show();
  };
  toggle.addEventListener("click", () => {
    wanted = !wanted;
    localStorage.setItem(KEPT, wanted ? "1" : "");
    if (!wanted) context?.close();
    if (!wanted) context = null;
    wake();
    if (context) tone(660, 0);
  });
  quiet.addEventListener("click", () => {
    night = !night;
    localStorage.setItem(NIGHT, night ? "1" : "");
    show();
    if (context) tone(660, 0);
  });
  for (const name of ["pointerup", "keydown"]) {
    addEventListener(
      name,
      (event) => {
        if (!toggle.contains(event.target)) wake();
      },
      { capture: true, passive: true },
    );
  }
  show();
}

function tone(hertz, after) {
  const [swing, loud] = [context.createOscillator(), context.createGain()];
  swing.frequency.value = hertz;
  loud.gain.setValueAtTime(night ? LOUD / 2 : LOUD, context.currentTime + after);
  loud.gain.exponentialRampToValueAtTime(0.001, context.currentTime + after + 0.35);
  swing.connect(loud).connect(context.destination);
  swing.start(context.currentTime + after);
  swing.stop(context.currentTime + after + 0.4);
}

// The alarms and approvals that there are now, by id.
export function heard(nowAlarms, nowApprovals) {
  const isNew = (now, before) => now.some((one) => !before.has(one));
  if (isNew(nowAlarms, alarms)) rang = 0;
  const asked = isNew(nowApprovals, approvals);
  [alarms, approvals] = [new Set(nowAlarms), new Set(nowApprovals)];
  const isRinging = alarms.size > 0 && rang === 0;
  again();
  if (context && asked && !isRinging) tone(523, 0);
}

// Asked every moment, whether anything moves on the board or not.
export function again() {
  if (!context || alarms.size === 0 || rang >= MOST) return;
  if (rang > 0 && performance.now() - at < AGAIN_MS) return;
  [rang, at] = [rang + 1, performance.now()];
  tone(740, 0);
  tone(587, 0.25);
}
