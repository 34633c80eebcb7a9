// A button, hidden without script, and a closed dialog -> a search that answers as you type. The
// indexes are loaded when it is first opened. Where a hit leads, its rule and its words are lit.
(() => {
  "use strict";
  const MOST = 20;
  const WORD = /\p{L}[\p{L}\p{M}’']*|\d+(?:\.\d+)*/gu;
  const dialog = document.getElementById("search");
  const words = JSON.parse(document.getElementById("search-words").textContent);
  const input = dialog.querySelector("input");
  const list = dialog.querySelector("[role=listbox]");
  const status = dialog.querySelector("[role=status]");
  const pattern = dialog.querySelector("template").content.firstElementChild;
  let finder,
    loading,
    hits = [],
    active = -1;

  function load(address) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = resolve;
      script.onerror = () => reject(new Error(address));
      document.head.append(script);
    });
  }

  function open() {
    if (!dialog.open) dialog.showModal();
    input.select();
    loading ??= Promise.allSettled(dialog.dataset.indexes.split(" ").map(load)).then(() => {
      // A ruleset that cannot be loaded, such as one that was moved away, leaves the others.
      if (globalThis.rulebookSearch) finder = ruleFinder(globalThis.rulebookSearch);
      else loading = undefined;
      show();
    });
    show();
  }

  // Words of a text in their order, and for which word that was asked for each stands, if for any.
  function* wordsIn(text, roots) {
    for (const { 0: word, index } of text.matchAll(WORD)) {
      yield { word, start: index, end: index + word.length, lit: roots.get(finder.rootOf(word)) };
    }
  }

  const ENOUGH = 190;
  // The sentences, or rows of a table, in which most of what was asked for stands.
  function passageOf({ words: text, roots }) {
    const metIn = (start, end) =>
      new Set([...wordsIn(text.slice(start, end), roots)].flatMap((one) => one.lit ?? [])).size;
    const starts = [0, ...[...text.matchAll(/[.!?:] | · /g)].map(({ 0: sign, index }) => index + sign.length)];
    let from = 0,
      most = 0;
    for (const start of starts) {
      const met = metIn(start, start + ENOUGH);
      if (met > most) [from, most] = [start, met];
    }
    // What stands before the first word of these is left out.
    if (most) from = starts.findLast((start) => start >= from && !metIn(from, start));
    let to = from + ENOUGH;
    to = to < text.length ? text.lastIndexOf(" ", to) : text.length;
    if (to <= from) to = from + ENOUGH;
    return [from > 0 ? "… " : "", text.slice(from, to), to < text.length ? " …" : ""];
  }

  function lettered(text, roots) {
    const pieces = [];
    let end = 0;
    for (const one of wordsIn(text, roots)) {
      if (one.lit === undefined) continue;
      const mark = document.createElement("mark");
      mark.textContent = one.word;
      pieces.push(text.slice(end, one.start), mark);
      end = one.end;
    }
    return [...pieces, text.slice(end)];
  }

  function option(hit, at) {
    const entry = pattern.cloneNode(true);
    const [before, piece, after] = passageOf(hit);
    const several = dialog.dataset.indexes.includes(" ");
    entry.id = `search-hit-${at}`;
    entry.href = addressOf(hit);
    entry.querySelector(".number").append(...lettered(hit.number, hit.roots));
    entry.querySelector(".title").append(...lettered(hit.title, hit.roots));
    entry.querySelector(".where").textContent = [several && hit.edition, !hit.number && words[hit.kind], hit.inside]
      .filter(Boolean)
      .join(" · ");
    entry.querySelector(".passage").append(before, ...lettered(piece, hit.roots), after);
    return entry;
  }

  // With the words that are to be lit there.
  function addressOf({ href, title, words: text, roots }) {
    const lit = [...wordsIn(`${title} ${text}`, roots)].filter((one) => one.lit !== undefined);
    const address = new URL(href);
    const found = [...new Set(lit.map((one) => one.word.toLowerCase()))].slice(0, 12);
    address.search = new URLSearchParams({ lit: found.join(" ") });
    return address.href;
  }

  function show() {
    const asked = input.value.trim();
    hits = finder && asked ? finder.find(asked).slice(0, MOST) : [];
    list.replaceChildren(...hits.map(option));
    list.hidden = !hits.length;
    list.scrollTop = 0;
    input.setAttribute("aria-expanded", String(hits.length > 0));
    choose(hits.length ? 0 : -1);
    status.textContent = !asked
      ? words.hint
      : finder
        ? hits.length
          ? `${words.found} ${hits.length}`
          : `${words.nothing} ${asked}`
        : loading
          ? words.loading
          : words.failed;
    status.classList.toggle("unseen", hits.length > 0);
  }

  function choose(at) {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = at;
    const entry = list.children[at];
    entry?.setAttribute("aria-selected", "true");
    entry?.scrollIntoView({ block: "nearest" });
    if (entry) input.setAttribute("aria-activedescendant", entry.id);
    else input.removeAttribute("aria-activedescendant");
  }

  function go(entry, event) {
    const to = new URL(entry.href);
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button > 0) return;
    if (to.origin !== location.origin || to.pathname !== location.pathname) {
      if (event.type === "keydown") location.href = to.href;
      return;
    }
    event.preventDefault();
    dialog.close();
    location.hash = to.hash;
    light(to.searchParams.get("lit"));
  }

  // What the address leads to: of a rule all from its heading to the next.
  function targetOf(hash) {
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    const found = target ? [target] : [];
    let next = /^H[1-6]$/.test(target?.tagName) && target.nextElementSibling;
    for (; next && !/^H[1-6]$/.test(next.tagName); next = next.nextElementSibling) found.push(next);
    return found;
  }

  function* rangesOf(words, part) {
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const { 0: word, index } of texts.currentNode.data.matchAll(WORD)) {
        if (!words.has(word.toLowerCase())) continue;
        const range = new Range();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        yield range;
      }
    }
  }

  // Lights what the address leads to, and in it these words; without an address those of the page.
  function light(words) {
    for (const one of document.querySelectorAll(".found")) one.classList.remove("found");
    globalThis.CSS?.highlights?.delete("found");
    if (!words) return;
    const target = targetOf(location.hash);
    for (const one of target) one.classList.add("found");
    const places = target.length ? target : [document.querySelector("main")];
    const ranges = places.flatMap((one) => [...rangesOf(new Set(words.split(" ")), one)]);
    if (globalThis.Highlight) CSS.highlights.set("found", new Highlight(...ranges));
    (target[0] ?? ranges[0]?.startContainer.parentElement)?.scrollIntoView();
  }

  for (const button of document.querySelectorAll("button.find")) {
    button.hidden = false;
    button.addEventListener("click", open);
  }
  dialog.querySelector("button").addEventListener("click", () => dialog.close());
  // A click beside the dialog is one on what lies behind it.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  input.addEventListener("input", show);
  list.addEventListener("click", (event) => {
    const entry = event.target.closest("[role=option]");
    if (entry) go(entry, event);
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length) {
      event.preventDefault();
      choose((active + step + hits.length) % hits.length);
    } else if (event.key === "Enter" && active >= 0) go(list.children[active], event);
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.(
      "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]",
    );
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing) return;
    event.preventDefault();
    open();
  });
  // A way that is not by a hit puts the light out.
  addEventListener("hashchange", () => {
    if (document.querySelector(".found") !== targetOf(location.hash)[0]) light("");
  });
  light(new URLSearchParams(location.search).get("lit"));
})();
