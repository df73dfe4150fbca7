// What the server put into the page as data, and ids: what every page of a tablet needs, also one without a round.
export const data = (name) => JSON.parse(document.getElementById(name).textContent);
export const page = data("page");

// What the browser keeps for this tablet beside its database; a disk that is full takes nothing, and that is no reason to stop.
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch (error) {
    console.warn(error);
  }
}

// `crypto.randomUUID` is there on HTTPS only, and a house's own network may do without.
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
  return [8, 12, 16, 20].reduceRight(
    (text, place) => `${text.slice(0, place)}-${text.slice(place)}`,
    hex,
  );
}
