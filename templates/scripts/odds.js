// The programs of a ruleset, of its options and of the edition before -> its odds explorer: set the inputs of a
// procedure and see what comes of it, beside another setting, option or edition. All numbers are calculated in a worker
// (scripts/exact.js), which is made of the text of its scripts, so that the page also works from a disk.
(function () {
  "use strict"
  const {make, data} = globalThis.page
  const at = id => document.getElementById(id)
  const words = data("words")
  const {start, folder} = document.body.dataset
  // What is shown; `kept` is a setting to compare with, `beside` an option or another edition.
  const now = {procedure: "", result: "", setting: {}, focus: "", mode: "exactly", sweep: "", kept: null, beside: ""}
  const MODES = ["exactly", "at_least", "at_most"]
  const SVG = "http://www.w3.org/2000/svg"

  function draw(parent, name, attributes, text) {
    const made = document.createElementNS(SVG, name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    if (text !== undefined) made.textContent = text
    parent.append(made)
    return made
  }

  const mapped = (object, change) =>
    Object.fromEntries(Object.entries(object).map(([name, one]) => [name, change(one, name)]))

  // ---- programs and questions ----
  const {sets, ...common} = data("programs")
  const main = sets[""]
  const programs = mapped(sets, ({natural, procedures, gone = []}) => {
    const whole = {...main.procedures, ...procedures}
    for (const id of gone) delete whole[id]
    return {...common, natural, procedures: whole}
  })
  const address = URL.createObjectURL(new Blob([at("worker").textContent], {type: "text/javascript"}))
  // By question its answer, which may be still to come; `waiting` has what gives it.
  const answers = new Map(), waiting = new Map()
  let worker = null, saving = 0
  function begin() {
    worker = new Worker(address)
    worker.postMessage({programs})
    worker.addEventListener("message", ({data: {key, answer}}) => {
      waiting.get(key)?.(answer)
      waiting.delete(key)
    })
  }
  // What nobody waits for any more is given up.
  function giveUp() {
    if (!waiting.size || saving) return
    worker.terminate()
    for (const key of waiting.keys()) answers.delete(key)
    waiting.clear()
    begin()
  }
  function ask({set, view, setting}, results = [now.result]) {
    const inputs = mapped(view.inputs, (input, name) => input.plain(setting[name]))
    const key = JSON.stringify([set, now.procedure, inputs, results])
    if (!answers.has(key))
      answers.set(key, new Promise(found => {
        waiting.set(key, found)
        worker.postMessage({key, set, procedure: now.procedure, inputs, results})
      }))
    return answers.get(key)
  }
  // A procedure as the page shows it, its values as they are typed; null where a set has no such procedure.
  function viewOf(set) {
    const procedure = programs[set].procedures[now.procedure]
    if (!procedure) return null
    const unit = one => common.data[one.kind]?.unit
    return {inputs: Object.fromEntries(procedure.inputs.map(one => [one.name, inputOf(one, unit(one))])),
      results: Object.fromEntries(procedure.results.map(one => [one.name, {...one, unit: unit(one)}]))}
  }
  const typed = plain => plain?.ratio ?? String(plain)
  function inputOf(one, unit) {
    const plains = one.values ?? Array.from({length: one.to - one.from + 1}, (_, place) => one.from + place)
    const values = plains.map(typed)
    const input = {...one, values, unit: unit?.replace("%", "") ?? "", flag: typeof plains[0] === "boolean",
      titles: one.titles ?? values.map(value => value.replace("-", "−")),
      counted: !one.several && (unit !== undefined || typeof plains[0] === "number")}
    if (!one.several)
      return {...input, default: typed(one.default), plain: value => plains[values.indexOf(value)]}
    input.limits = values.map(row => one.limits?.[row] ?? 1)
    input.default = typedRows(input, values.map(row => one.default.rows.filter(other => other === row).length))
    input.plain = text => ({rows: times(input, text).flatMap((held, row) => Array(held).fill(values[row]))})
    return input
  }
  // How often each row holds, of a set of conditions as it is typed.
  function times(input, text) {
    const held = new Map(text === "none" ? [] : text.split("+").map(one => {
      const [row, number] = one.split("*")
      return [row, Number(number ?? 1)]
    }))
    return input.values.map(row => held.get(row) ?? 0)
  }

  // ---- numbers ----
  const number = ([over, under]) => {
    const size = over < 0n ? -over : over
    return (over < 0n ? -1 : 1) * (Number(size / under) + Number(size % under * 10n ** 15n / under) / 1e15)
  }
  function size(value) {
    const [over, under] = String(value).split("/")
    return Number(over) / Number(under ?? 1)
  }
  // To a tenth, halves up, as in print: 0 and 100 are said only of what is never and of what is always so.
  function percent(share) {
    if (share === 0 || share === 1) return `${100 * share} %`
    const tenths = Math.floor(1000 * share + 0.5 + 1e-9), shown = Math.min(Math.max(tenths, 1), 999)
    return `${tenths < shown ? "<" : tenths > shown ? ">" : ""}${(shown / 10).toFixed(1)} %`
  }
  const short = value => String(Math.round(value * 100) / 100).replace("-", "−")
  const share = (odds, weight) => number([weight, odds.total]) || (weight ? 1e-15 : 0)
  const add = (odds, wanted) =>
    odds.weights.reduce((sum, weight, place) => wanted(odds.values[place]) ? sum + weight : sum, 0n)
  const above = (odds, least) => share(odds, add(odds, value => value === "more" || size(value) >= least))
  function spread(odds) {
    const middle = number(odds.mean)
    const squares = odds.values.map((value, place) => share(odds, odds.weights[place]) * (size(value) - middle) ** 2)
    return Math.sqrt(squares.reduce((sum, one) => sum + one, 0))
  }
  const textOf = (result, value) =>
    value === "more" ? words.more : result.titles.get(String(value)) ?? String(value).replace("-", "−")
  const isNumber = result => result.number === true
  // How far a chance of many plays may be from the exact one, in 19 cases of 20.
  const doubt = ({plays}, share) =>
    plays ? ` ± ${(196 * Math.sqrt(Math.max(share * (1 - share), 1 / plays) / plays)).toFixed(1)}` : ""

  // ---- the address ----
  function written(setting, inputs) {
    return Object.keys(inputs).filter(name => setting[name] !== inputs[name].default)
      .map(name => `${encodeURIComponent(name)}=${encodeURIComponent(setting[name])}`).join("&")
  }
  function parsed(text, inputs) {
    const given = new URLSearchParams(text)
    return mapped(inputs, (input, name) => known(input, given.get(name)) ? given.get(name) : input.default)
  }
  function known(input, typed) {
    if (!input.several || !typed) return input.values.includes(typed)
    const held = times(input, typed)
    return typed === typedRows(input, held) && held.every((number, row) => number <= input.limits[row])
  }
  const typedRows = (input, held) => held.flatMap((number, row) =>
    number > 1 ? `${input.values[row]}*${number}` : number ? input.values[row] : []).join("+") || "none"
  function remember(inputs) {
    const kept = now.kept ? `~${written(now.kept, inputs)}` : ""
    const {procedure, result, setting, focus, mode, sweep, beside} = now
    const parts = [procedure, result, written(setting, inputs), focus, mode, sweep, beside, kept]
    history.replaceState(null, "", `#${parts.join("/").replace(/\/+$/, "")}`)
  }
  function recall() {
    const [procedure, result, setting, focus, mode, sweep, beside, kept] = location.hash.slice(1).split("/")
    const choices = [...at("procedure").options].map(one => one.value)
    now.procedure = choices.includes(procedure) ? procedure : choices[0]
    at("procedure").value = now.procedure
    const view = viewOf("")
    now.result = result in view.results ? result : Object.keys(view.results)[0]
    now.setting = parsed(setting ?? "", view.inputs)
    now.focus = decodeURIComponent(focus ?? "")
    now.mode = MODES.includes(mode) ? mode : "exactly"
    now.sweep = sweep in view.inputs ? sweep : ""
    now.beside = beside in sets ? beside : ""
    if (at("beside")) at("beside").value = now.beside
    now.kept = kept?.startsWith("~") ? parsed(kept.slice(1), view.inputs) : null
    showInputs(view)
    show()
  }

  // ---- the inputs ----
  function put(changed) {
    Object.assign(now, changed)
    show()
  }
  const change = (name, typed) => put({setting: {...now.setting, [name]: typed}})
  function pills(name, choices, chosen, act) {
    const radio = value =>
      make("input", {type: "radio", name, value, checked: value === chosen, onchange: () => act(value)})
    return choices.map(([value, text]) => make("label", {class: "pill"}, radio(value), make("span", {}, text)))
  }
  function titleOf(input, typed) {
    if (!input.several) return input.titles[input.values.indexOf(typed)]
    const often = (held, row) => held > 1 ? `${input.titles[row]} ×${held}` : held ? input.titles[row] : ""
    return times(input, typed).map(often).filter(Boolean).join(", ") || words.none
  }
  function showInputs(view) {
    const fields = Object.entries(view.inputs).map(([name, input]) => {
      const id = `input-${name}`
      const legend = make("legend", {}, input.label)
      if (input.flag) {
        const box = make("input", {type: "checkbox", id, checked: now.setting[name] === "true",
          onchange: () => change(name, String(box.checked))})
        return make("p", {class: "field flag"}, make("label", {for: id}, box, make("span", {}, input.label)))
      }
      if (input.several) return conditions(name, input)
      if (input.counted && input.values.length > 6) return slider(name, input, id)
      const choices = input.values.map((value, place) => [value, input.titles[place]])
      if (choices.length <= 4 && choices.reduce((length, [, text]) => length + text.length + 4, 0) < 46) {
        const shown = pills(id, choices, now.setting[name], value => change(name, value))
        return make("fieldset", {class: "pills"}, legend, make("div", {}, ...shown))
      }
      const list = make("select", {id, onchange: () => change(name, list.value)},
        ...choices.map(([value, text]) => make("option", {value, selected: value === now.setting[name]}, text)))
      return make("p", {class: "field"}, make("label", {for: id}, input.label), list)
    })
    at("inputs").replaceChildren(...fields)
    const sweeps = Object.entries(view.inputs).filter(([, input]) => !input.several && input.values.length > 1)
    at("sweep").replaceChildren(make("option", {value: ""}, words.nothing),
      ...sweeps.map(([name, input]) => make("option", {value: name, selected: name === now.sweep}, input.label)))
    at("sweep").closest("section").hidden = !sweeps.length
    at("keep").hidden = at("usual-inputs").hidden = !fields.length
    at("results").hidden = Object.keys(view.results).length < 2
    const results = Object.entries(view.results).map(([name, one]) => [name, one.title])
    at("results").lastElementChild.replaceChildren(
      ...pills("result", results, now.result, result => put({result, focus: ""})))
  }
  // A slider goes through the values; they may be typed as well.
  function slider(name, input, id) {
    const stops = input.values
    const nearest = typed => stops.reduce((best, one, place) =>
      Math.abs(size(one) - size(typed)) < Math.abs(size(stops[best]) - size(typed)) ? place : best, 0)
    const line = make("input", {type: "range", id, min: 0, max: stops.length - 1, value: nearest(now.setting[name]),
      "aria-valuetext": titleOf(input, now.setting[name]), oninput: () => took(line.value)})
    const box = make("input", {type: "text", inputmode: "decimal", size: 4, "aria-label": input.label,
      value: now.setting[name], onchange: () => {
        line.value = nearest(box.value.trim().replace("−", "-").replace(/\s*(in|cm|mm|″)$/, ""))
        took(line.value)
      }})
    function took(place) {
      box.value = stops[place]
      line.setAttribute("aria-valuetext", titleOf(input, stops[place]))
      change(name, stops[place])
    }
    const typed = make("span", {class: "typed"}, box, input.unit)
    return make("div", {class: "field range"}, make("label", {for: id}, input.label), line, typed)
  }
  function conditions(name, input) {
    const summary = make("span", {class: "chosen"}, titleOf(input, now.setting[name]))
    const held = times(input, now.setting[name])
    const took = (row, number) => {
      held[row] = number
      change(name, typedRows(input, held))
      summary.textContent = titleOf(input, now.setting[name])
    }
    const rows = input.values.map((value, row) => {
      const text = input.titles[row]
      if (input.limits[row] === 1) {
        const box = make("input", {type: "checkbox", checked: held[row] > 0,
          onchange: () => took(row, Number(box.checked))})
        return make("label", {class: "row"}, box, make("span", {}, text))
      }
      const often = Array.from({length: input.limits[row] + 1}, (_, number) =>
        make("option", {value: number, selected: number === held[row]}, `${number} ×`))
      const list = make("select", {onchange: () => took(row, Number(list.value))}, ...often)
      return make("label", {class: "row"}, list, make("span", {}, text))
    })
    const head = make("summary", {}, make("b", {}, input.label), " ", summary)
    return make("details", {class: "conditions", open: rows.length < 5}, head, ...rows)
  }

  // ---- what comes of it ----
  let turn = 0
  async function show() {
    const mine = ++turn
    giveUp()
    at("swept").removeAttribute("aria-busy")
    const view = viewOf("")
    remember(view.inputs)
    const series = [{name: words.this, view, setting: now.setting, set: ""}]
    const messages = []
    if (now.kept) series.push({name: words.kept, view, setting: now.kept, set: ""})
    if (now.beside) {
      const other = viewOf(now.beside)
      const setting = mapped(other?.inputs ?? {}, (input, name) => now.setting[name] ?? input.default)
      if (other?.results[now.result] && Object.keys(setting).every(name => known(other.inputs[name], setting[name]))) {
        series.push({name: sets[now.beside].title, view: other, setting, set: now.beside})
      } else messages.push(words.unlike)
    }
    const patience = setTimeout(() => mine === turn && at("message").replaceChildren(words.wait), 500)
    for (const one of series) one.found = await ask(one)
    clearTimeout(patience)
    if (mine !== turn) return
    const main = series[0].found
    if (main.refused !== undefined) messages.unshift(main.refused || words.refused)
    at("message").replaceChildren(...messages.map(text => make("span", {}, text)))
    const shown = series.filter(one => one.found.results?.[now.result]).slice(0, 3)
    if (!main.results) {
      for (const id of ["figures", "legend", "chart", "note"]) at(id).replaceChildren()
      at("table").hidden = at("modes").hidden = at("csv").hidden = true
      at("swept").replaceChildren()
      at("swept-table").hidden = true
      return
    }
    for (const one of shown) one.odds = {...one.found.results[now.result], plays: one.found.plays}
    const titles = shown.flatMap(({odds}) => odds.values.map((value, place) => [String(value), odds.texts[place]]))
    const result = {...view.results[now.result], titles: new Map(titles)}
    at("table").hidden = at("csv").hidden = false
    at("modes").hidden = !isNumber(result)
    const modes = MODES.map(one => [one, words[one]])
    at("modes").lastElementChild.replaceChildren(...pills("mode", modes, now.mode, mode => put({mode})))
    const plays = Math.max(...shown.map(({odds}) => odds.plays ?? 0))
    at("note").textContent = plays ? words.sampled.replace("{plays}", plays) : words.exact
    focusOn(result, shown[0].odds)
    showLegend(shown, view)
    showFigures(result, shown)
    showOutcomes(result, shown)
    await showSweep(view, result, shown, mine)
  }
  // The outcome or number whose chance is shown large: the one that was chosen, or the nearest to the mean.
  function focusOn(result, odds) {
    const choices = odds.values.filter(value => value !== "more").map(String)
    if (choices.includes(now.focus) || (isNumber(result) && /^-?\d+(\/\d+)?$/.test(now.focus))) return
    const away = isNumber(result) ? value => Math.abs(size(value) - number(odds.mean))
      : value => -share(odds, odds.weights[choices.indexOf(value)])
    now.focus = choices.reduce((best, one) => away(one) < away(best) ? one : best, choices[0] ?? "0")
  }
  function chance(result, odds) {
    if (isNumber(result)) return above(odds, size(now.focus))
    return share(odds, add(odds, value => String(value) === now.focus))
  }
  function showLegend(shown, view) {
    const differing = ({setting, set}) => set ? "" : Object.keys(view.inputs)
      .filter(name => shown.some(one => one.setting[name] !== setting[name] && !one.set))
      .map(name => `${view.inputs[name].label}: ${titleOf(view.inputs[name], setting[name])}`).join("; ")
    at("legend").replaceChildren(...(shown.length < 2 ? [] : shown.map((one, place) =>
      make("span", {class: `series s${place}`}, make("i", {}), make("b", {}, one.name), ` ${differing(one)}`))))
    const drop = make("button", {type: "button", class: "jump", onclick: () => put({kept: null})}, words.drop)
    if (now.kept) at("legend").append(drop)
  }
  function showFigures(result, shown) {
    const tile = (title, values) => make("div", {class: "tile"}, make("span", {class: "what"}, title),
      ...values.map((value, place) => make("b", {class: `s${place}`}, value)))
    const tiles = []
    const counted = value => result.unit ? result.unit.replace("%", short(value)) : short(value)
    if (isNumber(result)) {
      tiles.push(tile(words.mean, shown.map(one => counted(number(one.odds.mean)))))
      if (!shown.some(one => one.odds.values.includes("more")))
        tiles.push(tile(words.spread, shown.map(one => counted(spread(one.odds)))))
    }
    const what = isNumber(result) ? words.least : words.of
    const choices = outcomes(result, shown).filter(value => value !== "more")
      .map(value => make("option", {value, selected: String(value) === now.focus}, textOf(result, value)))
    const choice = make("select", {"aria-label": what, onchange: () => put({focus: choice.value})}, ...choices)
    const title = make("label", {class: "what"}, what, " ", choice)
    const last = tile("", shown.map(({odds}) => percent(chance(result, odds)) + doubt(odds, chance(result, odds))))
    last.classList.add("main")
    last.firstElementChild.replaceWith(title)
    const focused = at("figures").contains(document.activeElement) && document.activeElement.tagName === "SELECT"
    at("figures").replaceChildren(...tiles, last)
    if (focused) choice.focus()
  }
  // All outcomes of all series: numbers rising, words in the order of the first.
  function outcomes(result, shown) {
    const all = [...new Map(shown.flatMap(one => one.odds.values).map(value => [String(value), value])).values()]
    if (!isNumber(result)) return all
    if (!all.some(value => String(value) === now.focus)) all.push(now.focus)
    return all.sort((one, other) => (one === "more") - (other === "more") || size(one) - size(other))
  }
  function chances(result, shown) {
    return outcomes(result, shown).map(value => ({value, shares: shown.map(({odds}) => {
      if (!isNumber(result) || now.mode === "exactly")
        return share(odds, add(odds, one => String(one) === String(value)))
      if (value === "more") return share(odds, now.mode === "at_most" ? odds.total : add(odds, one => one === "more"))
      if (now.mode === "at_least") return above(odds, size(value))
      return share(odds, add(odds, one => one !== "more" && size(one) <= size(value)))
    })}))
  }
  function showOutcomes(result, shown) {
    const rows = chances(result, shown)
    const heads = [words.outcome, ...shown.map(one => shown.length > 1 ? one.name : words.chance)]
    at("table").lastElementChild.replaceChildren(
      listed(heads, rows.map(({value, shares}) => [textOf(result, value), ...shares.map(percent)])))
    if (isNumber(result) && rows.length > 12) columns(result, trimmed(rows, now.mode))
    else bars("chart", rows.map(({value, shares}) =>
      ({name: textOf(result, value), marked: String(value) === now.focus, values: shares})), percent, words.chart)
  }
  // Without the ends that no eye could see.
  function trimmed(rows, mode) {
    const sure = shares => mode !== "exactly" && shares.every(one => one > 0.9995)
    const seen = ({shares}) => shares.some(one => one >= 0.0005) && !sure(shares)
    const first = rows.findIndex(seen), last = rows.findLastIndex(seen)
    return first < 0 ? rows : rows.slice(Math.max(0, first - 1), last + 2)
  }
  function listed(heads, rows) {
    const head = make("tr", {}, ...heads.map(text => make("th", {scope: "col"}, text)))
    const body = rows.map(([first, ...rest]) =>
      make("tr", {}, make("th", {scope: "row"}, first), ...rest.map(text => make("td", {}, text))))
    const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...body))
    return make("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": heads[0]}, table)
  }
  let drawn = 0
  function canvas(id, height, label) {
    drawn = at(id).clientWidth
    const width = Math.max(260, Math.round(drawn))
    at(id).replaceChildren()
    const viewBox = `0 0 ${width} ${height}`
    const svg = draw(at(id), "svg", {width, height, viewBox, role: "img", "aria-label": label})
    return {svg, width}
  }
  const cut = (name, letters) => name.length > letters ? `${name.slice(0, letters - 1)}…` : name
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
      const middle = {x: left - 10, y: y + count * thick / 2 + 5, "text-anchor": "end"}
      const title = draw(svg, "text", {...middle, class: marked ? "label focus" : "label"}, cut(name, fits))
      if (name.length > fits) draw(title, "title", {}, name)
      values.forEach((one, place) => {
        const long = Math.max(one > 0 ? 1.5 : 0, (one ?? 0) / most * room)
        const [top, height] = [y + place * thick, thick - (count > 1 ? 2 : 0)]
        draw(svg, "rect", {x: left, y: top, width: long, height, rx: 2, class: `in s${place}`})
        const beside = {x: left + long + 6, y: top + thick / 2 + 4, class: "share"}
        draw(svg, "text", beside, one === null ? "–" : text(one))
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
        const x = left + column * wide + place * part + Math.min(1.5, wide * 0.1)
        const within = value !== "more" && size(value) >= size(now.focus) ? " in" : ""
        const bar = draw(svg, "rect", {x, y: y(one), width: Math.max(0.8, part - (count > 1 ? 0.5 : 0)),
          height: Math.max(0, y(0) - y(one)), class: `s${place}${within}`})
        draw(bar, "title", {}, `${textOf(result, value)}: ${percent(one)}`)
      })
      const below = {x: left + (column + 0.5) * wide, y: height - 8, "text-anchor": "middle", class: "tick"}
      if (column % every === 0) draw(svg, "text", below, textOf(result, value))
    })
  }

  // ---- one input after another ----
  async function showSweep(view, result, shown, mine) {
    at("swept-table").hidden = !now.sweep
    if (!now.sweep) { at("swept").replaceChildren(); return }
    at("swept").setAttribute("aria-busy", "true")
    const rows = await swept(view, shown)
    if (mine !== turn) return
    at("swept").removeAttribute("aria-busy")
    const counted = isNumber(result), input = view.inputs[now.sweep]
    const what = counted ? `${words.least} ${textOf(result, now.focus)}` : `${words.of} ${textOf(result, now.focus)}`
    const mean = one => counted ? [one ? short(number(one.mean)) : "–"] : []
    const cells = one => [...mean(one), one ? percent(chance(result, one)) : "–"]
    const heads = shown.flatMap(({name}) =>
      [...(counted ? [words.mean] : []), what].map(one => shown.length > 1 ? `${one} (${name})` : one))
    at("swept-table").lastElementChild.replaceChildren(listed([input.label, ...heads],
      rows.map(({typed, odds}) => [titleOf(input, typed), ...odds.flatMap(cells)])))
    const plots = [[what, one => chance(result, one), percent, value => `${Math.round(100 * value)} %`, 1]]
    if (counted) plots.push([words.mean, one => number(one.mean), short, short, null])
    const drawn = plots.map(([title, of, text, tick, limit]) => {
      const values = rows.flatMap(({odds}) => odds.filter(Boolean).map(of))
      const plain = !input.counted && values.every(one => one >= 0)
      const named = ({typed, odds}) => ({name: titleOf(input, typed), marked: typed === now.setting[now.sweep],
        values: odds.map(one => one ? of(one) : null)})
      const svg = plain ? bars("swept", rows.map(named), text, `${title}. ${words.line}`)
        : lines(input, rows, shown.length, of, `${title}. ${words.line}`, tick, limit)
      return make("div", {class: "plot"}, make("p", {class: "plot-title"}, title), svg)
    })
    at("swept").replaceChildren(...drawn)
  }
  async function swept(view, shown) {
    const rows = []
    for (const typed of view.inputs[now.sweep].values) {
      const odds = []
      for (const one of shown) {
        const input = one.view.inputs[now.sweep]
        const setting = {...one.setting, [now.sweep]: typed}
        const found = input && known(input, typed) ? await ask({...one, setting}) : {}
        odds.push(found.results?.[now.result])
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
    const {counted} = input
    const stops = rows.map(({typed}, place) =>
      ({size: counted ? size(typed) : place, name: cut(titleOf(input, typed), 22)}))
    const low = stops[0].size, high = stops.at(-1).size
    const along = size => left + 14 + (width - left - 28) * (size - low) / (high - low || 1)
    for (const {size, name} of ticks(stops, along)) {
      const anchor = counted || (size > low && size < high) ? "middle" : size === low ? "start" : "end"
      draw(svg, "text", {x: along(size), y: height - 8, "text-anchor": anchor, class: "tick"}, name)
    }
    for (let place = count - 1; place >= 0; place--) {
      const points = rows.map(({odds}, row) => odds[place] && [along(stops[row].size), y(of(odds[place]) - lowest)])
      const path = points.map((point, row) =>
        point ? (points[row - 1] ? "L" : "M") + point.map(one => one.toFixed(1)).join(" ") : "")
      draw(svg, "path", {class: `line s${place}`, d: path.join("")})
      for (const [row, point] of rows.length < 60 ? points.entries() : []) {
        if (!point) continue
        const dot = draw(svg, "circle", {cx: point[0], cy: point[1], r: 3, class: `s${place}`})
        draw(dot, "title", {}, `${titleOf(input, rows[row].typed)}: ${text(of(rows[row].odds[place]))}`)
      }
    }
    return svg
  }

  // ---- what is taken away ----
  async function csv() {
    const view = viewOf("")
    const cell = text => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    const names = Object.keys(view.inputs)
    const rows = [["edition", ...names, "result", "value", "probability", "decimal"]]
    const input = view.inputs[now.sweep]
    const settings = (input ? input.values : [null])
      .map(typed => typed === null ? now.setting : {...now.setting, [now.sweep]: typed})
    if (now.kept) settings.push(now.kept)
    const {procedure} = now
    saving += 1
    const found = await Promise.all(settings.map(setting => ask({set: "", view, setting}, Object.keys(view.results))))
    saving -= 1
    for (const [row, setting] of settings.entries())
      for (const [result, {values, weights, total}] of Object.entries(found[row].results ?? {}))
        for (const [place, value] of values.entries()) {
          const chances = [`${weights[place]}/${total}`, number([weights[place], total]).toPrecision(10)]
          rows.push([folder, ...names.map(name => setting[name]), result, value, ...chances])
        }
    const blob = new Blob([rows.map(row => row.map(cell).join(",") + "\n").join("")], {type: "text/csv"})
    const link = make("a", {href: URL.createObjectURL(blob), download: `${start}-${folder}-${procedure}.csv`})
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10000)
  }

  at("procedure").addEventListener("change", () => {
    Object.assign(now, {procedure: at("procedure").value, result: "", sweep: "", focus: "", kept: null, setting: {}})
    history.replaceState(null, "", `#${now.procedure}//////${now.beside}`)
    recall()
  })
  at("setting").addEventListener("submit", event => event.preventDefault())
  at("keep").addEventListener("click", () => put({kept: now.setting}))
  at("usual-inputs").addEventListener("click", () => {
    const view = viewOf("")
    put({setting: parsed("", view.inputs)})
    showInputs(view)
  })
  at("beside")?.addEventListener("change", () => put({beside: at("beside").value}))
  at("sweep").addEventListener("change", () => put({sweep: at("sweep").value}))
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
    begin()
    recall()
  }
})()
