// Keys for the PIN, large enough for a thumb; the sixth digit sends the form. Without this script the field and its button do.
const form = document.querySelector("form.sign-in");
const { pin, username } = form.elements;
const pad = form.querySelector(".pad");

const isOther = () => form.elements.person.value === "other";

// Names that have no place beside the others stand behind keys of their own: `Anna – Marco`.
const ranges = form.querySelector(".ranges");
const nameKeys = [...form.querySelectorAll(".one:not(.other)")];

function show(range) {
  for (const one of nameKeys) {
    one.hidden = range ? one.dataset.range !== range : !("first" in one.dataset);
    one.querySelector("input").disabled = one.hidden; // else the browser would want it, and show it nowhere
  }
  for (const button of ranges.querySelectorAll("button"))
    button.setAttribute("aria-pressed", String(button.value === range));
}

if (ranges) {
  const found = nameKeys.find((one) => one.querySelector("input").checked);
  show(found && !("first" in found.dataset) ? found.dataset.range : "");
  ranges.hidden = false;
  ranges.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    for (const one of nameKeys) one.querySelector("input").checked = false; // who looks for a name is none of those before
    show(button.value);
  });
}

function send() {
  if (pin.value.length === pin.maxLength && form.reportValidity()) form.requestSubmit();
}

function key(text, label, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = label;
  button.textContent = text;
  button.addEventListener("click", act);
  pad.append(button);
}

function type(digit) {
  if (pin.value.length < pin.maxLength) pin.value += digit;
  send();
}

for (const digit of "123456789") key(digit, "digit", () => type(digit));
key("0", "zero", () => type("0"));
key(pad.dataset.delete, "word", () => {
  pin.value = pin.value.slice(0, -1);
});
pin.inputMode = "none"; // the tablet's own keyboard would cover the keys
pad.hidden = false;
pin.addEventListener("input", send);

function chosen() {
  username.required = isOther();
  (isOther() && !username.value ? username : pin).focus();
  send();
}
for (const radio of form.querySelectorAll("[name=person]"))
  radio.addEventListener("change", chosen);
username.required = isOther();
if (!isOther()) pin.focus();
let sent = false;
form.addEventListener("submit", (event) => {
  if (sent) event.preventDefault(); // a second tap while the first is on its way
  sent = true;
});
window.addEventListener("pageshow", () => {
  sent = false;
});
send(); // whoever types quicker than this script comes has all six digits there
