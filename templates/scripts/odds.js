// The told programs of a ruleset, of its options and of the edition before -> its odds explorer: set the inputs of a
// procedure and see what comes of it, beside another setting, option or edition. All numbers are reckoned in a worker
// (scripts/exact.js), which is made of the text of its scripts, so that the page also works from a disk.
(function () {
  "use strict";
  const at = (id) => document.getElementById(id);
  const words = JSON.parse(at("words").textContent);
  const { start, folder } = document.body.dataset;
  // What is shown; `kept` is a setting to compare with, `beside` an option or another edition.
  const now = { procedure: "", result: "", setting: {}, focus: "", mode: "exactly", sweep: "", kept: null, beside: "" };
  const SVG = "http://www.w3.org/2000/svg";

  function make(name, attributes = {}, ...inside) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null) made.setAttribute(key, value);
    }
    made.append(...inside);
    return made;
  }
  function draw(parent, name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  }

  // ---- programs and questions ----
  const { sets, ...common } = JSON.parse(at("programs").textContent);
  const main = sets[""];
  const programs = Object.fromEntries(
    Object.entries(sets).map(([name, { natural, procedures, gone = [] }]) => {
      const whole = Object.entries({ ...main.procedures, ...procedures }).filter(([id]) => !gone.includes(id));
      return [name, { ...common, natural, procedures: Object.fromEntries(whole) }];
    }),
  );
  const body = new Blob([at("worker").textContent], { type: "text/javascript" });
  const address = URL.createObjectURL(body);
  const answers = new Map(),
    waiting = new Map();
  let worker = null;
  function begin() {
    worker = new Worker(address);
    worker.postMessage({ programs });
    worker.addEventListener("message", ({ data: { key, answer } }) => {
      answers.set(key, answer);
      waiting.get(key)?.(answer);
      waiting.delete(key);
    });
  }
  // What nobody waits for any more is given up.
  function giveUp() {
    if (!waiting.size) return;
    worker.terminate();
    waiting.clear();
    begin();
  }
  function ask({ set, view, setting }, results = [now.result]) {
    const inputs = Object.fromEntries(
      Object.entries(view.inputs).map(([name, input]) => [name, input.plain(setting[name])]),
    );
    const key = JSON.stringify([set, now.procedure, inputs, results]);
    if (answers.has(key)) return answers.get(key);
    return new Promise((found) => {
      waiting.set(key, found);
      worker.postMessage({ key, set, procedure: now.procedure, inputs, results });
    });
  }
  // A procedure as the page shows it, its values as they are typed; null where a set has no such procedure.
  function viewOf(set) {
    const procedure = programs[set].procedures[now.procedure];
    if (!procedure) return null;
    return {
      inputs: Object.fromEntries(procedure.inputs.map((one) => [one.name, inputOf(one)])),
      results: Object.fromEntries(
        procedure.results.map((one) => [one.name, { ...one, unit: common.data[one.kind]?.unit }]),
      ),
    };
  }
  const typed = (plain) => plain?.ratio ?? String(plain);
  function inputOf(one) {
    const plains = one.values ?? Array.from({ length: one.to - one.from + 1 }, (_, place) => one.from + place);
    const values = plains.map(typed),
      unit = common.data[one.kind]?.unit;
    const input = {
      ...one,
      values,
      told: one.titles ?? values.map((value) => value.replace("-", "−")),
      unit: unit?.replace("%", "") ?? "",
      counted: !one.several && (one.values === undefined || unit !== undefined || typeof one.values[0] === "number"),
      flag: typeof plains[0] === "boolean",
      limits: one.several ? values.map((row) => one.limits?.[row] ?? 1) : [],
    };
    input.default = one.several
      ? set(
          input,
          input.values.map((row) => one.default.rows.filter((other) => other === row).length),
        )
      : typed(one.default);
    input.plain = (value) =>
      one.several
        ? { rows: times(input, value).flatMap((number, row) => Array(number).fill(values[row])) }
        : plains[values.indexOf(value)];
    return input;
  }
  // How often each row holds, of a set of conditions as it is typed.
  function times(input, text) {
    const held = new Map(
      text === "none"
        ? []
        : text.split("+").map((one) => {
            const [row, number] = one.split("*");
            return [row, Number(number ?? 1)];
          }),
    );
    return input.values.map((row) => held.get(row) ?? 0);
  }

  // ---- numbers ----
  const number = ([over, under]) => {
    const size = over < 0n ? -over : over;
    return (over < 0n ? -1 : 1) * (Number(size / under) + Number(((size % under) * 10n ** 15n) / under) / 1e15);
  };
  function size(value) {
    const [over, under] = String(value).split("/");
    return Number(over) / Number(under ?? 1);
  }
  function percent(share) {
    const part = 100 * share;
    if (part === 0 || part >= 0.1) return `${part.toFixed(1)} %`;
    return part < 0.001 ? "< 0.001 %" : `${part.toPrecision(2)} %`;
  }
  const short = (value) => String(Math.round(value * 100) / 100).replace("-", "−");
  const share = (odds, weight) => number([weight, odds.total]);
  const add = (odds, wanted) =>
    odds.values.reduce((sum, value, place) => (wanted(value) ? sum + odds.weights[place] : sum), 0n);
  const above = (odds, least) =>
    share(
      odds,
      add(odds, (value) => value === "more" || size(value) >= least),
    );
  function spread(odds) {
    const middle = number(odds.mean);
    return Math.sqrt(
      odds.values.reduce(
        (sum, value, place) => sum + share(odds, odds.weights[place]) * (size(value) - middle) ** 2,
        0,
      ),
    );
  }
  const told = (result, value) => (value === "more" ? words.more : (result.titles.get(String(value)) ?? String(value)));
  const isNumber = (result) => result.number === true;
  // How far a chance of many plays may be from the exact one, in 19 cases of 20.
  const doubt = ({ plays }, share) =>
    plays ? ` ± ${(196 * Math.sqrt(Math.max(share * (1 - share), 1 / plays) / plays)).toFixed(1)}` : "";

  // ---- the address ----
  function written(setting, inputs) {
    return Object.keys(inputs)
      .filter((name) => setting[name] !== inputs[name].default)
      .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(setting[name])}`)
      .join("&");
  }
  function parsed(text, inputs) {
    const given = new URLSearchParams(text);
    return Object.fromEntries(
      Object.entries(inputs).map(([name, input]) => [
        name,
        given.has(name) && known(input, given.get(name)) ? given.get(name) : input.default,
      ]),
    );
  }
  function known(input, typed) {
    if (!input.several) return input.values.includes(typed);
    return (
      typed === set(input, times(input, typed)) && times(input, typed).every((held, row) => held <= input.limits[row])
    );
  }
  const set = (input, held) =>
    held
      .flatMap((number, row) => (number > 1 ? `${input.values[row]}*${number}` : number ? input.values[row] : []))
      .join("+") || "none";
  function remember(inputs) {
    const kept = now.kept ? `~${written(now.kept, inputs)}` : "";
    const parts = [
      now.procedure,
      now.result,
      written(now.setting, inputs),
      now.focus,
      now.mode,
      now.sweep,
      now.beside,
      kept,
    ];
    history.replaceState(null, "", `#${parts.join("/").replace(/\/+$/, "")}`);
  }
  function recall() {
    const [procedure, result, setting, focus, mode, sweep, beside, kept] = location.hash.slice(1).split("/");
    const choices = [...at("procedure").options].map((one) => one.value);
    now.procedure = choices.includes(procedure) ? procedure : choices[0];
    at("procedure").value = now.procedure;
    const view = viewOf("");
    now.result = result in view.results ? result : Object.keys(view.results)[0];
    now.setting = parsed(setting ?? "", view.inputs);
    now.focus = decodeURIComponent(focus ?? "");
    now.mode = ["exactly", "at_least", "at_most"].includes(mode) ? mode : "exactly";
    now.sweep = sweep in view.inputs ? sweep : "";
    now.beside = beside in sets ? beside : "";
    if (at("beside")) at("beside").value = now.beside;
    now.kept = kept?.startsWith("~") ? parsed(kept.slice(1), view.inputs) : null;
    showInputs(view);
    show();
  }

  // ---- the inputs ----
  function change(name, typed) {
    now.setting[name] = typed;
    show();
  }
  function pills(name, choices, chosen, act) {
    return choices.map(([value, text]) =>
      make(
        "label",
        { class: "pill" },
        make("input", { type: "radio", name, value, checked: value === chosen, onchange: () => act(value) }),
        make("span", {}, text),
      ),
    );
  }
  function titleOf(input, typed) {
    if (!input.several) return input.told[input.values.indexOf(typed)];
    return (
      times(input, typed)
        .flatMap((held, row) => (held ? `${input.told[row]}${held > 1 ? ` ×${held}` : ""}` : []))
        .join(", ") || words.none
    );
  }
  function showInputs(view) {
    const fields = Object.entries(view.inputs).map(([name, input]) => {
      const id = `input-${name}`;
      const legend = make("legend", {}, input.label);
      if (input.flag) {
        const box = make("input", {
          type: "checkbox",
          id,
          checked: now.setting[name] === "true",
          onchange: () => change(name, String(box.checked)),
        });
        return make("p", { class: "field flag" }, make("label", { for: id }, box, make("span", {}, input.label)));
      }
      if (input.several) return conditions(name, input);
      if (input.counted && input.values.length > 6) return slider(name, input, id);
      const choices = input.values.map((value, place) => [value, input.told[place]]);
      if (choices.length <= 4 && choices.reduce((length, [, text]) => length + text.length + 4, 0) < 46) {
        return make(
          "fieldset",
          { class: "pills" },
          legend,
          make("div", {}, ...pills(id, choices, now.setting[name], (value) => change(name, value))),
        );
      }
      const list = make(
        "select",
        { id, onchange: () => change(name, list.value) },
        ...choices.map(([value, text]) => make("option", { value, selected: value === now.setting[name] }, text)),
      );
      return make("p", { class: "field" }, make("label", { for: id }, input.label), list);
    });
    at("inputs").replaceChildren(...fields);
    const sweeps = Object.entries(view.inputs).filter(([, input]) => !input.several && input.values.length > 1);
    at("sweep").replaceChildren(
      make("option", { value: "" }, words.nothing),
      ...sweeps.map(([name, input]) => make("option", { value: name, selected: name === now.sweep }, input.label)),
    );
    at("sweep").closest("section").hidden = !sweeps.length;
    at("keep").hidden = at("usual-inputs").hidden = !fields.length;
    at("results").hidden = Object.keys(view.results).length < 2;
    at("results").lastElementChild.replaceChildren(
      ...pills(
        "result",
        Object.entries(view.results).map(([name, one]) => [name, one.title]),
        now.result,
        (value) => {
          now.result = value;
          now.focus = "";
          show();
        },
      ),
    );
  }
  // A slider goes through the values; they may be typed as well.
  function slider(name, input, id) {
    const stops = input.values;
    const nearest = (typed) =>
      stops.reduce(
        (best, one, place) =>
          Math.abs(size(one) - size(typed)) < Math.abs(size(stops[best]) - size(typed)) ? place : best,
        0,
      );
    const line = make("input", {
      type: "range",
      id,
      min: 0,
      max: stops.length - 1,
      value: nearest(now.setting[name]),
      "aria-valuetext": titleOf(input, now.setting[name]),
      oninput: () => took(line.value),
    });
    const box = make("input", {
      type: "text",
      inputmode: "decimal",
      size: 4,
      "aria-label": input.label,
      value: now.setting[name],
      onchange: () => {
        line.value = nearest(
          box.value
            .trim()
            .replace("−", "-")
            .replace(/\s*(in|cm|mm|″)$/, ""),
        );
        took(line.value);
      },
    });
    function took(place) {
      box.value = stops[place];
      line.setAttribute("aria-valuetext", titleOf(input, stops[place]));
      change(name, stops[place]);
    }
    return make(
      "div",
      { class: "field range" },
      make("label", { for: id }, input.label),
      line,
      make("span", { class: "typed" }, box, input.unit),
    );
  }
  function conditions(name, input) {
    const summary = make("span", { class: "chosen" }, titleOf(input, now.setting[name]));
    const took = (row, number) => {
      const held = times(input, now.setting[name]);
      held[row] = number;
      now.setting[name] = set(input, held);
      summary.textContent = titleOf(input, now.setting[name]);
      show();
    };
    const held = times(input, now.setting[name]);
    const rows = input.values.map((value, row) => {
      const text = input.told[row];
      if (input.limits[row] === 1) {
        const box = make("input", {
          type: "checkbox",
          checked: held[row] > 0,
          onchange: () => took(row, Number(box.checked)),
        });
        return make("label", { class: "row" }, box, make("span", {}, text));
      }
      const list = make(
        "select",
        { onchange: () => took(row, Number(list.value)) },
        ...Array.from({ length: input.limits[row] + 1 }, (_, number) =>
          make("option", { value: number, selected: number === held[row] }, `${number} ×`),
        ),
      );
      return make("label", { class: "row" }, list, make("span", {}, text));
    });
    return make(
      "details",
      { class: "conditions", open: rows.length < 5 },
      make("summary", {}, make("b", {}, input.label), " ", summary),
      ...rows,
    );
  }

  // ---- what comes of it ----
  let turn = 0;
  async function show() {
    const mine = ++turn;
    giveUp();
    const view = viewOf("");
    remember(view.inputs);
    const series = [{ name: words.this, view, setting: now.setting, set: "" }];
    const messages = [];
    if (now.kept) series.push({ name: words.kept, view, setting: now.kept, set: "" });
    if (now.beside) {
      const other = viewOf(now.beside);
      const fits =
        other?.results[now.result] &&
        Object.keys(other.inputs).every((input) =>
          input in view.inputs ? known(other.inputs[input], now.setting[input]) : true,
        );
      if (fits) {
        const setting = Object.fromEntries(
          Object.entries(other.inputs).map(([input, one]) => [input, now.setting[input] ?? one.default]),
        );
        series.push({ name: sets[now.beside].title, view: other, setting, set: now.beside });
      } else messages.push(words.unlike);
    }
    const patience = setTimeout(() => at("message").replaceChildren(words.wait), 500);
    for (const one of series) one.found = await ask(one);
    clearTimeout(patience);
    if (mine !== turn) return;
    const main = series[0].found;
    if (main.refused !== undefined) messages.unshift(main.refused || words.refused);
    at("message").replaceChildren(...messages.map((text) => make("span", {}, text)));
    const shown = series.filter((one) => one.found.results?.[now.result]).slice(0, 3);
    at("figures").classList.toggle("none", !main.results);
    if (!main.results) {
      for (const id of ["figures", "legend", "chart", "note"]) at(id).replaceChildren();
      at("table").hidden = at("modes").hidden = at("csv").hidden = true;
      at("swept").replaceChildren();
      at("swept-table").hidden = true;
      return;
    }
    for (const one of shown) one.odds = { ...one.found.results[now.result], plays: one.found.plays };
    const titles = new Map(
      shown.flatMap(({ odds }) => odds.values.map((value, place) => [String(value), odds.told[place]])),
    );
    const result = { ...view.results[now.result], titles };
    at("table").hidden = at("csv").hidden = false;
    at("modes").hidden = !isNumber(result);
    at("modes").lastElementChild.replaceChildren(
      ...pills(
        "mode",
        ["exactly", "at_least", "at_most"].map((one) => [one, words[one]]),
        now.mode,
        (value) => {
          now.mode = value;
          show();
        },
      ),
    );
    const plays = Math.max(...shown.map(({ odds }) => odds.plays ?? 0));
    at("note").textContent = plays ? words.sampled.replace("{plays}", plays) : words.exact;
    focusOn(result, shown[0].odds);
    showLegend(shown, view);
    showFigures(result, shown);
    showOutcomes(result, shown);
    await showSweep(view, result, shown, mine);
  }
  // The outcome or number whose chance is told large: the one that was chosen, or the nearest to the mean.
  function focusOn(result, odds) {
    const choices = odds.values.filter((value) => value !== "more").map(String);
    if (choices.includes(now.focus) || (isNumber(result) && /^-?\d+(\/\d+)?$/.test(now.focus))) return;
    const middle = isNumber(result) ? number(odds.mean) : 0;
    now.focus = isNumber(result)
      ? choices.reduce(
          (best, one) => (Math.abs(size(one) - middle) < Math.abs(size(best) - middle) ? one : best),
          choices[0] ?? "0",
        )
      : choices[odds.weights.reduce((best, one, place) => (one > odds.weights[best] ? place : best), 0)];
  }
  function chance(result, odds) {
    return isNumber(result)
      ? above(odds, size(now.focus))
      : share(
          odds,
          add(odds, (value) => String(value) === now.focus),
        );
  }
  function showLegend(shown, view) {
    const differing = ({ setting, set }) =>
      set
        ? ""
        : Object.keys(view.inputs)
            .filter((name) => shown.some((one) => one.setting[name] !== setting[name] && !one.set))
            .map((name) => `${view.inputs[name].label}: ${titleOf(view.inputs[name], setting[name])}`)
            .join("; ");
    at("legend").replaceChildren(
      ...(shown.length < 2
        ? []
        : shown.map((one, place) =>
            make("span", { class: `series s${place}` }, make("i", {}), make("b", {}, one.name), ` ${differing(one)}`),
          )),
    );
    if (now.kept)
      at("legend").append(
        make(
          "button",
          {
            type: "button",
            class: "jump",
            onclick: () => {
              now.kept = null;
              show();
            },
          },
          words.drop,
        ),
      );
  }
  function showFigures(result, shown) {
    const tile = (title, values) =>
      make(
        "div",
        { class: "tile" },
        make("span", { class: "what" }, title),
        ...values.map((value, place) => make("b", { class: `s${place}` }, value)),
      );
    const tiles = [];
    const counted = (value) => (result.unit ? result.unit.replace("%", short(value)) : short(value));
    if (isNumber(result)) {
      tiles.push(
        tile(
          words.mean,
          shown.map((one) => counted(number(one.odds.mean))),
        ),
      );
      if (!shown.some((one) => one.odds.values.includes("more")))
        tiles.push(
          tile(
            words.spread,
            shown.map((one) => counted(spread(one.odds))),
          ),
        );
    }
    const choice = make(
      "select",
      {
        "aria-label": isNumber(result) ? words.least : words.of,
        onchange: () => {
          now.focus = choice.value;
          show();
        },
      },
      ...outcomes(result, shown)
        .filter((value) => value !== "more")
        .map((value) => make("option", { value, selected: String(value) === now.focus }, told(result, value))),
    );
    const title = make("label", { class: "what" }, isNumber(result) ? words.least : words.of, " ", choice);
    const last = tile(
      "",
      shown.map(({ odds }) => percent(chance(result, odds)) + doubt(odds, chance(result, odds))),
    );
    last.classList.add("main");
    last.firstElementChild.replaceWith(title);
    const focused = at("figures").contains(document.activeElement) && document.activeElement.tagName === "SELECT";
    at("figures").replaceChildren(...tiles, last);
    if (focused) choice.focus();
  }
  // All outcomes of all series: numbers rising, words in the order of the first.
  function outcomes(result, shown) {
    const all = [...new Map(shown.flatMap((one) => one.odds.values).map((value) => [String(value), value])).values()];
    if (isNumber(result) && now.focus !== "" && !all.some((value) => String(value) === now.focus))
      all.push(/\//.test(now.focus) ? now.focus : Number(now.focus));
    return isNumber(result)
      ? all.sort((one, other) => (one === "more") - (other === "more") || size(one) - size(other))
      : all;
  }
  function chances(result, shown) {
    return outcomes(result, shown).map((value) => ({
      value,
      shares: shown.map(({ odds }) => {
        if (!isNumber(result) || now.mode === "exactly")
          return share(
            odds,
            add(odds, (one) => String(one) === String(value)),
          );
        if (value === "more")
          return share(odds, now.mode === "at_most" ? odds.total : add(odds, (one) => one === "more"));
        return now.mode === "at_least"
          ? above(odds, size(value))
          : share(
              odds,
              add(odds, (one) => one !== "more" && size(one) <= size(value)),
            );
      }),
    }));
  }
  function showOutcomes(result, shown) {
    let rows = chances(result, shown);
    at("table").lastElementChild.replaceChildren(
      listed(
        [words.outcome, ...shown.map((one) => (shown.length > 1 ? one.name : words.chance))],
        rows.map(({ value, shares }) => [told(result, value), ...shares.map(percent)]),
      ),
    );
    if (isNumber(result) && rows.length > 12) columns(result, trimmed(rows, now.mode));
    else {
      bars(
        "chart",
        rows.map(({ value, shares }) => ({
          name: told(result, value),
          marked: String(value) === now.focus,
          values: shares,
        })),
        percent,
        words.chart,
      );
    }
  }
  // Without the ends that no eye could see.
  function trimmed(rows, mode) {
    const seen = ({ shares }) =>
      shares.some((one) => one >= 0.0005) && !(mode !== "exactly" && shares.every((one) => one > 0.9995));
    const first = rows.findIndex(seen),
      last = rows.findLastIndex(seen);
    return first < 0 ? rows : rows.slice(Math.max(0, first - 1), last + 2);
  }
  function listed(heads, rows) {
    return make(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": heads[0] },
      make(
        "table",
        {},
        make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)))),
        make(
          "tbody",
          {},
          ...rows.map(([first, ...rest]) =>
            make("tr", {}, make("th", { scope: "row" }, first), ...rest.map((text) => make("td", {}, text))),
          ),
        ),
      ),
    );
  }
  let drawn = 0;
  function canvas(id, height, label) {
    drawn = at(id).clientWidth;
    const width = Math.max(260, Math.round(drawn));
    const svg = document.createElementNS(SVG, "svg");
    for (const [key, value] of Object.entries({
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": label,
    }))
      svg.setAttribute(key, value);
    at(id).replaceChildren(svg);
    return { svg, width };
  }
  // Few things, or words: a bar beside each for every series.
  function bars(id, rows, text, label) {
    const count = rows[0]?.values.length ?? 1;
    const thick = count > 1 ? 15 : 20,
      gap = 12,
      step = count * thick + gap;
    const { svg, width } = canvas(id, rows.length * step + 4, label);
    const longest = Math.max(...rows.map(({ name }) => name.length));
    const left = Math.min(width * 0.42, 14 + longest * 8),
      room = width - left - 74,
      fits = Math.floor(left / 7.4);
    const most = Math.max(...rows.flatMap(({ values }) => values.map((one) => one ?? 0)), 1e-9);
    rows.forEach(({ name, marked, values }, row) => {
      const y = row * step + gap / 2;
      const title = draw(
        svg,
        "text",
        { x: left - 10, y: y + (count * thick) / 2 + 5, "text-anchor": "end", class: marked ? "label focus" : "label" },
        name.length > fits ? `${name.slice(0, fits - 1)}…` : name,
      );
      if (name.length > fits) draw(title, "title", {}, name);
      values.forEach((one, place) => {
        const long = Math.max(one > 0 ? 1.5 : 0, ((one ?? 0) / most) * room);
        draw(svg, "rect", {
          x: left,
          y: y + place * thick,
          width: long,
          height: thick - (count > 1 ? 2 : 0),
          rx: 2,
          class: `in s${place}`,
        });
        draw(
          svg,
          "text",
          { x: left + long + 6, y: y + place * thick + thick / 2 + 4, class: "share" },
          one === null ? "–" : text(one),
        );
      });
    });
    return svg;
  }
  function grid(svg, width, height, left, bottom, most, text) {
    const top = 12;
    const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000];
    const step = steps.find((one) => most / one <= 5) ?? most / 4;
    const y = (value) => top + (height - top - bottom) * (1 - value / most);
    for (let value = 0; value <= most * 1.0001; value += step) {
      draw(svg, "line", { x1: left, x2: width, y1: y(value), y2: y(value), class: value ? "grid" : "axis" });
      draw(svg, "text", { x: left - 6, y: y(value) + 4, "text-anchor": "end", class: "tick" }, text(value));
    }
    return y;
  }
  // Many numbers: a column for each.
  function columns(result, rows) {
    const height = 280,
      left = 44,
      bottom = 26;
    const { svg, width } = canvas("chart", height, words.chart);
    const most = Math.max(...rows.flatMap(({ shares }) => shares), 1e-9) * 1.04;
    const y = grid(svg, width, height, left, bottom, most, (value) => `${short(100 * value)} %`);
    const wide = (width - left) / rows.length,
      every = Math.ceil(34 / wide);
    const count = rows[0].shares.length;
    rows.forEach(({ value, shares }, column) => {
      shares.forEach((one, place) => {
        const part = (wide - Math.min(3, wide * 0.2)) / count;
        const bar = draw(svg, "rect", {
          x: left + column * wide + place * part + Math.min(1.5, wide * 0.1),
          y: y(one),
          width: Math.max(0.8, part - (count > 1 ? 0.5 : 0)),
          height: Math.max(0, y(0) - y(one)),
          class: `s${place}${isNumber(result) && value !== "more" && size(value) >= size(now.focus) ? " in" : ""}`,
        });
        draw(bar, "title", {}, `${told(result, value)}: ${percent(one)}`);
      });
      if (column % every === 0)
        draw(
          svg,
          "text",
          { x: left + (column + 0.5) * wide, y: height - 8, "text-anchor": "middle", class: "tick" },
          told(result, value),
        );
    });
  }

  // ---- one input after another ----
  async function showSweep(view, result, shown, mine) {
    at("swept-table").hidden = !now.sweep;
    if (!now.sweep) {
      at("swept").replaceChildren();
      return;
    }
    const rows = await swept(view, shown);
    if (mine !== turn) return;
    const counted = isNumber(result),
      input = view.inputs[now.sweep];
    const what = counted ? `${words.least} ${told(result, now.focus)}` : `${words.of} ${told(result, now.focus)}`;
    const told2 = rows.map(({ typed, odds }) => [
      titleOf(input, typed),
      ...odds.flatMap((one) =>
        one
          ? [...(counted ? [short(number(one.mean))] : []), percent(chance(result, one))]
          : [...(counted ? ["–"] : []), "–"],
      ),
    ]);
    const several = shown.length > 1;
    at("swept-table").lastElementChild.replaceChildren(
      listed(
        [
          input.label,
          ...shown.flatMap(({ name }) =>
            [...(counted ? [words.mean] : []), what].map((one) => (several ? `${one} (${name})` : one)),
          ),
        ],
        told2,
      ),
    );
    const plots = [[what, (one) => chance(result, one), percent, (value) => `${Math.round(100 * value)} %`, 1]];
    if (counted) plots.push([words.mean, (one) => number(one.mean), short, short, null]);
    const drawn = plots.map(([title, of, text, tick, limit]) => {
      const values = rows.flatMap(({ odds }) => odds.filter(Boolean).map(of));
      const plain = !input.counted && values.every((one) => one >= 0);
      const svg = plain
        ? bars(
            "swept",
            rows.map(({ typed, odds }) => ({
              name: titleOf(input, typed),
              marked: typed === now.setting[now.sweep],
              values: odds.map((one) => (one ? of(one) : null)),
            })),
            text,
            `${title}. ${words.line}`,
          )
        : lines(input, rows, shown.length, of, `${title}. ${words.line}`, tick, limit);
      return make("div", { class: "plot" }, make("p", { class: "plot-title" }, title), svg);
    });
    at("swept").replaceChildren(...drawn);
  }
  async function swept(view, shown) {
    const rows = [];
    for (const typed of view.inputs[now.sweep].values) {
      const odds = [];
      for (const one of shown) {
        const fits = one.view.inputs[now.sweep] && known(one.view.inputs[now.sweep], typed);
        odds.push(
          fits
            ? (await ask({ ...one, setting: { ...one.setting, [now.sweep]: typed } })).results?.[now.result]
            : undefined,
        );
      }
      rows.push({ typed, odds });
    }
    return rows;
  }
  // Those of some stops that are named below an axis: as many as have room, all as far from each other.
  function ticks(stops, along) {
    const stride = Math.min(...stops.slice(1).map((one, place) => one.size - stops[place].size));
    const isWhole = (number) => Math.abs(number - Math.round(number)) < 1e-9;
    const origin = isWhole(stops[0].size / stride) ? 0 : stops[0].size;
    const long = Math.max(...stops.map(({ name }) => name.length)) * 7 + 10;
    for (let ten = stride; ten < stops.at(-1).size - origin; ten *= 10)
      for (const step of [ten, 2 * ten, 5 * ten]) {
        const found = stops.filter(({ size }) => isWhole((size - origin) / step));
        const even = found.every((one, place) => !place || isWhole((one.size - found[place - 1].size) / step - 1));
        if (even && found.length > 1 && along(found[1].size) - along(found[0].size) >= long) return found;
      }
    return [stops[0], stops.at(-1)];
  }
  function lines(input, rows, count, of, title, text, limit) {
    const values = rows.flatMap(({ odds }) => odds.filter(Boolean).map(of));
    const height = 210,
      left = 48,
      bottom = 28;
    const { svg, width } = canvas("swept", height, title);
    const lowest = Math.min(0, ...values);
    const most = limit ?? (Math.max(...values, lowest + 1e-6) - lowest) * 1.05;
    const y = grid(svg, width, height, left, bottom, most, (value) => text(value + lowest));
    const { counted } = input;
    const sizeOf = (typed, place) => (counted ? size(typed) : place);
    const sizes = rows.map(({ typed }, place) => sizeOf(typed, place));
    const low = sizes[0],
      high = sizes.at(-1);
    const along = (size) => left + 14 + ((width - left - 28) * (size - low)) / (high - low || 1);
    const x = (place) => along(sizes[place]);
    const stops = rows
      .map(({ typed }) => typed)
      .map((typed, place) => {
        const name = titleOf(input, typed);
        return { size: sizeOf(typed, place), name: name.length > 22 ? `${name.slice(0, 21)}…` : name };
      });
    for (const { size, name } of ticks(stops, along)) {
      const anchor = counted || (size > low && size < high) ? "middle" : size === low ? "start" : "end";
      draw(svg, "text", { x: along(size), y: height - 8, "text-anchor": anchor, class: "tick" }, name);
    }
    for (let place = count - 1; place >= 0; place--) {
      const points = rows.map(({ odds }, row) => (odds[place] ? [x(row), y(of(odds[place]) - lowest)] : null));
      draw(svg, "path", {
        class: `line s${place}`,
        d: points
          .map((point, row) =>
            point ? `${row && points[row - 1] ? "L" : "M"}${point[0].toFixed(1)} ${point[1].toFixed(1)}` : "",
          )
          .join(""),
      });
      if (rows.length < 60)
        points.forEach(
          (point, row) =>
            point &&
            draw(
              draw(svg, "circle", { cx: point[0], cy: point[1], r: 3, class: `s${place}` }),
              "title",
              {},
              `${titleOf(input, rows[row].typed)}: ${text(of(rows[row].odds[place]))}`,
            ),
        );
    }
    return svg;
  }
  // ---- what is taken away ----
  async function csv() {
    const view = viewOf("");
    const cell = (text) => (/[",\n]/.test(text) ? `"${String(text).replaceAll('"', '""')}"` : String(text));
    const names = Object.keys(view.inputs);
    const rows = [["edition", ...names, "result", "value", "probability", "decimal"]];
    const input = view.inputs[now.sweep];
    const settings = (input ? input.values : [null]).map((typed) =>
      typed === null ? now.setting : { ...now.setting, [now.sweep]: typed },
    );
    if (now.kept) settings.push(now.kept);
    for (const setting of settings) {
      const found = await ask({ set: "", view, setting }, Object.keys(view.results));
      for (const [result, odds] of Object.entries(found.results ?? {})) {
        odds.values.forEach((value, place) =>
          rows.push([
            folder,
            ...names.map((name) => setting[name]),
            result,
            value,
            `${odds.weights[place]}/${odds.total}`,
            share(odds, odds.weights[place]).toPrecision(10),
          ]),
        );
      }
    }
    const blob = new Blob([rows.map((row) => row.map(cell).join(",") + "\n").join("")], { type: "text/csv" });
    const link = make("a", { href: URL.createObjectURL(blob), download: `${start}-${folder}-${now.procedure}.csv` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  at("procedure").addEventListener("change", () => {
    Object.assign(now, { procedure: at("procedure").value, result: "", sweep: "", focus: "", kept: null, setting: {} });
    history.replaceState(null, "", `#${now.procedure}////// ${now.beside}`.replace(" ", "").replace(/\/+$/, ""));
    recall();
  });
  at("setting").addEventListener("submit", (event) => event.preventDefault());
  at("keep").addEventListener("click", () => {
    now.kept = { ...now.setting };
    show();
  });
  at("usual-inputs").addEventListener("click", () => {
    const view = viewOf("");
    now.setting = parsed("", view.inputs);
    showInputs(view);
    show();
  });
  at("beside")?.addEventListener("change", () => {
    now.beside = at("beside").value;
    show();
  });
  at("sweep").addEventListener("change", () => {
    now.sweep = at("sweep").value;
    show();
  });
  at("csv").addEventListener("click", csv);
  at("share").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      at("share").textContent = words.copied;
    } catch {
      at("share").textContent = words.address;
    }
  });
  addEventListener("hashchange", recall);
  // A page may be drawn before it is as wide as it will be.
  new ResizeObserver(() => {
    if (at("chart").firstChild && Math.abs(at("chart").clientWidth - drawn) > 2) show();
  }).observe(at("chart"));
  if (at("procedure").options.length) {
    at("explorer").hidden = false;
    at("usual").hidden = true;
    begin();
    recall();
  }
})();
