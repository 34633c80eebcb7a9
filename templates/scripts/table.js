/* The page for the table: its three views by tabs, the phase in view marked on the strip, and a sheet that slides up
   beside "Roll it" with the inputs of the procedure, its dice and every step. */
(() => {
  "use strict";

  const { make, data, say, kept, keep } = globalThis.page;
  const dice = globalThis.dice;
  const programs = data("programs");

  // In its site the page lies in the folders of its ruleset and edition; a copy that somebody keeps does not.
  const { ruleset, edition } = data("roster-data");
  const [, ...folders] = decodeURIComponent(location.pathname).split("/").reverse();
  document.querySelector(".up").classList.toggle("beside", folders[0] === edition && folders[1] === ruleset);

  // ---- views ---------------------------------------------------------------------------------

  const views = [...document.querySelectorAll(".view")];
  const tabs = [...document.querySelectorAll(".tabs a")];
  const strip = document.querySelector(".strip");
  const scrolled = new Map();

  function show(id) {
    const before = document.body.dataset.view;
    if (before === id) {
      scrollTo({ top: 0 });
      return;
    }
    if (before) scrolled.set(before, scrollY);
    document.body.dataset.view = id;
    for (const tab of tabs) {
      if (tab.hash === `#${id}`) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    }
    scrollTo({ top: scrolled.get(id) ?? 0, behavior: "instant" });
  }

  /** Show the view that an address leads to, and there the place. */
  function follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const view = target?.closest(".view") ?? views[0];
    // On a wide screen the turn is seen beside the other views.
    if (view.offsetParent === null) show(view.id);
    if (target && target !== view) target.scrollIntoView();
  }

  for (const tab of tabs)
    tab.addEventListener("click", (event) => {
      event.preventDefault();
      history.replaceState(null, "", tab.hash);
      show(tab.hash.slice(1));
    });
  addEventListener("hashchange", follow);
  document.documentElement.classList.add("scripted");
  follow();

  /** Mark on the strip the phase that is at the top of what is seen. */
  function mark() {
    if (document.querySelector("#turn").offsetParent === null) return;
    const top = strip.getBoundingClientRect().bottom + 24;
    const phases = [...document.querySelectorAll("section.phase")];
    const here = phases.findLast?.((one) => one.getBoundingClientRect().top <= top) ?? phases[0];
    for (const link of strip.querySelectorAll("a:not(.again)")) {
      const current = link.hash === `#${here?.id}`;
      if (current === link.hasAttribute("aria-current")) continue;
      if (!current) {
        link.removeAttribute("aria-current");
        continue;
      }
      link.setAttribute("aria-current", "step");
      const left = link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2;
      strip.scrollTo({ left, behavior: "instant" });
    }
  }
  /** A panel that scrolls sideways can be reached by keyboard. */
  function reach() {
    for (const panel of document.querySelectorAll(".panel")) {
      if (panel.scrollWidth > panel.clientWidth) panel.tabIndex = 0;
      else panel.removeAttribute("tabindex");
    }
  }

  function look() {
    mark();
    reach();
  }
  addEventListener("scroll", mark, { passive: true });
  addEventListener("resize", look);
  look();

  // ---- inputs --------------------------------------------------------------------------------

  /** Choices that stand side by side; of more, or of long ones, there is a list. */
  const [MOST_CHIPS, MOST_LETTERS] = [8, 90];
  let numbered = 0;

  function chip(kind, name, label, checked, onchange) {
    const id = `chip-${++numbered}`;
    const box = make("input", { type: kind, id, name, checked, onchange: () => onchange(box) });
    return make("span", { class: "chip" }, box, make("label", { for: id }, label));
  }

  /** A number with a button on either side of it. */
  function stepper(label, value, least, most, onchange) {
    const number = make("input", {
      type: "number", inputmode: "numeric", min: least, max: most, value, "aria-label": label,
      onchange: () => put(Number(number.value)),
    });
    function put(asked) {
      const near = Math.min(most, Math.max(least, Math.round(asked) || 0));
      number.value = near;
      onchange(near);
    }
    const by = (step, sign, key) => make("button", {
      type: "button", "aria-label": say(key, { label }),
      onclick: () => put(Number(number.value) + step),
    }, sign);
    return make("span", { class: "stepper" }, by(-1, "−", "less"), number, by(1, "+", "more"));
  }

  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  /** Whether a value that was kept is one of an input as it is now. */
  function holds(input, plain) {
    if (input.several) {
      const rows = plain?.rows;
      return Array.isArray(rows) && same(rows, inOrder(input, rows));
    }
    if (input.values) return input.values.some((one) => same(one, plain));
    return Number.isInteger(plain) && plain >= input.from && plain <= input.to;
  }

  const limit = (input, row) => input.limits?.[row] ?? 1;

  /** Conditions in their order, each as often as it may hold. */
  function inOrder(input, rows) {
    return input.values.flatMap((row) => {
      const often = rows.filter((one) => one === row).length;
      return Array(Math.min(often, limit(input, row))).fill(row);
    });
  }

  /** A field for one input; `put` takes its value. */
  function field(input, value, put) {
    const name = `input-${input.name}`;
    const legend = make("legend", {}, input.label);
    if (input.several) return make("fieldset", {}, legend, conditions(input, value, put));
    if (!input.values) {
      return make("fieldset", {}, legend, stepper(input.label, value, input.from, input.to, put));
    }
    if (typeof input.values[0] === "boolean") {
      const box = chip("checkbox", name, input.label, value === true, (one) => put(one.checked));
      return make("div", { class: "field chips" }, box);
    }
    const letters = input.titles.join("").length;
    if (input.values.length > MOST_CHIPS || letters > MOST_LETTERS) {
      const list = make("select", { "aria-label": input.label, onchange: () => put(input.values[list.value]) },
        ...input.titles.map((title, at) =>
          make("option", { value: at, selected: same(input.values[at], value) }, title)));
      return make("fieldset", {}, legend, list);
    }
    return make("fieldset", {}, legend, make("div", { class: "chips" },
      ...input.values.map((one, at) =>
        chip("radio", name, input.titles[at], same(one, value), () => put(one)))));
  }

  function conditions(input, value, put) {
    const often = new Map(input.values.map((row) =>
      [row, value.rows.filter((one) => one === row).length]));
    const change = (row, number) => {
      often.set(row, number);
      put({ rows: input.values.flatMap((one) => Array(often.get(one)).fill(one)) });
    };
    return make("div", { class: "conditions" }, ...input.values.map((row, at) => {
      const title = input.titles[at];
      if (limit(input, row) === 1) {
        return chip("checkbox", `input-${input.name}-${row}`, title, often.get(row) > 0,
          (box) => change(row, Number(box.checked)));
      }
      return make("span", { class: "counted" }, make("span", {}, title),
        stepper(title, often.get(row), 0, limit(input, row), (number) => change(row, number)));
    }));
  }

  // ---- dice ----------------------------------------------------------------------------------

  const PIPS = {
    1: [[5, 5]],
    2: [[2.6, 7.4], [7.4, 2.6]],
    3: [[2.4, 7.6], [5, 5], [7.6, 2.4]],
    4: [[2.7, 2.7], [7.3, 2.7], [2.7, 7.3], [7.3, 7.3]],
    5: [[2.5, 2.5], [7.5, 2.5], [5, 5], [2.5, 7.5], [7.5, 7.5]],
    6: [[2.8, 2.3], [7.2, 2.3], [2.8, 5], [7.2, 5], [2.8, 7.7], [7.2, 7.7]],
  };

  function drawn(name, attributes, ...inner) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...inner);
    return element;
  }

  /** A die as it fell: pips of a six-sided one, the number of another. */
  function die(sides, face) {
    if (sides !== 6) return make("span", { class: "die" }, `${face}`);
    return drawn("svg", { class: "die", viewBox: "0 0 10 10", role: "img", "aria-label": face },
      drawn("rect", { x: 0.4, y: 0.4, width: 9.2, height: 9.2, rx: 1.7 }),
      ...PIPS[face].map(([cx, cy]) => drawn("circle", { cx, cy, r: 1 })));
  }

  // ---- the sheet of a procedure --------------------------------------------------------------

  const remembered = kept("inputs") ?? {};
  const title = make("h2", { id: "sheet-title" });
  const inputs = make("form", { class: "inputs", onsubmit: (event) => event.preventDefault() });
  const throwing = make("button", { type: "button", class: "throw", onclick: () => throwDice() });
  const owning = make("button", { type: "button", class: "own", onclick: () => own(!typed) });
  const keypad = make("div", { class: "keypad" });
  const outcome = make("div", { class: "outcome", role: "status" });
  const steps = make("section", { class: "steps" });
  const sheet = make("dialog", { class: "sheet", "aria-labelledby": "sheet-title" },
    make("header", {}, title,
      make("button",
        { type: "button", class: "close", "aria-label": say("close"), onclick: () => sheet.close() }, "×")),
    make("div", { class: "scrolls", tabindex: "-1" }, inputs, outcome, steps),
    make("footer", {}, keypad, make("p", { class: "actions" }, throwing, owning)));
  document.body.append(sheet);
  // A tap beside the sheet puts it away.
  sheet.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });

  /** The procedure at hand with the values of its inputs; the dice that are typed, if they are. */
  let id = "";
  let values = {};
  let typed = null;

  function open(procedure) {
    id = procedure;
    const { title: called, inputs: asked } = programs.procedures[id];
    const before = remembered[id] ?? {};
    values = Object.fromEntries(asked.map((input) =>
      [input.name, holds(input, before[input.name]) ? before[input.name] : input.default]));
    title.textContent = called;
    inputs.replaceChildren(...asked.map((input) => field(input, values[input.name], (value) => {
      values[input.name] = value;
      remembered[id] = values;
      keep("inputs", remembered);
      clear();
      if (typed) own(true);
    })));
    clear();
    own(false);
    sheet.showModal();
    sheet.querySelector(".scrolls").scrollTop = 0;
    throwing.focus({ preventScroll: true });
  }

  function clear() {
    outcome.replaceChildren();
    steps.replaceChildren();
    throwing.textContent = say("throw");
  }

  function throwDice() {
    const found = played(dice.chance);
    throwing.textContent = say("again");
    if (found) showPlay(found);
  }

  /** A play, or nothing where it is refused, and the players see why. */
  function played(throwDie) {
    try {
      return dice.play(programs, id, values, throwDie);
    } catch (fault) {
      if (!(fault instanceof dice.Refused)) throw fault;
      const reason = fault.message;
      clear();
      outcome.append(make("p", { class: "refused" }, reason ? say("requires", { reason }) : say("refused")));
      keypad.replaceChildren();
      return null;
    }
  }

  function showPlay(found) {
    outcome.replaceChildren(...(found.results ?? []).map((one) =>
      make("p", {}, make("span", {}, one.title), " ", make("b", {}, one.text))));
    const lines = linesOf(found.events);
    if (found.results) queueMicrotask(() => bringUp(outcome));
    steps.replaceChildren(...(lines.length ? [make("h3", {}, say("steps")), make("ol", {}, ...lines)] : []));
  }

  /** Scroll the sheet so far that all of an element is seen. */
  function bringUp(element) {
    const scrolling = element.parentElement;
    const [inner, outer] = [element, scrolling].map((one) => one.getBoundingClientRect());
    if (inner.bottom > outer.bottom || inner.top < outer.top) scrolling.scrollTop += inner.top - outer.top - 8;
  }

  /** A line for each sentence with what fell and what was set below it, heads for passes in which there is something
      to show; what the steps within a step come to stands below them. */
  function linesOf(events) {
    const lines = [];
    const [heads, awaited] = [[], []];
    let quiet = null;
    function put(depth, ...inner) {
      for (const head of heads) {
        if (head.depth <= depth && !head.put) lines.push(line(head.depth - 1, "pass", say("pass", head)));
        if (head.depth <= depth) head.put = true;
      }
      lines.push(line(depth, "step", ...inner));
    }
    function begin(depth, ...sentence) {
      quiet = { depth, facts: make("span", { class: "facts" }) };
      put(depth, ...sentence, quiet.facts);
    }
    function add(depth, facts) {
      if (facts.length && quiet?.depth !== depth) begin(depth);
      quiet?.facts.append(...facts);
    }
    /** What was awaited of the steps around those that end here. */
    function come(depth) {
      while (awaited.at(-1)?.depth >= depth) {
        const { depth: outer, facts } = awaited.pop();
        add(outer, facts);
      }
    }
    for (const [at, event] of events.entries()) {
      const { depth, number } = event;
      come(depth);
      while (heads.at(-1)?.depth > depth || (heads.at(-1)?.depth === depth && heads.at(-1).number !== number))
        heads.pop();
      if (number && heads.at(-1)?.depth !== depth) {
        heads.push({ depth, number, put: false });
        quiet = null;
      }
      if (event.say) begin(depth, make("span", {}, event.say));
      const facts = [...factsOf(event)];
      if (events[at + 1]?.depth > depth) awaited.push({ depth, facts });
      else add(depth, facts);
    }
    come(0);
    return lines;
  }

  function line(depth, kind, ...inner) {
    const made = make("li", { class: kind }, ...inner);
    made.style.setProperty("--depth", depth);
    return made;
  }

  function* factsOf(event) {
    let fallen = null;
    for (const one of event.thrown) {
      // Single dice of one kind stand in one row, as in print.
      if (one.dice !== fallen?.dice || one.faces.length > 1) {
        if (fallen) yield fallen.shown;
        fallen = { dice: one.dice, shown: make("span", { class: "fallen" }, make("span", { class: "of" }, one.dice)) };
      }
      fallen.shown.append(...one.faces.map((face) => die(one.sides, face)));
    }
    if (fallen) yield fallen.shown;
    for (const [words, value] of event.sets)
      yield make("span", { class: "fact" }, words ? `${words}: ` : "= ", make("b", {}, value));
  }

  // ---- dice from the table -------------------------------------------------------------------

  /** Faces up to so many have a button each. */
  const MOST_BUTTONS = 20;

  function own(yes) {
    typed = yes ? [] : null;
    throwing.hidden = yes;
    owning.textContent = say(yes ? "chance" : "own");
    keypad.replaceChildren();
    if (yes) ask();
    else clear();
  }

  function ask() {
    const found = played(dice.given(typed));
    if (!found) return;
    showPlay(found);
    const had = keypad.contains(document.activeElement) ? document.activeElement.dataset.face : null;
    keypad.replaceChildren(...keys(found.wanted));
    const focus = [...keypad.querySelectorAll("button, input")];
    if (had !== null) (focus.find((one) => one.dataset.face === had) ?? focus[0])?.focus();
  }

  function* keys(wanted) {
    if (wanted) {
      const { sides, left } = wanted;
      const words = say(left > 1 ? "left" : "next", { die: `d${sides}`, left });
      yield make("p", { id: "keypad-words", "aria-live": "polite" }, words);
      yield make("div", { class: "keys", role: "group", "aria-labelledby": "keypad-words" },
        ...(sides <= MOST_BUTTONS ? faceButtons(sides) : numberField(sides)));
    }
    if (!typed.length) return;
    const changing = (key, change) => make("button",
      { type: "button", "data-face": key, onclick: () => { change(); ask(); } }, say(key));
    yield make("p", { class: "actions" },
      changing("back", () => typed.pop()), changing("over", () => { typed.length = 0; }));
  }

  function put(face) {
    typed.push(face);
    ask();
  }

  const faceButtons = (sides) => Array.from({ length: sides }, (_, at) =>
    make("button", { type: "button", "data-face": at + 1, "aria-label": at + 1, onclick: () => put(at + 1) },
      die(sides, at + 1)));

  function numberField(sides) {
    const number = make("input", { type: "number", inputmode: "numeric", min: 1, max: sides, "data-face": "number",
      "aria-labelledby": "keypad-words" });
    const enter = () => {
      const face = Number(number.value);
      if (dice.facesOf(sides).includes(face)) put(face);
    };
    number.addEventListener("keydown", (event) => { if (event.key === "Enter") enter(); });
    return [number, make("button", { type: "button", onclick: enter }, say("enter"))];
  }

  for (const button of document.querySelectorAll("button.roll")) {
    button.hidden = false;
    button.addEventListener("click", () => open(button.dataset.procedure));
  }
})();
