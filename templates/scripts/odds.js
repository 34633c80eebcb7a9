// The usual odds of a ruleset -> its odds explorer: set the inputs of a procedure and see what comes of
// them, beside another setting or edition. All numbers are looked up in the atlases that lie beside the
// page (scripts/atlas.js), or asked of the program where it serves the page.
(function () {
  "use strict"
  const {look, fromJson, mean, ratio, times} = globalThis.rulebookAtlas
  const at = id => document.getElementById(id)
  const words = JSON.parse(at("words").textContent)
  const {start, folder} = document.body.dataset
  const served = document.querySelector("meta[name=rulebook-serve]") !== null
  // What is shown; `kept` is a setting to compare with, `edition` another edition to compare with.
  const now = {procedure: "", result: "", setting: {}, focus: "", mode: "exactly", sweep: "", kept: null, edition: ""}
  const SVG = "http://www.w3.org/2000/svg"

  function make(name, attributes = {}, ...inside) {
    const made = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value)
      else if (value === true) made.setAttribute(key, "")
      else if (value !== false && value !== null) made.setAttribute(key, value)
    }
    made.append(...inside)
    return made
  }
  function draw(parent, name, attributes, text) {
    const made = document.createElementNS(SVG, name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    if (text !== undefined) made.textContent = text
    parent.append(made)
    return made
  }

  // ---- atlases ----
  const loading = new Map()
  const keyOf = edition => `${start}/${edition || folder}/${now.procedure}`
  function load(edition) {
    const key = keyOf(edition)
    if (!loading.has(key)) {
      const src = `${edition ? `../${edition}/` : ""}odds/${now.procedure}.js`
      loading.set(key, new Promise(found => {
        const tag = make("script", {src})
        tag.onload = tag.onerror = () => found(globalThis.rulebookOdds?.[key] ?? null)
        document.head.append(tag)
      }))
    }
    return loading.get(key)
  }
  async function find(atlas, setting, edition) {
    const found = look(atlas, setting)
    if (!found.missing || !served) return found
    const asked = new URLSearchParams({ruleset: start, edition: edition || folder, procedure: now.procedure, ...setting})
    try {
      return fromJson(await (await fetch(`/api/odds?${asked}`)).json())
    } catch {
      return found
    }
  }

  // ---- numbers ----
  const number = ([over, under]) => {
    const size = over < 0n ? -over : over
    return (over < 0n ? -1 : 1) * (Number(size / under) + Number(size % under * 10n ** 15n / under) / 1e15)
  }
  const size = value => number(ratio(value))
  function percent(share) {
    const part = 100 * share
    if (part === 0 || part >= 0.1) return `${part.toFixed(1)} %`
    return part < 0.001 ? "< 0.001 %" : `${part.toPrecision(2)} %`
  }
  const short = value => String(Math.round(value * 100) / 100).replace("-", "−")
  const share = (odds, weight) => number([weight, odds.total])
  const add = (odds, wanted) => odds.values.reduce((sum, value, place) => wanted(value) ? sum + odds.weights[place] : sum, 0n)
  const above = (odds, least) => share(odds, add(odds, value => value === "more" || size(value) >= least))
  function spread(odds) {
    const middle = number(mean(odds, "number"))
    return Math.sqrt(odds.values.reduce((sum, value, place) => sum + share(odds, odds.weights[place]) * (size(value) - middle) ** 2, 0))
  }
  const told = (result, value) => value === "more" ? words.more : result.told[value] ?? (value === true ? words.yes : value === false ? words.no : String(value))
  const isNumber = result => result.kind === "number" || result.kind === "length"

  // ---- the address ----
  function written(setting, inputs) {
    return Object.keys(inputs).filter(name => setting[name] !== inputs[name].default)
      .map(name => `${encodeURIComponent(name)}=${encodeURIComponent(setting[name])}`).join("&")
  }
  function parsed(text, inputs) {
    const given = new URLSearchParams(text)
    return Object.fromEntries(Object.entries(inputs).map(([name, input]) =>
      [name, given.has(name) && known(input, given.get(name)) ? given.get(name) : input.default]))
  }
  function known(input, typed) {
    if (input.kind !== "conditions") return input.values.includes(typed)
    return typed === set(input, times(input, typed)) && times(input, typed).every((held, row) => held <= input.limits[row])
  }
  const set = (input, held) => held.flatMap((number, row) =>
    number > 1 ? `${input.values[row]}*${number}` : number ? input.values[row] : []).join("+") || "none"
  function remember(inputs) {
    const kept = now.kept ? `~${written(now.kept, inputs)}` : ""
    const parts = [now.procedure, now.result, written(now.setting, inputs), now.focus, now.mode, now.sweep, now.edition, kept]
    history.replaceState(null, "", `#${parts.join("/").replace(/\/+$/, "")}`)
  }
  async function recall() {
    const [procedure, result, setting, focus, mode, sweep, edition, kept] = location.hash.slice(1).split("/")
    const choices = [...at("procedure").options].map(one => one.value)
    now.procedure = choices.includes(procedure) ? procedure : choices[0]
    at("procedure").value = now.procedure
    const atlas = await load("")
    if (!atlas) return
    now.result = result in atlas.results ? result : Object.keys(atlas.results)[0]
    now.setting = parsed(setting ?? "", atlas.inputs)
    now.focus = decodeURIComponent(focus ?? "")
    now.mode = ["exactly", "at_least", "at_most"].includes(mode) ? mode : "exactly"
    now.sweep = sweep in atlas.inputs ? sweep : ""
    now.edition = at("edition") && [...at("edition").options].some(one => one.value === edition) ? edition : ""
    if (at("edition")) at("edition").value = now.edition
    now.kept = kept?.startsWith("~") ? parsed(kept.slice(1), atlas.inputs) : null
    showInputs(atlas)
    await show()
  }

  // ---- the inputs ----
  function change(name, typed) {
    now.setting[name] = typed
    show()
  }
  function pills(name, choices, chosen, act) {
    return choices.map(([value, text]) => make("label", {class: "pill"},
      make("input", {type: "radio", name, value, checked: value === chosen, onchange: () => act(value)}), make("span", {}, text)))
  }
  function titleOf(input, typed) {
    if (input.kind !== "conditions") return input.told?.[input.values.indexOf(typed)] ?? typed
    return times(input, typed).flatMap((held, row) => held ? `${input.told[row]}${held > 1 ? ` ×${held}` : ""}` : []).join(", ") || words.none
  }
  function showInputs(atlas) {
    const fields = Object.entries(atlas.inputs).map(([name, input]) => {
      const id = `input-${name}`
      const legend = make("legend", {}, input.label)
      if (input.kind === "flag") {
        const box = make("input", {type: "checkbox", id, checked: now.setting[name] === "true", onchange: () => change(name, String(box.checked))})
        return make("p", {class: "field flag"}, make("label", {for: id}, box, make("span", {}, input.label)))
      }
      if (input.kind === "conditions") return conditions(name, input)
      if ((input.kind === "number" || input.kind === "length") && input.values.length > 6) return slider(name, input, id)
      const choices = input.values.map((value, place) => [value, input.told?.[place] ?? value])
      if (choices.length <= 4 && choices.reduce((length, [, text]) => length + text.length + 4, 0) < 46) {
        return make("fieldset", {class: "pills"}, legend, make("div", {}, ...pills(id, choices, now.setting[name], value => change(name, value))))
      }
      const list = make("select", {id, onchange: () => change(name, list.value)},
        ...choices.map(([value, text]) => make("option", {value, selected: value === now.setting[name]}, text)))
      return make("p", {class: "field"}, make("label", {for: id}, input.label), list)
    })
    at("inputs").replaceChildren(...fields)
    const sweeps = Object.entries(atlas.inputs).filter(([, input]) => input.kind !== "conditions" && (input.kept ?? input.values).length > 1)
    at("sweep").replaceChildren(make("option", {value: ""}, words.nothing),
      ...sweeps.map(([name, input]) => make("option", {value: name, selected: name === now.sweep}, input.label)))
    at("sweep").closest("section").hidden = !sweeps.length
    at("keep").hidden = at("usual-inputs").hidden = !fields.length
    at("results").hidden = Object.keys(atlas.results).length < 2
    at("results").lastElementChild.replaceChildren(...pills("result", Object.entries(atlas.results).map(([name, one]) => [name, one.title]), now.result,
      value => { now.result = value; now.focus = ""; show() }))
  }
  // A slider goes through the values of the atlas, or served through all; any other may be typed.
  function slider(name, input, id) {
    const stops = served ? input.values : input.kept ?? input.values
    const nearest = typed => stops.reduce((best, one, place) =>
      Math.abs(parseFloat(one) - parseFloat(typed)) < Math.abs(parseFloat(stops[best]) - parseFloat(typed)) ? place : best, 0)
    const unit = input.unit ?? ""
    const line = make("input", {type: "range", id, min: 0, max: stops.length - 1, value: nearest(now.setting[name]), "aria-valuetext": titleOf(input, now.setting[name]),
      oninput: () => { box.value = stops[line.value].slice(0, -unit.length || undefined); took(stops[line.value]) }})
    const box = make("input", {type: "text", inputmode: "decimal", size: 4, "aria-label": input.label, value: now.setting[name].slice(0, -unit.length || undefined), onchange: () => {
      const typed = box.value.trim().replace("−", "-").replace(/\s*(in|cm|mm|″)$/, "") + unit
      if (input.values.includes(typed)) { line.value = nearest(typed); took(typed) }
      else { box.value = stops[nearest(typed)]?.slice(0, -unit.length || undefined) ?? ""; line.value = nearest(typed); took(stops[line.value]) }
    }})
    function took(typed) {
      line.setAttribute("aria-valuetext", titleOf(input, typed))
      change(name, typed)
    }
    return make("div", {class: "field range"}, make("label", {for: id}, input.label), line, make("span", {class: "typed"}, box, unit))
  }
  function conditions(name, input) {
    const summary = make("span", {class: "chosen"}, titleOf(input, now.setting[name]))
    const took = (row, number) => {
      const held = times(input, now.setting[name])
      held[row] = number
      now.setting[name] = set(input, held)
      summary.textContent = titleOf(input, now.setting[name])
      show()
    }
    const held = times(input, now.setting[name])
    const rows = input.values.map((value, row) => {
      const text = input.told?.[row] ?? value
      if (input.limits[row] === 1) {
        const box = make("input", {type: "checkbox", checked: held[row] > 0, onchange: () => took(row, Number(box.checked))})
        return make("label", {class: "row"}, box, make("span", {}, text))
      }
      const list = make("select", {onchange: () => took(row, Number(list.value))},
        ...Array.from({length: input.limits[row] + 1}, (_, number) => make("option", {value: number, selected: number === held[row]}, `${number} ×`)))
      return make("label", {class: "row"}, list, make("span", {}, text))
    })
    return make("details", {class: "conditions", open: rows.length < 5}, make("summary", {}, make("b", {}, input.label), " ", summary), ...rows)
  }

  // ---- what comes of it ----
  let turn = 0
  async function show() {
    const mine = ++turn
    const atlas = await load("")
    const other = now.edition ? await load(now.edition) : null
    if (mine !== turn || !atlas) return
    remember(atlas.inputs)
    const series = [{name: words.this, atlas, setting: now.setting, edition: ""}]
    const messages = []
    if (now.kept) series.push({name: words.kept, atlas, setting: now.kept, edition: ""})
    if (now.edition) {
      const name = `${words.edition} ${now.edition}`
      const fits = other && other.results[now.result] && Object.keys(other.inputs).every(input => input in atlas.inputs
        ? known(other.inputs[input], now.setting[input]) : true)
      if (fits) {
        const setting = Object.fromEntries(Object.entries(other.inputs).map(([input, one]) => [input, now.setting[input] ?? one.default]))
        series.push({name, atlas: other, setting, edition: now.edition})
      } else messages.push([other ? words.unlike : words.absent])
    }
    for (const one of series) one.found = await find(one.atlas, one.setting, one.edition)
    if (mine !== turn) return
    const main = series[0].found
    if (main.refused) messages.unshift([main.refused])
    if (main.missing) messages.unshift(...main.missing.map(name => missing(atlas.inputs[name], name)))
    at("message").replaceChildren(...messages.map(parts => make("span", {}, ...parts)))
    const shown = series.filter(one => one.found.results?.[now.result]).slice(0, 3)
    at("figures").classList.toggle("none", !main.results)
    const result = atlas.results[now.result]
    if (!main.results) {
      for (const id of ["figures", "legend", "chart"]) at(id).replaceChildren()
      at("table").hidden = at("modes").hidden = at("csv").hidden = true
      at("swept").replaceChildren()
      at("swept-table").hidden = true
      return
    }
    at("table").hidden = at("csv").hidden = false
    at("modes").hidden = !isNumber(result)
    at("modes").lastElementChild.replaceChildren(...pills("mode", ["exactly", "at_least", "at_most"].map(one => [one, words[one]]), now.mode, value => { now.mode = value; show() }))
    for (const one of shown) one.odds = one.found.results[now.result]
    focusOn(result, shown[0].odds)
    showLegend(shown, atlas)
    showFigures(result, shown)
    showOutcomes(result, shown)
    showNote(atlas)
    await showSweep(atlas, result, shown, mine)
  }
  function missing(input, name) {
    const kept = input.kept
    if (input.kind === "conditions") {
      return [`${words.missing} ${input.label}: ${titleOf(input, now.setting[name])}. ${words.instead} `, ...kept.slice(0, 2).map(typed => jump(input, name, typed))]
    }
    const wanted = parseFloat(now.setting[name])
    const below = kept.filter(one => parseFloat(one) < wanted).at(-1), over = kept.find(one => parseFloat(one) > wanted)
    const near = input.kind === "number" || input.kind === "length" ? [below, over].filter(one => one !== undefined) : kept
    return [`${words.missing} ${input.label}: ${titleOf(input, now.setting[name])}. ${words.instead} `, ...near.flatMap(typed => [jump(input, name, typed), " "])]
  }
  function jump(input, name, typed) {
    return make("button", {type: "button", class: "jump", onclick: async () => { now.setting[name] = typed; showInputs(await load("")); show() }}, titleOf(input, typed))
  }
  // The outcome or number whose chance is told large: the one that was chosen, or the nearest to the mean.
  function focusOn(result, odds) {
    const choices = odds.values.filter(value => value !== "more").map(String)
    if (choices.includes(now.focus) || (isNumber(result) && /^-?\d+(\/\d+)?$/.test(now.focus))) return
    const middle = isNumber(result) ? number(mean(odds, result.kind)) : 0
    now.focus = isNumber(result)
      ? choices.reduce((best, one) => Math.abs(size(one) - middle) < Math.abs(size(best) - middle) ? one : best, choices[0] ?? "0")
      : choices[odds.weights.reduce((best, one, place) => one > odds.weights[best] ? place : best, 0)]
  }
  function chance(result, odds) {
    return isNumber(result) ? above(odds, size(now.focus)) : share(odds, add(odds, value => String(value) === now.focus))
  }
  function showLegend(shown, atlas) {
    const differing = ({setting, edition}) => edition ? "" : Object.keys(atlas.inputs)
      .filter(name => shown.some(one => one.setting[name] !== setting[name] && !one.edition))
      .map(name => `${atlas.inputs[name].label}: ${titleOf(atlas.inputs[name], setting[name])}`).join("; ")
    at("legend").replaceChildren(...(shown.length < 2 ? [] : shown.map((one, place) =>
      make("span", {class: `series s${place}`}, make("i", {}), make("b", {}, one.name), ` ${differing(one)}`))))
    if (now.kept) at("legend").append(make("button", {type: "button", class: "jump", onclick: () => { now.kept = null; show() }}, words.drop))
  }
  function showFigures(result, shown) {
    const tile = (title, values) => make("div", {class: "tile"}, make("span", {class: "what"}, title),
      ...values.map((value, place) => make("b", {class: `s${place}`}, value)))
    const tiles = []
    const lengths = result.unit ? ` ${result.unit}` : ""
    if (isNumber(result)) {
      tiles.push(tile(words.mean, shown.map(one => short(number(mean(one.odds, result.kind))) + lengths)))
      if (!shown.some(one => one.odds.values.includes("more"))) tiles.push(tile(words.spread, shown.map(one => short(spread(one.odds)) + lengths)))
    }
    const choice = make("select", {"aria-label": isNumber(result) ? words.least : words.of, onchange: () => { now.focus = choice.value; show() }},
      ...outcomes(result, shown).filter(value => value !== "more").map(value => make("option", {value, selected: String(value) === now.focus}, told(result, value))))
    const title = make("label", {class: "what"}, isNumber(result) ? words.least : words.of, " ", choice)
    const last = tile("", shown.map(one => percent(chance(result, one.odds))))
    last.classList.add("main")
    last.firstElementChild.replaceWith(title)
    const focused = at("figures").contains(document.activeElement) && document.activeElement.tagName === "SELECT"
    at("figures").replaceChildren(...tiles, last)
    if (focused) choice.focus()
  }
  // All outcomes of all series: numbers rising, words in the order of the first.
  function outcomes(result, shown) {
    const all = [...new Map(shown.flatMap(one => one.odds.values).map(value => [String(value), value])).values()]
    if (isNumber(result) && now.focus !== "" && !all.some(value => String(value) === now.focus)) all.push(/\//.test(now.focus) ? now.focus : Number(now.focus))
    return isNumber(result) ? all.sort((one, other) => (one === "more") - (other === "more") || size(one) - size(other)) : all
  }
  function chances(result, shown) {
    return outcomes(result, shown).map(value => ({value, shares: shown.map(({odds}) => {
      if (!isNumber(result) || now.mode === "exactly") return share(odds, add(odds, one => String(one) === String(value)))
      if (value === "more") return share(odds, now.mode === "at_most" ? odds.total : add(odds, one => one === "more"))
      return now.mode === "at_least" ? above(odds, size(value)) : share(odds, add(odds, one => one !== "more" && size(one) <= size(value)))
    })}))
  }
  function showOutcomes(result, shown) {
    let rows = chances(result, shown)
    at("table").lastElementChild.replaceChildren(listed([words.outcome, ...shown.map(one => shown.length > 1 ? one.name : words.chance)],
      rows.map(({value, shares}) => [told(result, value), ...shares.map(percent)])))
    if (isNumber(result) && rows.length > 12) columns(result, trimmed(rows, now.mode))
    else {
      bars("chart", rows.map(({value, shares}) => ({name: told(result, value), marked: String(value) === now.focus, values: shares})), percent, words.chart)
    }
  }
  // Without the ends that no eye could see.
  function trimmed(rows, mode) {
    const seen = ({shares}) => shares.some(one => one >= 0.0005) && !(mode !== "exactly" && shares.every(one => one > 0.9995))
    const first = rows.findIndex(seen), last = rows.findLastIndex(seen)
    return first < 0 ? rows : rows.slice(Math.max(0, first - 1), last + 2)
  }
  function listed(heads, rows) {
    return make("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": heads[0]}, make("table", {}, make("thead", {}, make("tr", {}, ...heads.map(text => make("th", {scope: "col"}, text)))),
      make("tbody", {}, ...rows.map(([first, ...rest]) => make("tr", {}, make("th", {scope: "row"}, first), ...rest.map(text => make("td", {}, text)))))))
  }
  let drawn = 0
  function canvas(id, height, label) {
    drawn = at(id).clientWidth
    const width = Math.max(260, Math.round(drawn))
    const svg = document.createElementNS(SVG, "svg")
    for (const [key, value] of Object.entries({width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label})) svg.setAttribute(key, value)
    at(id).replaceChildren(svg)
    return {svg, width}
  }
  // Few things, or words: a bar beside each for every series.
  function bars(id, rows, text, label) {
    const count = rows[0]?.values.length ?? 1
    const thick = count > 1 ? 15 : 20, gap = 12, step = count * thick + gap
    const {svg, width} = canvas(id, rows.length * step + 4, label)
    const longest = Math.max(...rows.map(({name}) => name.length))
    const left = Math.min(width * 0.42, 14 + longest * 8), room = width - left - 74, fits = Math.floor(left / 7.4)
    const most = Math.max(...rows.flatMap(({values}) => values.map(one => one ?? 0)), 1e-9)
    rows.forEach(({name, marked, values}, row) => {
      const y = row * step + gap / 2
      const title = draw(svg, "text", {x: left - 10, y: y + count * thick / 2 + 5, "text-anchor": "end", class: marked ? "label focus" : "label"}, name.length > fits ? `${name.slice(0, fits - 1)}…` : name)
      if (name.length > fits) draw(title, "title", {}, name)
      values.forEach((one, place) => {
        const long = Math.max(one > 0 ? 1.5 : 0, (one ?? 0) / most * room)
        draw(svg, "rect", {x: left, y: y + place * thick, width: long, height: thick - (count > 1 ? 2 : 0), rx: 2, class: `in s${place}`})
        draw(svg, "text", {x: left + long + 6, y: y + place * thick + thick / 2 + 4, class: "share"}, one === null ? "–" : text(one))
      })
    })
    return svg
  }
  function grid(svg, width, height, left, bottom, most, text) {
    const top = 12
    const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000]
    const step = steps.find(one => most / one <= 5) ?? most / 4
    const y = value => top + (height - top - bottom) * (1 - value / most)
    for (let value = 0; value <= most * 1.0001; value += step) {
      draw(svg, "line", {x1: left, x2: width, y1: y(value), y2: y(value), class: value ? "grid" : "axis"})
      draw(svg, "text", {x: left - 6, y: y(value) + 4, "text-anchor": "end", class: "tick"}, text(value))
    }
    return y
  }
  // Many numbers: a column for each.
  function columns(result, rows) {
    const height = 280, left = 44, bottom = 26
    const {svg, width} = canvas("chart", height, words.chart)
    const most = Math.max(...rows.flatMap(({shares}) => shares), 1e-9) * 1.04
    const y = grid(svg, width, height, left, bottom, most, value => `${short(100 * value)} %`)
    const wide = (width - left) / rows.length, every = Math.ceil(34 / wide)
    const count = rows[0].shares.length
    rows.forEach(({value, shares}, column) => {
      shares.forEach((one, place) => {
        const part = (wide - Math.min(3, wide * 0.2)) / count
        const bar = draw(svg, "rect", {x: left + column * wide + place * part + Math.min(1.5, wide * 0.1), y: y(one), width: Math.max(0.8, part - (count > 1 ? 0.5 : 0)), height: Math.max(0, y(0) - y(one)),
          class: `s${place}${isNumber(result) && value !== "more" && size(value) >= size(now.focus) ? " in" : ""}`})
        draw(bar, "title", {}, `${told(result, value)}: ${percent(one)}`)
      })
      if (column % every === 0) draw(svg, "text", {x: left + (column + 0.5) * wide, y: height - 8, "text-anchor": "middle", class: "tick"}, told(result, value))
    })
  }

  // ---- one input after another ----
  async function showSweep(atlas, result, shown, mine) {
    at("swept-table").hidden = !now.sweep
    if (!now.sweep) { at("swept").replaceChildren(); return }
    const rows = await swept(atlas, shown)
    if (mine !== turn) return
    const counted = isNumber(result), input = atlas.inputs[now.sweep]
    const what = counted ? `${words.least} ${told(result, now.focus)}` : `${words.of} ${told(result, now.focus)}`
    const told2 = rows.map(({typed, odds}) => [titleOf(input, typed), ...odds.flatMap(one => one
      ? [...(counted ? [short(number(mean(one, result.kind)))] : []), percent(chance(result, one))] : [...(counted ? ["–"] : []), "–"])])
    const several = shown.length > 1
    at("swept-table").lastElementChild.replaceChildren(listed([input.label, ...shown.flatMap(({name}) => [...(counted ? [words.mean] : []), what].map(one => several ? `${one} (${name})` : one))], told2))
    const plots = [[what, one => chance(result, one), percent, value => `${Math.round(100 * value)} %`, 1]]
    if (counted) plots.push([words.mean, one => number(mean(one, result.kind)), short, short, null])
    const drawn = plots.map(([title, of, text, tick, limit]) => {
      const values = rows.flatMap(({odds}) => odds.filter(Boolean).map(of))
      const plain = input.kind !== "number" && input.kind !== "length" && values.every(one => one >= 0)
      const svg = plain
        ? bars("swept", rows.map(({typed, odds}) => ({name: titleOf(input, typed), marked: typed === now.setting[now.sweep], values: odds.map(one => one ? of(one) : null)})), text, `${title}. ${words.line}`)
        : lines(input, rows, shown.length, of, `${title}. ${words.line}`, tick, limit)
      return make("div", {class: "plot"}, make("p", {class: "plot-title"}, title), svg)
    })
    at("swept").replaceChildren(...drawn)
  }
  async function swept(atlas, shown) {
    const input = atlas.inputs[now.sweep], stops = served ? input.values : input.kept ?? input.values
    const rows = []
    for (const typed of stops) {
      const odds = []
      for (const one of shown) {
        const fits = one.atlas.inputs[now.sweep] && known(one.atlas.inputs[now.sweep], typed)
        odds.push(fits ? (await find(one.atlas, {...one.setting, [now.sweep]: typed}, one.edition)).results?.[now.result] : undefined)
      }
      rows.push({typed, odds})
    }
    return rows
  }
  // Those of some stops that are named below an axis: as many as have room, all as far from each other.
  function ticks(stops, along) {
    const stride = Math.min(...stops.slice(1).map((one, place) => one.size - stops[place].size))
    const isWhole = number => Math.abs(number - Math.round(number)) < 1e-9
    const origin = isWhole(stops[0].size / stride) ? 0 : stops[0].size
    const long = Math.max(...stops.map(({name}) => name.length)) * 7 + 10
    for (let ten = stride; ten < stops.at(-1).size - origin; ten *= 10)
      for (const step of [ten, 2 * ten, 5 * ten]) {
        const found = stops.filter(({size}) => isWhole((size - origin) / step))
        const even = found.every((one, place) => !place || isWhole((one.size - found[place - 1].size) / step - 1))
        if (even && found.length > 1 && along(found[1].size) - along(found[0].size) >= long) return found
      }
    return [stops[0], stops.at(-1)]
  }
  function lines(input, rows, count, of, title, text, limit) {
    const values = rows.flatMap(({odds}) => odds.filter(Boolean).map(of))
    const height = 210, left = 48, bottom = 28
    const {svg, width} = canvas("swept", height, title)
    const lowest = Math.min(0, ...values)
    const most = limit ?? (Math.max(...values, lowest + 1e-6) - lowest) * 1.05
    const y = grid(svg, width, height, left, bottom, most, value => text(value + lowest))
    const counted = input.kind === "number" || input.kind === "length"
    const sizeOf = (typed, place) => counted ? parseFloat(typed) : place
    const sizes = rows.map(({typed}, place) => sizeOf(typed, place))
    const low = sizes[0], high = sizes.at(-1)
    const along = size => left + 14 + (width - left - 28) * (size - low) / (high - low || 1)
    const x = place => along(sizes[place])
    const stops = (counted ? input.values : rows.map(({typed}) => typed)).map((typed, place) => {
      const name = titleOf(input, typed)
      return {size: sizeOf(typed, place), name: name.length > 22 ? `${name.slice(0, 21)}…` : name}
    }).filter(one => one.size >= low && one.size <= high)
    for (const {size, name} of ticks(stops, along)) {
      const anchor = counted || (size > low && size < high) ? "middle" : size === low ? "start" : "end"
      draw(svg, "text", {x: along(size), y: height - 8, "text-anchor": anchor, class: "tick"}, name)
    }
    for (let place = count - 1; place >= 0; place--) {
      const points = rows.map(({odds}, row) => odds[place] ? [x(row), y(of(odds[place]) - lowest)] : null)
      draw(svg, "path", {class: `line s${place}`, d: points.map((point, row) => point ? `${row && points[row - 1] ? "L" : "M"}${point[0].toFixed(1)} ${point[1].toFixed(1)}` : "").join("")})
      if (rows.length < 60) points.forEach((point, row) => point && draw(draw(svg, "circle", {cx: point[0], cy: point[1], r: 3, class: `s${place}`}), "title", {}, `${titleOf(input, rows[row].typed)}: ${text(of(rows[row].odds[place]))}`))
    }
    return svg
  }
  function showNote(atlas) {
    const partly = Object.values(atlas.inputs).filter(input => input.kept)
    at("note").textContent = served || !partly.length ? words.whole
      : `${words.partly} ${partly.map(input => `${input.label}: ${kept(input)}`).join("; ")}.`
  }
  function kept(input) {
    if (input.kept.length === 1) return words.usual
    if (input.kind === "conditions") return words.conditions
    const runs = []
    for (const typed of input.kept) {
      const place = input.values.indexOf(typed)
      if (runs.length && runs.at(-1)[1] === place - 1) runs.at(-1)[1] = place
      else runs.push([place, place])
    }
    const name = place => titleOf(input, input.values[place])
    return runs.map(([first, last]) => first === last ? name(first) : last === first + 1 ? `${name(first)}, ${name(last)}` : `${name(first)}–${name(last)}`).join(", ")
  }

  // ---- what is taken away ----
  async function csv() {
    const atlas = await load("")
    const cell = text => /[",\n]/.test(text) ? `"${String(text).replaceAll('"', '""')}"` : String(text)
    const names = Object.keys(atlas.inputs)
    const rows = [["edition", ...names, "result", "value", "probability", "decimal"]]
    const input = atlas.inputs[now.sweep]
    const settings = (input ? served ? input.values : input.kept ?? input.values : [null])
      .map(typed => typed === null ? now.setting : {...now.setting, [now.sweep]: typed})
    if (now.kept) settings.push(now.kept)
    for (const setting of settings) {
      const found = await find(atlas, setting, "")
      for (const [result, odds] of Object.entries(found.results ?? {})) {
        odds.values.forEach((value, place) => rows.push([folder, ...names.map(name => setting[name]), result, value,
          `${odds.weights[place]}/${odds.total}`, share(odds, odds.weights[place]).toPrecision(10)]))
      }
    }
    const blob = new Blob([rows.map(row => row.map(cell).join(",") + "\n").join("")], {type: "text/csv"})
    const link = make("a", {href: URL.createObjectURL(blob), download: `${start}-${folder}-${now.procedure}.csv`})
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10000)
  }

  at("procedure").addEventListener("change", async () => {
    Object.assign(now, {procedure: at("procedure").value, result: "", sweep: "", focus: "", kept: null, setting: {}})
    history.replaceState(null, "", `#${now.procedure}`)
    const edition = now.edition
    await recall()
    if (edition) { now.edition = at("edition").value = edition; show() }
  })
  at("setting").addEventListener("submit", event => event.preventDefault())
  at("keep").addEventListener("click", () => { now.kept = {...now.setting}; show() })
  at("usual-inputs").addEventListener("click", async () => {
    const atlas = await load("")
    now.setting = parsed("", atlas.inputs)
    showInputs(atlas)
    show()
  })
  at("edition")?.addEventListener("change", () => { now.edition = at("edition").value; show() })
  at("sweep").addEventListener("change", () => { now.sweep = at("sweep").value; show() })
  at("csv").addEventListener("click", csv)
  at("share").addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(location.href); at("share").textContent = words.copied }
    catch { at("share").textContent = words.address }
  })
  addEventListener("hashchange", recall)
  // A page may be drawn before it is as wide as it will be.
  new ResizeObserver(() => {
    if (at("chart").firstChild && Math.abs(at("chart").clientWidth - drawn) > 2) show()
  }).observe(at("chart"))
  if (at("procedure").options.length) {
    at("explorer").hidden = false
    at("usual").hidden = true
    recall()
  }
})()
