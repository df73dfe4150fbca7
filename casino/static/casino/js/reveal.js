// Shows what was typed as a password while its button is pressed in.
for (const button of document.querySelectorAll("button.reveal")) {
  const input = document.getElementById(button.getAttribute("aria-controls"));
  button.hidden = false;
  button.addEventListener("click", () => {
    const shown = input.type === "password";
    input.type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", String(shown));
    input.focus();
  });
  input.form.addEventListener("submit", () => {
    input.type = "password";
  });
}
