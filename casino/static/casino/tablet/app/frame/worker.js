// Keeps the tablet's page, so that it opens without a network: a reload, a new window, a tablet that was switched off and on.
//
// Only the page of a table and the files it is made of are kept. What was entered is not here but in the page's own database.
const FILES = []; // the list of files: the server writes it here
const SHELL = "saalchef-shell";
const TABLE = /^\/tablet\/[0-9a-f-]{36}\/$/;
const DEVICE = /^\/tablet\/[0-9a-f-]{36}\//;
const OURS = /"([^"]+\.(?:js|css))"/g; // what a page is made of
const PATIENCE_MS = 3_000; // a network that swallows what is sent says nothing for minutes

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((shell) => shell.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim().then(settle));
});

// Pages that were opened before this worker ruled did not pass through it: they are fetched and kept now. When all kept pages are of
// this version, the files of older ones go.
async function settle() {
  const shell = await caches.open(SHELL);
  const opened = (await self.clients.matchAll({ type: "window", includeUncontrolled: true })).map(
    (client) => new URL(client.url),
  );
  const kept = (await shell.keys()).map((request) => new URL(request.url));
  const pages = new Set(
    [...opened, ...kept]
      .filter(({ pathname }) => TABLE.test(pathname))
      .map(({ origin, pathname }) => origin + pathname),
  );
  const fresh = await Promise.all(
    [...pages].map((page) =>
      fetch(page, { signal: AbortSignal.timeout(PATIENCE_MS) })
        .then((answer) => keep(shell, page, answer))
        .catch(() => false),
    ),
  );
  if (fresh.includes(false)) return;
  for (const { pathname, href } of kept)
    if (!TABLE.test(pathname) && !FILES.includes(pathname)) await shell.delete(href);
}

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== self.location.origin) return;
  if (event.request.mode === "navigate" && TABLE.test(pathname) && event.request.method === "GET")
    event.respondWith(page(event));
  else if (event.request.mode === "navigate") event.respondWith(elsewhere(event.request));
  else if (FILES.includes(pathname))
    event.respondWith(
      caches
        .match(event.request, { ignoreVary: true })
        .then((kept) => kept ?? fetch(event.request)),
    );
});

// The newest page if the server answers soon and well, else the kept one, if there is one.
async function page(event) {
  const { request } = event;
  const shell = await caches.open(SHELL);
  const old = await shell.match(request.url, { ignoreVary: true });
  const answer = fetch(request).then(async (one) => {
    if (one.status >= 500 && old) throw new TypeError("no page");
    await keep(shell, request.url, one);
    return one;
  });
  event.waitUntil(answer.catch(() => {})); // one that comes late is kept all the same
  if (!old) return answer;
  const late = new Promise((done) => {
    setTimeout(done, PATIENCE_MS, old);
  });
  return Promise.race([answer.catch(() => old), late]);
}

// Whether what is kept is of today. Nobody signed in (a redirect): nothing may be kept. A page of another version than this worker's
// would open without its scripts: the next worker keeps it.
async function keep(shell, address, answer) {
  if (answer.ok && answer.headers.has("X-Saalchef-Keep")) {
    if (!isWhole(await answer.clone().text())) return false;
    await shell.put(address, answer.clone());
  } else if (answer.status < 500) await shell.delete(address);
  return answer.status < 500;
}

function isWhole(text) {
  const root = FILES[0].slice(0, FILES[0].indexOf("casino/"));
  return [...text.matchAll(OURS)].every(
    ([, path]) => !path.startsWith(root) || FILES.includes(path),
  );
}

// Sign-in, sign-out, hand-over: whose page was kept is no longer sure; those of other tablets in this browser stay. Where no answer
// comes the way leads back to the table.
async function elsewhere(request) {
  const shell = await caches.open(SHELL);
  const [device] = DEVICE.exec(new URL(request.url).pathname) ?? [];
  let answer;
  try {
    answer = await fetch(request);
  } catch (error) {
    if (!device || !(await shell.match(device, { ignoreVary: true }))) throw error;
    return Response.redirect(device, 303);
  }
  if (request.method === "POST" && device) await shell.delete(device, { ignoreVary: true });
  return answer;
}
