// Demo mode only: keeps the code beside a form fresh, and fills it in where the form asks for it.
const EVERY_MS = 5_000;

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-demo-fill]");
  const field = button?.closest("form")?.querySelector("[autocomplete=one-time-code]");
  if (!field) return;
  field.value = button.textContent.trim();
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
});

async function refresh() {
  const shown = document.querySelectorAll("[data-demo-code]");
  if (!shown.length || document.hidden) return;
  try {
    const answer = await fetch(shown[0].dataset.demoCode, {
      headers: { Accept: "application/json" },
    });
    const { own } = await answer.json();
    for (const button of shown) if (own && button.textContent !== own) button.textContent = own;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error; // the server restarts
  }
}

setInterval(refresh, EVERY_MS);
