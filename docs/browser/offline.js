// Keep all files of the page for later visits without a network; a new version replaces them together.
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((kept) => kept.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});
self.addEventListener("fetch", (event) => {
  event.respondWith(caches.open(VERSION).then((kept) => kept.match(event.request, {ignoreSearch: true}))
    .then((answer) => answer ?? fetch(event.request)));
});
