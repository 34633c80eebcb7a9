/* The roster of a page for the table: the units that are fielded, each with its boxes to tick. It is kept on the
   device, and saved to a file and read from one, since browsers throw away what they keep. */
(() => {
  "use strict";

  const { make, data, say, kept, keep } = globalThis.page;
  const known = data("roster-data");
  const section = document.getElementById("roster");
  if (!section) return; // the game has no units

  const [MOST_UNITS, MOST_LETTERS, LARGEST_FILE] = [500, 80, 1_000_000];
  const FORM = "rulebook roster 1";

  // ---- units ---------------------------------------------------------------------------------

  /** Of a unit of another edition, which this one does not know. */
  const unknown = (id) => ({ title: id, stats: [], tracks: [], grades: [] });
  const isKnown = (id) => Object.hasOwn(known.kinds, id);
  const kindOf = (unit) => (isKnown(unit.kind) ? known.kinds[unit.kind] : unknown(unit.kind));
  const boxes = (track) => track.groups.flat();
  const fresh = (kind, name = "", force = "") => ({ kind, name, force, ticked: [], grades: [] });

  const text = (plain) => (typeof plain === "string" ? plain.slice(0, MOST_LETTERS) : "");
  const list = (plain) => (Array.isArray(plain) ? plain : []);

  /** A unit of plain data that may come from anywhere, cut to what its kind has; or nothing. */
  function sound(plain) {
    if (typeof plain?.kind !== "string" || !plain.kind) return [];
    const unit = fresh(text(plain.kind), text(plain.name), text(plain.force));
    if (!isKnown(unit.kind)) return [unit];
    const { tracks, grades } = kindOf(unit);
    const numbers = (found, most) =>
      [...new Set(list(found))].filter((one) => Number.isInteger(one) && one >= 0 && one < most).sort((a, b) => a - b);
    unit.ticked = tracks.map((track, at) => numbers(list(plain.ticked)[at], boxes(track).length));
    unit.grades = grades.map(([, choices], at) => numbers([list(plain.grades)[at]], choices.length)[0] ?? null);
    return [unit];
  }

  const soundUnits = (plain) => list(plain).slice(0, MOST_UNITS).flatMap(sound);

  let units = soundUnits(kept("roster"));
  const storing = keep("roster", units);

  // ---- the list ------------------------------------------------------------------------------

  const rows = make("ol", { class: "units" });
  const message = make("p", { class: "message", role: "status" });
  const none = make("p", { class: "none" }, say("none"));
  const accept = ".json,application/json";
  const chooser = make("input", { type: "file", accept, hidden: true, onchange: () => readFile(chooser.files[0]) });
  const button = (attributes, ...inner) => make("button", { type: "button", ...attributes }, ...inner);
  const action = (key, onclick) => button({ onclick }, say(key));
  const saving = action("save", save);
  const clearing = action("clear", () => {
    const before = units;
    units = [];
    changed();
    offer(say("cleared"), before);
  });
  section.append(
    make("p", { class: "actions" }, action("add", () => picker.showModal()), saving,
      action("read", () => chooser.click()), chooser, clearing),
    message, none, rows,
    make("p", { class: "kept" }, say(storing ? "kept" : "unkept")));

  function changed() {
    keep("roster", units);
    none.hidden = units.length > 0;
    saving.disabled = clearing.disabled = units.length === 0;
    rows.replaceChildren(...units.map(row));
  }

  function showMessage(...words) {
    message.replaceChildren(...words);
  }

  /** Tell what was done, with a button that brings back the units before it. */
  function offer(words, before) {
    const undo = action("undo", () => {
      units = before;
      showMessage();
      changed();
    });
    showMessage(words, " ", undo);
    undo.focus();
  }

  function row(unit) {
    const { title, stats, tracks, grades } = kindOf(unit);
    const called = unit.name || title;
    const name = make("input", {
      type: "text", class: "name", value: unit.name, placeholder: title, maxlength: MOST_LETTERS,
      "aria-label": say("name", { unit: title }), autocomplete: "off",
      onchange: () => {
        unit.name = text(name.value.trim());
        keep("roster", units);
      },
    });
    const remove = () => {
      const before = units;
      units = units.filter((one) => one !== unit);
      changed();
      offer(say("removed", { unit: called }), before);
    };
    const about = [unit.name ? title : "", unit.force].filter(Boolean).join(" · ");
    const numbers = stats.map(([label, value]) => make("div", {}, make("dt", {}, label), make("dd", {}, value)));
    return make("li", { class: "unit" },
      make("div", { class: "head" }, name,
        button({ class: "remove", "aria-label": say("remove", { unit: called }), onclick: remove }, "×")),
      ...(about ? [make("p", { class: "about" }, about)] : []),
      ...grades.map((grade, at) => gradeRow(unit, grade, at)),
      ...tracks.map((track, at) => trackRow(unit, track, at)),
      ...(stats.length
        ? [make("details", {}, make("summary", {}, say("numbers")), make("dl", {}, ...numbers))] : []));
  }

  function gradeRow(unit, [title, choices], at) {
    const onchange = () => {
      unit.grades[at] = list.value === "" ? null : Number(list.value);
      keep("roster", units);
    };
    const list = make("select", { onchange }, make("option", { value: "" }, "–"),
      ...choices.map((choice, number) =>
        make("option", { value: number, selected: unit.grades[at] === number }, choice)));
    return make("label", { class: "grade" }, make("span", {}, title), list);
  }

  /** A box each, and buttons that tick the next one or take back the last. */
  function trackRow(unit, track, at) {
    const labels = boxes(track);
    const of = labels.length;
    const ticked = new Set(unit.ticked[at] ?? []);
    const count = make("span", { class: "count" });
    const inputs = labels.map((label, number) => make("input", {
      type: "checkbox", checked: ticked.has(number),
      "aria-label": say(label ? "marked" : "tick", { track: track.title, number: number + 1, of, label }),
      onchange: () => put(number, inputs[number].checked),
    }));
    const by = (key, sign, next) => button({
      "aria-label": say(key, { label: track.title }),
      onclick: () => {
        const [number, yes] = next();
        if (number >= 0) put(number, yes);
      },
    }, sign);

    function put(number, yes) {
      inputs[number].checked = yes;
      if (yes) ticked.add(number);
      else ticked.delete(number);
      unit.ticked[at] = [...ticked].sort((a, b) => a - b);
      keep("roster", units);
      showCount();
    }
    function showCount() {
      count.textContent = say("ticked", { number: ticked.size, of });
    }
    showCount();
    let number = 0;
    const box = (label) =>
      make("label", { class: label ? "box marked" : "box" }, inputs[number++], make("span", {}, label));
    return make("fieldset", { class: "track" }, make("legend", {}, track.title),
      make("div", { class: "by" },
        by("less", "−", () => [Math.max(-1, ...ticked), false]), count,
        by("more", "+", () => [inputs.findIndex((one) => !one.checked), true])),
      make("div", { class: "boxes" },
        ...track.groups.map((group) => make("span", { class: "group" }, ...group.map(box)))),
      ...(track.about ? [make("p", { class: "about" }, track.about)] : []));
  }

  // ---- to choose from ------------------------------------------------------------------------

  const added = make("p", { class: "message", role: "status" });
  const sides = known.battles.flatMap((battle) => battle.sides.map((side) => ({ battle, side })));
  const picker = make("dialog", { class: "sheet", "aria-labelledby": "picker-title" },
    make("header", {}, make("h2", { id: "picker-title" }, say("add")),
      button({ class: "close", "aria-label": say("close"), onclick: () => picker.close() }, "×")),
    added,
    make("div", { class: "scrolls", tabindex: "-1" },
      ...choices("units", known.choices.map((id) => choice(known.kinds[id].title, () => [fresh(id)]))),
      ...choices("battles", sides.map(({ battle, side: { title, units: fielded } }) => choice(
        say("side", { battle: battle.title, side: title, number: fielded.length }),
        () => fielded.map((one) => fresh(...one)))))));
  document.body.append(picker);
  picker.addEventListener("click", (event) => { if (event.target === picker) picker.close(); });
  picker.addEventListener("close", () => added.replaceChildren());

  function choices(key, items) {
    return items.length ? [make("h3", {}, say(key)), make("ul", { class: "choices" }, ...items)] : [];
  }

  function choice(words, made) {
    const onclick = () => {
      units = [...units, ...made()].slice(0, MOST_UNITS);
      changed();
      added.textContent = say("added", { unit: words });
    };
    const plus = make("span", { "aria-hidden": "true" }, "+");
    return make("li", {}, button({ onclick }, make("span", {}, words), plus));
  }

  // ---- files ---------------------------------------------------------------------------------

  function save() {
    const { ruleset, edition, title } = known;
    const saved = { form: FORM, ruleset, edition, title, units };
    const blob = new Blob([JSON.stringify(saved, null, 1)], { type: "application/json" });
    const address = URL.createObjectURL(blob);
    make("a", { href: address, download: `roster-${ruleset}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  async function readFile(file) {
    chooser.value = "";
    if (!file) return;
    if (file.size > LARGEST_FILE) return showMessage(say("too large"));
    let plain;
    try {
      plain = JSON.parse(await file.text());
    } catch {
      return showMessage(say("no roster"));
    }
    if (plain?.form !== FORM || !Array.isArray(plain.units)) return showMessage(say("no roster"));
    if (plain.ruleset !== known.ruleset)
      return showMessage(say("other ruleset", { ruleset: text(plain.title) || text(plain.ruleset) }));
    const before = units;
    units = soundUnits(plain.units);
    changed();
    const strange = [...new Set(units.filter((unit) => !isKnown(unit.kind)).map((unit) => unit.kind))];
    const words = strange.length ? ` ${say("unknown", { units: strange.join(", ") })}` : "";
    offer(say("opened", { number: units.length }) + words, before);
  }

  changed();
})();
