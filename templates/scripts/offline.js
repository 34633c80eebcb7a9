/* A page that is served -> one that can be installed and used without a network; opened from a file it is just read. */
(() => {
  "use strict";

  const { make, data, say } = globalThis.page;
  const notice = document.getElementById("offline");
  const { worker, manifest } = data("roster-data");
  if (!["http:", "https:"].includes(location.protocol)) return;
  // What follows every save is not to be kept.
  if (document.querySelector("meta[name=rulebook-serve]")) return;
  document.head.append(make("link", { rel: "manifest", href: manifest }));
  if (!("serviceWorker" in navigator)) return;

  function show(...words) {
    notice.replaceChildren(...words);
    notice.hidden = false;
  }

  // A worker that takes over from another has a newer page than the one that is seen.
  const newer = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (newer)
      show(say("newer"), " ", make("button", { type: "button", onclick: () => location.reload() }, say("reload")));
  });
  navigator.serviceWorker.register(worker).then(
    () =>
      navigator.serviceWorker.ready.then(() => {
        if (notice.hidden) show(say("offline"));
      }),
    () => {}, // not on an address that is not safe; the page itself lacks nothing
  );
})();
