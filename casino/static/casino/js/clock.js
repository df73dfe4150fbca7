// Keeps the shown time going, from the server's clock and in the house's zone: a screen that stands still is not trusted.
for (const element of document.querySelectorAll("time[data-zone]")) {
  const offset = new Date(element.dateTime).getTime() - Date.now();
  const format = new Intl.DateTimeFormat("de-CH", {
    hour: "2-digit",
    minute: "2-digit",
    timeZone: element.dataset.zone,
  });
  const tick = () => {
    const now = Date.now() + offset;
    element.textContent = format.format(now);
    setTimeout(tick, 60_000 - (now % 60_000));
  };
  tick();
}
