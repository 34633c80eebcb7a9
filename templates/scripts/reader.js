// A page of chapters -> one whose contents follow the reading, whose links show where they lead, and
// whose tables can be filtered and keep their heads in view. Without it the page reads as well.
(() => {
  "use strict";
  const main = document.querySelector("main");
  const words = JSON.parse(document.getElementById("reader-words").textContent);

  // --- the contents, and the line at the top that says where one is

  const contents = document.getElementById("contents");
  const here = document.querySelector(".bar .here");
  const entries = [...contents.querySelectorAll("a")]
    .map((link) => ({ link, heading: document.getElementById(decodeURIComponent(link.hash.slice(1))) }))
    .filter(({ heading }) => heading);
  const passed = new Set();
  let current;

  // A heading is passed where it stands in the upper part of the window, or above it.
  const observer = new IntersectionObserver(
    (changed) => {
      for (const { target, isIntersecting } of changed) passed[isIntersecting ? "add" : "delete"](target);
      const entry = entries.findLast(({ heading }) => passed.has(heading));
      if (entry === current) return;
      current?.link.removeAttribute("aria-current");
      current = entry;
      here.textContent = [...(entry?.link.childNodes ?? [])].map((part) => part.textContent.trim()).join(" ");
      entry?.link.setAttribute("aria-current", "location");
      if (entry) showInContents(entry.link);
    },
    { rootMargin: "9999999px 0px -70% 0px" },
  );
  for (const { heading } of entries) observer.observe(heading);

  // Not scrollIntoView, which would scroll the page as well.
  function showInContents(link) {
    const { top, bottom } = link.getBoundingClientRect();
    const frame = contents.getBoundingClientRect();
    if (top < frame.top + 60 || bottom > frame.bottom - 60) {
      contents.scrollTop += top - frame.top - frame.height / 3;
    }
  }

  contents.addEventListener("click", (event) => {
    if (event.target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
  });
  contents.addEventListener("toggle", () => current && showInContents(current.link));

  // --- what a link leads to, shown beside it

  const preview = document.createElement("aside");
  preview.className = "preview";
  preview.popover = "manual";
  preview.tabIndex = -1;
  preview.setAttribute("aria-label", words.preview);
  document.body.append(preview);
  const HEADING = /^H[1-6]$/;
  // As much of a rule as one reads before one goes there, in letters.
  const ENOUGH = 900;
  let shown, timer, pointer;

  const targetOf = (link) => document.getElementById(decodeURIComponent(link.hash.slice(1)));

  // Paragraphs, tables and so on of a rule, or the one that a link leads to.
  function partsOf(target) {
    if (!HEADING.test(target.tagName)) {
      return [target.closest("figure, .example, .steps, ol.notes > li") ?? target.closest("p, li") ?? target];
    }
    const parts = [];
    let letters = 0;
    for (
      let next = target.nextElementSibling;
      next && !HEADING.test(next.tagName) && letters < ENOUGH;
      next = next.nextElementSibling
    ) {
      parts.push(next);
      letters += next.textContent.length;
    }
    return parts;
  }

  function headingOf(target) {
    const before = [...main.querySelectorAll(":is(h2, h3, h4, h5)[id]")].filter(
      (one) => one === target || one.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    return before.at(-1);
  }

  function withoutNames(element) {
    const copy = element.cloneNode(true);
    for (const one of [copy, ...copy.querySelectorAll("[id]")]) one.removeAttribute("id");
    for (const one of copy.querySelectorAll(".filter")) one.remove();
    for (const one of copy.querySelectorAll("a, [tabindex]")) one.tabIndex = -1;
    return copy;
  }

  function show(link) {
    const target = targetOf(link);
    if (!target || shown === link) return;
    const heading = headingOf(target);
    const to = document.createElement("a");
    to.className = "to";
    to.href = link.hash;
    to.tabIndex = -1;
    to.textContent = heading ? heading.textContent.replace(/\s+/g, " ").trim() : link.textContent;
    preview.replaceChildren(to, ...partsOf(target).map(withoutNames));
    shown = link;
    preview.showPopover();
    place(link);
    preview.classList.toggle("more", preview.scrollHeight > preview.clientHeight);
  }

  // Below the link or above it, where there is more room; on a telephone at the foot of the screen.
  function place(link) {
    const { left, top, bottom } = link.getClientRects()[0];
    const below = innerHeight - bottom > Math.min(preview.offsetHeight + 24, innerHeight / 2);
    const room = (below ? innerHeight - bottom : top) - 20;
    preview.style.maxHeight = `${Math.min(room, 480)}px`;
    const furthest = document.documentElement.clientWidth - preview.offsetWidth - 12;
    preview.style.left = `${Math.max(12, Math.min(left - 24, furthest))}px`;
    preview.style.top = below ? `${bottom + 8}px` : "auto";
    preview.style.bottom = below ? "auto" : `${innerHeight - top + 8}px`;
  }

  function hide() {
    clearTimeout(timer);
    if (shown) preview.hidePopover();
    shown = undefined;
  }

  function soon(act, after) {
    clearTimeout(timer);
    timer = setTimeout(act, after);
  }

  const linkAt = (event) => event.target.closest?.("main a[href^='#']");
  main.addEventListener("pointerover", (event) => {
    const link = event.pointerType === "mouse" && linkAt(event);
    if (link) soon(() => show(link), 300);
  });
  main.addEventListener("pointerout", (event) => event.pointerType === "mouse" && linkAt(event) && soon(hide, 250));
  preview.addEventListener("pointerenter", () => clearTimeout(timer));
  preview.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && soon(hide, 250));
  main.addEventListener(
    "focusin",
    (event) => event.target.matches(":focus-visible") && linkAt(event) && show(linkAt(event)),
  );
  // Who touches the preview takes the focus there.
  main.addEventListener("focusout", (event) => preview.contains(event.relatedTarget) || hide());
  document.addEventListener(
    "pointerdown",
    (event) => {
      pointer = event.pointerType;
      if (!preview.contains(event.target)) hide();
    },
    true,
  );
  // A tap shows what a pointer shows; a second one, on the title, goes there.
  main.addEventListener("click", (event) => {
    const link = linkAt(event);
    if (!link || pointer !== "touch" || event.detail === 0) return;
    event.preventDefault();
    show(link);
  });
  preview.addEventListener("click", (event) => event.target.closest("a") && soon(hide, 0));
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener(
    "scroll",
    () => {
      const { top, bottom } = shown?.getClientRects()[0] ?? {};
      if (bottom < 0 || top > innerHeight) hide();
      else if (shown) place(shown);
    },
    { passive: true },
  );

  // --- tables: those that are long can be filtered, and all show whether they scroll sideways

  const LONG = 8;
  const sizes = new ResizeObserver((changed) => {
    for (const { target } of changed) {
      const frame = target.closest(".scroll");
      frame.classList.remove("fits");
      const fits = frame.scrollWidth <= frame.clientWidth + 1;
      frame.classList.toggle("fits", fits);
      if (fits) frame.removeAttribute("tabindex");
      else frame.tabIndex = 0;
    }
  });
  for (const frame of main.querySelectorAll(".scroll")) sizes.observe(frame);

  // Rows that share a label are found together.
  function groupsOf(table) {
    const groups = [];
    const most = Math.max(...[...table.rows].map((row) => row.querySelectorAll("th[scope=row]").length));
    for (const row of table.tBodies[0].rows) {
      if (!groups.length || row.querySelectorAll("th[scope=row]").length === most) groups.push([]);
      groups.at(-1).push(row);
    }
    return groups;
  }

  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

  function addFilter(table, frame) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    const count = document.createElement("output");
    label.className = "filter";
    input.type = "search";
    input.placeholder = words.filter;
    input.setAttribute("aria-label", `${words.filter} ${frame.getAttribute("aria-label") ?? ""}`);
    label.append(input, count);
    frame.before(label);
    const groups = groupsOf(table);
    input.addEventListener("input", () => {
      const asked = plain(input.value).split(/\s+/).filter(Boolean);
      for (const rows of groups) {
        const text = plain(rows.map((row) => row.textContent).join(" "));
        for (const row of rows) row.hidden = !asked.every((word) => text.includes(word));
      }
      const left = groups.flat().filter((row) => !row.hidden).length;
      count.textContent = asked.length ? `${left} / ${groups.flat().length}` : "";
    });
  }

  for (const table of main.querySelectorAll(".scroll > table.rules:not(.form)")) {
    if (table.tBodies[0].rows.length <= LONG) continue;
    table.parentElement.classList.add("tall");
    addFilter(table, table.parentElement);
  }
})();
