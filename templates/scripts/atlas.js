// An atlas of rulebook and the values of inputs -> the odds of every result. How an atlas is written
// is told in rulebook/documents/odds/shard.py. Nothing is reckoned here but sums of what is looked up.
(function () {
  "use strict"

  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  const PLACE = new Map(Array.from(DIGITS, (digit, place) => [digit, place]))
  const read = new Map()

  function table(text) {
    if (!read.has(text)) {
      const width = PLACE.get(text[0])
      const found = []
      for (let at = 1; at < text.length; at += width) {
        let number = 0
        for (let digit = 0; digit < width; digit++) number = number * 64 + PLACE.get(text[at + digit])
        found.push(number)
      }
      read.set(text, found)
    }
    return read.get(text)
  }

  function whole(text) {
    let number = 0n
    for (let at = 0; at < text.length; at += 5) {
      const part = text.slice(at, at + 5)
      let value = 0
      for (const digit of part) value = value * 64 + PLACE.get(digit)
      number = (number << BigInt(6 * part.length)) + BigInt(value)
    }
    return number
  }

  // How often each row holds, of a set of conditions as it is typed.
  function times(input, typed) {
    const held = new Map(typed === "none" ? [] : typed.split("+").map(one => {
      const [row, number] = one.split("*")
      return [row, Number(number ?? 1)]
    }))
    return input.values.map(row => held.get(row) ?? 0)
  }

  function classOf(atlas, entry, setting) {
    if (entry.of) return nodeOf(atlas, entry, setting)
    const input = atlas.inputs[entry.input], typed = setting[entry.input]
    if (!entry.rows) return table(entry.table)[(input.kept ?? input.values).indexOf(typed)]
    return times(input, typed).reduce((state, number, row) =>
      table(entry.rows[row])[state * (input.limits[row] + 1) + number], 0)
  }

  function nodeOf(atlas, chart, setting) {
    let node = 0
    for (const [places, text] of chart.layers) {
      for (const place of places) {
        const entry = chart.of[place]
        node = node * entry.size + classOf(atlas, entry, setting)
      }
      node = table(text)[node]
    }
    return node
  }

  function oddsOf(atlas, number) {
    const [place, weights, mean] = atlas.odds[number]
    const known = atlas.outcomes[place]
    const values = Array.isArray(known) ? known : Array.from({length: known.count}, (_, at) => known.from + at)
    const found = weights.split(" ").map(whole)
    return {values, weights: found, total: found.reduce((sum, one) => sum + one, 0n), mean}
  }

  // {results: {name: odds}}, or {refused: sentence}, or {missing: [names of inputs]}.
  function look(atlas, setting) {
    const missing = Object.entries(atlas.inputs)
      .filter(([name, input]) => input.kept && !input.kept.includes(setting[name])).map(([name]) => name)
    if (missing.length) return {missing}
    for (const one of atlas.requires) {
      if (one.ends[nodeOf(atlas, one.chart, setting)] !== 1) return {refused: one.say}
    }
    const results = {}
    for (const [name, one] of Object.entries(atlas.results)) {
      const end = one.ends[nodeOf(atlas, one.chart, setting)]
      if (end < 0) return {refused: atlas.refused[-end - 1]}
      results[name] = oddsOf(atlas, end - 1)
    }
    return {results}
  }

  function common(one, other) {
    while (other) [one, other] = [other, one % other]
    return one < 0n ? -one : one
  }

  function ratio(text) {
    const [over, under] = String(text).split("/")
    return [BigInt(over), BigInt(under ?? 1)]
  }

  // The same from the JSON of `rulebook odds --json`.
  function fromJson(told) {
    if (told.refused ?? told.fault) return {refused: told.refused ?? told.fault}
    const results = {}
    for (const [name, one] of Object.entries(told.results)) {
      const shares = one.outcomes.map(outcome => ratio(outcome.probability))
      const total = shares.reduce((all, [, under]) => all / common(all, under) * under, 1n)
      results[name] = {values: one.outcomes.map(outcome => outcome.value),
        weights: shares.map(([over, under]) => over * (total / under)), total, mean: one.mean ?? undefined}
    }
    return {results}
  }

  // The mean as a ratio; null of what is no number.
  function mean(odds, kind) {
    if (odds.mean) return ratio(odds.mean)
    if (kind !== "number" && kind !== "length") return null
    let over = 0n, under = 1n
    odds.values.forEach((value, at) => {
      const [up, down] = ratio(value)
      over = over * down + up * odds.weights[at] * under
      under *= down
    })
    return [over, under * odds.total]
  }

  function written([over, under]) {
    const part = common(over, under)
    return `${over / part}/${under / part}`
  }

  // What the JSON has of each result: outcomes with their probabilities, and the mean.
  function plain(found, atlas) {
    if (found.refused !== undefined) return found
    return {results: Object.fromEntries(Object.entries(found.results).map(([name, odds]) => {
      const centre = mean(odds, atlas.results[name].kind)
      return [name, {outcomes: odds.values.map((value, at) => ({value, probability: written([odds.weights[at], odds.total])})),
        mean: centre && written(centre)}]
    }))}
  }

  globalThis.rulebookAtlas = {look, plain, fromJson, mean, ratio, times}
})()
