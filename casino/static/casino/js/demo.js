// Demo mode only: keeps the shown codes fresh, and fills the form with one of the demo people.
const list = document.querySelector(".demo");
const bar = list.querySelector(".left span");
const form = document.querySelector("form.sign-in");

function fill(button) {
  form.elements.username.value = button.dataset.username;
  form.elements.password.value = list.dataset.password;
  form.elements.code.value = button.querySelector(".code").textContent.replace(/\D/g, "");
  form.querySelector("button[type=submit]").focus();
}

function show(code) {
  return `${code.slice(0, 3)} ${code.slice(3)}`;
}

async function refresh() {
  let seconds = 5; // without an answer (the server restarts): ask again soon
  try {
    const answer = await fetch(list.dataset.codes, { headers: { Accept: "application/json" } });
    const { codes, seconds_left: left } = await answer.json();
    for (const button of list.querySelectorAll("button[data-username]")) {
      if (codes[button.dataset.username])
        button.querySelector(".code").textContent = show(codes[button.dataset.username]);
    }
    seconds = left;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
  }
  const end = Date.now() + seconds * 1000;
  const count = setInterval(() => {
    const left = Math.max(0, end - Date.now()) / 1000;
    bar.style.setProperty("--left", String(left / 30));
    if (left > 0) return;
    clearInterval(count);
    refresh();
  }, 1000);
}

for (const button of list.querySelectorAll("button[data-username]"))
  button.addEventListener("click", () => fill(button));
refresh();
