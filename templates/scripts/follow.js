// The states of a page that `rulebook serve` sends -> the page as it is after the last save, what has changed on it
// lit, what is wrong shown over it. Words are changed where they stand. Where elements come or go the page is loaded
// again, at the place where the reader was, since other scripts have built on what was there.
(() => {
  "use strict";
  const LIT = "follow-lit",
    KEPT = "rulebook-follow",
    SECONDS_LIT = 4;
  const own = document.querySelector('meta[name="rulebook-serve"]').dataset;
  const words = JSON.parse(document.getElementById("rulebook-follow").textContent);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  // Pages that lead to others change with each file that is made: at most so often, in ms, and with nothing lit.
  const leads = own.path.endsWith("index.html"),
    SELDOM = 3000;

  // The page as it came, before any script has changed it, and for each of its nodes the one that is shown.
  let pristine, shown;
  const remember = () => {
    pristine = document.documentElement.cloneNode(true);
    shown = new Map();
    pair(pristine, document.documentElement);
  };
  const pair = (copy, live) => {
    shown.set(copy, live);
    copy.childNodes.forEach((child, number) => pair(child, live.childNodes[number]));
  };

  // What differs between two trees: words and attributes to be set, and places where nodes come or go.
  const isOurs = (node) =>
    node.nodeType === Node.ELEMENT_NODE && (node.id === KEPT || node.getAttribute("name") === "rulebook-serve");
  const runs = (node) => node.nodeName === "SCRIPT";
  const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.id === b.id;
  const differences = (was, is, found) => {
    // Without scripts a browser reads what is for those who have none as something else.
    if (isOurs(is) || is.nodeName === "NOSCRIPT" || was.isEqualNode(is)) return found;
    if (was.nodeType !== Node.ELEMENT_NODE) {
      found.words.push([was, is]);
      return found;
    }
    if (runs(is)) found.anew = true;
    const names = new Set([...was.attributes, ...is.attributes].map((one) => one.name));
    if ([...names].some((name) => was.getAttribute(name) !== is.getAttribute(name))) found.attributes.push([was, is]);
    const [old, now] = [[...was.childNodes], [...is.childNodes]];
    let first = 0,
      last = 0;
    const most = Math.min(old.length, now.length);
    if (old.length === now.length && old.every((one, number) => alike(one, now[number]))) {
      old.forEach((one, number) => differences(one, now[number], found));
      return found;
    }
    while (first < most && old[first].isEqualNode(now[first])) first += 1;
    while (last < most - first && old[old.length - 1 - last].isEqualNode(now[now.length - 1 - last])) last += 1;
    found.anew = true;
    const come = now.slice(first, now.length - last);
    // What was there and is only otherwise is not new: what has changed in it is.
    const pool = old.slice(first, old.length - last);
    for (const one of come) {
      const at = pool.findIndex((other) => alike(one, other) && (one.id || one.nodeName === "SECTION"));
      if (at < 0) found.come.push(one);
      else differences(pool.splice(at, 1)[0], one, found);
    }
    if (!come.length) found.come.push(is);
    return found;
  };

  // Where a node stands, to be found again in the page that is loaded next.
  const pathOf = (node) => {
    const path = [];
    for (let one = node; one.parentNode; one = one.parentNode)
      path.unshift([...one.parentNode.childNodes].indexOf(one));
    return path;
  };
  const atPath = (path) => path.slice(1).reduce((node, number) => node?.childNodes[number], document.documentElement);

  const isSeen = (element) => {
    const box = element.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight && box.height > 0;
  };
  const elementOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement);

  // Show where the page has changed: the first place is brought into view if none is seen.
  const light = (nodes, ranges = []) => {
    const all = [...new Set(nodes.filter((node) => node?.isConnected).map(elementOf))];
    const body = all.filter((one) => document.body.contains(one) && one !== document.body);
    if (!body.length || leads) return;
    const first = body.find((one) => one.closest("main")) ?? body[0];
    for (let one = first; (one = one.parentElement?.closest("details:not([open])"));) one.open = true;
    if (!body.some(isSeen)) first.scrollIntoView({ block: "center", behavior: still.matches ? "auto" : "smooth" });
    body.forEach((one) => one.classList.add(LIT));
    const highlights = window.CSS?.highlights;
    if (highlights && ranges.length) highlights.set(LIT, new Highlight(...ranges));
    setTimeout(() => {
      body.forEach((one) => {
        one.classList.remove(LIT);
        if (!one.classList.length) one.removeAttribute("class");
      });
      highlights?.delete(LIT);
    }, SECONDS_LIT * 1000);
  };

  // The part of a text that is otherwise than it was, in whole words.
  const changedPart = (node, was) => {
    const is = node.data;
    let start = 0,
      end = 0;
    while (start < Math.min(is.length, was.length) && is[start] === was[start]) start += 1;
    while (end < Math.min(is.length, was.length) - start && is.at(-1 - end) === was.at(-1 - end)) end += 1;
    while (start > 0 && /^\S\S$/.test(is.slice(start - 1, start + 1))) start -= 1;
    while (end > 0 && /^\S\S$/.test(is.slice(is.length - end - 1, is.length - end + 1))) end -= 1;
    while (start < is.length - end && /\s/.test(is[start])) start += 1;
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, is.length - end);
    return range;
  };

  // Take over a new page; whether that could be done without loading it.
  const takeOver = (page) => {
    const is = new DOMParser().parseFromString(page, "text/html").documentElement;
    const found = differences(pristine, is, { words: [], attributes: [], come: [], anew: false });
    const live = [...found.words, ...found.attributes].map(([was]) => shown.get(was));
    const body = is.querySelector("body");
    const places = [...found.words, ...found.attributes].map(([, now]) => now).concat(found.come);
    const lit = places.filter((one) => body.contains(one) && !one.parentElement?.closest("script, style"));
    if (found.anew || live.some((node) => !node?.isConnected)) {
      keepPlace(lit.filter((one) => !runs(one)).map(pathOf));
      return false;
    }
    const ranges = [],
      nodes = [];
    for (const [was, now] of found.words) {
      const node = shown.get(was);
      node.data = now.data;
      if (node.parentElement.closest("body")) {
        nodes.push(node);
        ranges.push(changedPart(node, was.data));
      }
      was.data = now.data;
    }
    for (const [was, now] of found.attributes) {
      const element = shown.get(was);
      for (const one of [...was.attributes]) if (!now.hasAttribute(one.name)) element.removeAttribute(one.name);
      for (const one of now.attributes)
        if (was.getAttribute(one.name) !== one.value) element.setAttribute(one.name, one.value);
      for (const one of [...was.attributes]) was.removeAttribute(one.name);
      for (const one of now.attributes) was.setAttribute(one.name, one.value);
      nodes.push(element);
    }
    own.page = is.querySelector('meta[name="rulebook-serve"]').dataset.page;
    light(nodes, ranges);
    return true;
  };

  // Beyond a reload: how far below the top the first thing with an id stands, and which parts are open.
  const ANCHORS = "main :is(h1, h2, h3, h4, h5, section, article, table, figure, li, p)[id]";
  const keepPlace = (lit) => {
    const anchor = [...document.querySelectorAll(ANCHORS)].find(
      (one) => isSeen(one) && one.getBoundingClientRect().top >= 0,
    );
    const open = [...document.querySelectorAll("details")].map((one) => [nameOf(one), one.open]);
    const place = { anchor: anchor?.id, top: anchor?.getBoundingClientRect().top, x: scrollX, y: scrollY, open, lit };
    try {
      sessionStorage.setItem(`${KEPT}:${own.path}`, JSON.stringify(place));
      history.scrollRestoration = "manual";
    } catch {
      /* kept from storing, the browser keeps its place itself */
    }
  };
  const nameOf = (part) => `${part.closest("[id]")?.id ?? ""} ${part.querySelector("summary")?.textContent ?? ""}`;
  const findPlace = () => {
    let place = null;
    try {
      place = JSON.parse(sessionStorage.getItem(`${KEPT}:${own.path}`));
      sessionStorage.removeItem(`${KEPT}:${own.path}`);
    } catch {
      /* nothing is kept */
    }
    if (!place) return;
    history.scrollRestoration = "auto";
    const lit = place.lit.map(atPath);
    // When all other scripts have run.
    addEventListener(
      "load",
      () =>
        requestAnimationFrame(() => {
          const open = new Map(place.open);
          document.querySelectorAll("details").forEach((one) => {
            one.open = open.get(nameOf(one)) ?? one.open;
          });
          const anchor = place.anchor && document.getElementById(place.anchor);
          if (anchor) scrollBy({ top: anchor.getBoundingClientRect().top - place.top, behavior: "instant" });
          else scrollTo({ left: place.x, top: place.y, behavior: "instant" });
          light(lit);
        }),
      { once: true },
    );
  };

  // What stands over the page.
  const make = (name, kind, ...inside) => {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    made.append(...inside);
    return made;
  };
  const over = make("div", "follow-over");
  const say = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const faultItem = (one) => {
    const labelled = (name) => one[name] && make("p", name, make("b", "", `${words[name]}: `), one[name]);
    const excerpt = (text) => {
      const pre = text && make("pre", "", text);
      if (pre) pre.tabIndex = 0;
      return pre;
    };
    return make(
      "li",
      "",
      ...[
        make("p", "place", one.place ? `${one.place} ${one.code}` : one.code),
        make("p", "message", one.message),
        excerpt(one.excerpt),
        one.also && make("p", "", one.also),
        excerpt(one.also_excerpt),
        labelled("expected"),
        labelled("hint"),
      ].filter(Boolean),
    );
  };
  let faults = "";
  const showFaults = (found) => {
    if (JSON.stringify(found) === faults) return;
    faults = JSON.stringify(found);
    const before = over.querySelector(".follow-faults");
    before?.remove();
    if (!found.length) return;
    const number = found.length === 1 ? words.fault : say(words.several, { number: found.length });
    const list = make("details", "", make("summary", "", number), make("ol", "", ...found.map(faultItem)));
    list.open = before?.firstChild.open ?? true;
    const shownFaults = make("div", "follow-faults", list);
    shownFaults.setAttribute("role", "alert");
    over.append(shownFaults);
  };
  const note = (...inside) => {
    over.querySelector(".follow-note")?.remove();
    if (!inside.length) return;
    const close = make("button", "", "×");
    close.type = "button";
    close.setAttribute("aria-label", words.close);
    close.addEventListener("click", () => {
      noted = latest?.saves ?? null;
      note();
    });
    const shownNote = make("div", "follow-note", make("span", "", ...inside), close);
    shownNote.setAttribute("role", "status");
    over.prepend(shownNote);
  };
  const showElsewhere = (state) => {
    const files = state.saved.join(", ");
    if (!state.elsewhere.length) return note(say(words.nowhere, { files }));
    const links = state.elsewhere.flatMap(({ href, title }) => {
      const link = make("a", "", title);
      link.href = href;
      return [" ", link];
    });
    return note(say(words.elsewhere, { files }), ...links);
  };

  // The last state that came; those that come while a page is fetched are looked at afterwards.
  let latest = null,
    busy = false,
    noted = null;
  const follow = async () => {
    if (busy) return;
    busy = true;
    try {
      for (let state = null; state !== latest;) {
        state = latest;
        showFaults(state.faults);
        if (!own.page) {
          // This stands for a page that cannot be made.
          if (state.page && state.current && !state.faults.length) location.reload();
        } else if (state.page && state.page !== own.page) {
          if (leads) {
            await new Promise((wake) => setTimeout(wake, SELDOM - performance.now()));
            state = latest;
          }
          noted = state.saves;
          note();
          const answer = await fetch(location.pathname, { cache: "no-store" });
          if (answer.ok && !takeOver(await answer.text())) {
            location.reload();
            return;
          }
        } else if (
          state.current &&
          state.saved.length &&
          ![null, state.saves].includes(noted) &&
          !state.faults.length
        ) {
          showElsewhere(state);
        }
        over.dataset.saves = noted ??= state.saves;
      }
    } finally {
      busy = false;
    }
  };

  // A page that nobody sees needs no connection; of these a browser has few.
  let events = null;
  const listen = () => {
    events?.close();
    events = null;
    if (document.visibilityState === "hidden") return;
    const mine = (events = new EventSource(`/api/events?page=${encodeURIComponent(own.path)}`));
    mine.addEventListener("message", (event) => {
      if (over.dataset.lost) {
        delete over.dataset.lost;
        note();
      }
      latest = JSON.parse(event.data);
      follow();
    });
    mine.addEventListener("error", () => {
      over.dataset.lost = "lost";
      note(words.lost);
      if (mine.readyState === EventSource.CLOSED && mine === events) setTimeout(listen, 2000);
    });
  };
  remember();
  findPlace();
  document.documentElement.append(over);
  document.addEventListener("visibilitychange", listen);
  addEventListener("pagehide", () => events?.close());
  addEventListener("pageshow", (event) => {
    if (event.persisted) listen();
  });
  listen();
})();
