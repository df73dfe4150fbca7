// Keeps the tablet's page, so that it opens without a network: a reload, a new window, a tablet that was switched off and on.
//
// Only the page of a table and the files it is made of are kept. What was entered is not here but in the page's own database.
const FILES = [] /* files */;
const SHELL = "saalchef-shell";
const TABLE = /^\/tablet\/[0-9a-f-]{36}\/$/;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(tidy().then(() => self.clients.claim()));
});

// Files of an older version of the page go, the pages themselves stay.
async function tidy() {
  const shell = await caches.open(SHELL);
  for (const kept of await shell.keys()) {
    const { pathname } = new URL(kept.url);
    if (!TABLE.test(pathname) && !FILES.includes(pathname)) await shell.delete(kept);
  }
}

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== self.location.origin) return;
  if (event.request.mode === "navigate" && TABLE.test(pathname) && event.request.method === "GET") event.respondWith(page(event.request));
  else if (event.request.mode === "navigate") event.respondWith(elsewhere(event.request));
  else if (FILES.includes(pathname)) event.respondWith(caches.match(event.request, { ignoreVary: true }).then((kept) => kept ?? fetch(event.request)));
});

// The newest page if the server answers, else the kept one. Nobody signed in (a redirect): nothing may be kept.
async function page(request) {
  const shell = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.headers.has("X-Saalchef-Keep")) await shell.put(request.url, answer.clone());
    else if (answer.status < 500) await shell.delete(request.url);
    return answer;
  } catch (error) {
    const kept = await shell.match(request.url, { ignoreVary: true });
    if (!kept) throw error;
    return kept;
  }
}

// Sign-in, sign-out, hand-over: whose page was kept is no longer sure.
async function elsewhere(request) {
  const answer = await fetch(request);
  if (request.method === "POST") {
    const shell = await caches.open(SHELL);
    for (const kept of await shell.keys()) if (TABLE.test(new URL(kept.url).pathname)) await shell.delete(kept);
  }
  return answer;
}
