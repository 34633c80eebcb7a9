/* The worker of a page for the table: keeps the page that it was built with, and answers with that, network or none.
   `KEPT` stands before it: a name, the digest of the page, and the files. */
(() => {
  "use strict";

  const cache = KEPT.name + KEPT.version;
  const files = new Set(KEPT.files.map((file) => new URL(file, location.href).href));

  const keep = async () => {
    const store = await caches.open(cache);
    await store.addAll([...files].map((file) => new Request(file, { cache: "reload" })));
    await self.skipWaiting();
  };
  const takeOver = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(KEPT.name) && name !== cache);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };

  self.addEventListener("install", (event) => event.waitUntil(keep()));
  self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
  self.addEventListener("fetch", (event) => {
    const { origin, pathname } = new URL(event.request.url);
    if (event.request.method !== "GET" || !files.has(origin + pathname)) return;
    event.respondWith(
      caches.open(cache)
        .then((store) => store.match(origin + pathname))
        .then((found) => found ?? fetch(event.request)));
  });
})();
