// Two sounds, made here, none of them for a key: a low click when the bets are locked, two falling tones when something is refused.
let context = null;
const LOUDNESS = { off: 0, low: 0.05, normal: 0.15, high: 0.4 };

function tone(hertz, after, seconds) {
  const loud = LOUDNESS[document.documentElement.dataset.sound] ?? LOUDNESS.normal;
  if (!loud || navigator.userActivation?.hasBeenActive === false) return; // nobody has touched this page yet: a browser plays nothing
  context ??= new AudioContext();
  const [sound, volume] = [context.createOscillator(), context.createGain()];
  const start = context.currentTime + after;
  sound.frequency.value = hertz;
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  sound.connect(volume).connect(context.destination);
  sound.start(start);
  sound.stop(start + seconds);
}

export function click() {
  tone(180, 0, 0.03);
  navigator.vibrate?.(30);
}

export function wrong() {
  tone(440, 0, 0.08);
  tone(330, 0.1, 0.08);
}
