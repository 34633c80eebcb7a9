// The indexes of editions, and words that somebody typed -> what is found, the best first.
// It stands in each index behind the library: the first that a page loads serves for all.

globalThis.ruleFinder ??= (() => {
  "use strict";
  // How much a word counts by where it stands, and a place by what it is.
  const FIELDS = { title: 2.5, inside: 0.6, number: 4, words: 1 };
  const KINDS = { rule: 1, table: 1, unit: 0.7, scenario: 0.5, card: 0.4, term: 0.3 };
  const ASIDE = 0.4;
  // How words count that are put in the place of those that were typed.
  const DECLARED = 0.8;
  const ALIKE = 0.5;
  // How much the other places of a rule add to the best one.
  const BESIDE = 0.3;

  // English words that tell nothing of what is asked for.
  const IDLE = new Set(
    `a about am an and any are as at be been being but by can could did do does for from get gets
    go goes had has have how i if in into is it its many may me much must my of on or shall should
    so than that the their them then there these they this to was we were what when where which who
    whom whose why will with would you your`.split(/\s+/),
  );
  // What players of games with figures say for one another, whatever their rules call it.
  const SAME = `
    advance, follow up, pursue, pursuit
    ammunition, ammo
    artillery, gun, cannon, battery
    attack, assault, charge
    barrage, bombardment
    boat, ship, vessel
    bonus, modifier, factor
    bridge, ford, crossing
    building, house, built-up area, village, town
    cavalry, horse, horseman, horsemen, rider, mounted, trooper
    cost, value
    cover, shelter, protection
    crew, gunner
    die, dice
    draw, tie, equal
    evade, withdraw, avoid
    figure, model, man, men, soldier, miniature
    fire, firing, shoot, shot, shooting
    first, begin, start, initiative
    fort, fortification, earthwork, fieldwork, trench, redoubt
    general, commander, leader, brigadier
    group, unit, formation
    hill, slope, height, ridge
    hit, wound, damage
    infantry, foot
    marsh, swamp, bog, mud
    melee, hand to hand, close combat, fight
    morale, courage, nerve
    move, movement, speed, march
    officer, colonel, captain, major
    panic, rout, flee, run away
    rally, recover, regroup
    range, distance, reach, far
    reload, load
    remove, kill, destroy, eliminate, casualty, loss, dead
    retreat, fall back, withdraw
    river, stream, creek, brook, water
    rock, stone, boulder
    saving throw, save
    see, sight, visible, visibility
    sequence, phase, order of play
    setup, deploy, deployment, setting up
    skirmisher, open order, light troops
    terrain, ground
    throw, roll
    turn, wheel, face, rotate
    wall, fence, hedge, obstacle
    win, victory, winner
    wood, forest, tree
  `
    .trim()
    .split("\n")
    .map((line) => line.split(","));

  const byScore = (one, other) => other.score - one.score;
  const WORD = /\p{L}+|\d+(?:\.\d+)*/gu;
  const wordsOf = (text) =>
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replace(/[’']s\b/g, "")
      .toLowerCase()
      .match(WORD) ?? [];

  // An English word without its ending: what is left need not be a word, only the same for all forms.
  function stem(word) {
    if (word.length < 4 || /\d/.test(word)) return word;
    let root = word
      .replace(/sses$/, "ss")
      .replace(/ies$/, "y")
      .replace(/([^su])s$/, "$1")
      .replace(/(?:ingly|edly|ing|ed|ly|ment)$/, (end, at) => (at > 2 ? "" : end));
    if (root !== word) root = root.replace(/([bdfgmnprt])\1$/, "$1");
    return root.length > 3 ? root.replace(/[eyi]$/, "") : root;
  }

  // editions: [{index, base}], what a script of the build holds, and the address that it came from.
  function finder(editions) {
    const english = editions.every(({ index }) => index.language.startsWith("en"));
    const tells = (word) => !(english && IDLE.has(word));
    const root = english ? stem : (word) => word;
    const rootsOf = (text) => wordsOf(text).filter(tells).map(root);
    const places = editions.flatMap(({ index, base }) =>
      index.found.map((one) => ({
        number: "",
        inside: "",
        words: "",
        ...one,
        edition: index.title,
        href: new URL(one.address, base).href,
      })),
    );

    const known = new Set();
    const asIs = (word) => word;
    const search = new MiniSearch({
      idField: "key",
      fields: Object.keys(FIELDS),
      tokenize: rootsOf,
      processTerm: (word) => (known.add(word), word),
      searchOptions: {
        tokenize: (words) => words.split(" "),
        processTerm: asIs,
        boost: FIELDS,
        bm25: { k: 2, b: 0.7, d: 0 },
        boostDocument: (key) => KINDS[places[key].kind] * (places[key].aside ? ASIDE : 1),
      },
    });
    search.addAll(places.map((one, key) => ({ ...one, key })));

    const groups = [
      ...editions.flatMap(({ index }) => index.terms).map((forms) => ({ forms, weight: DECLARED })),
      ...(english ? SAME : []).map((forms) => ({ forms, weight: ALIKE })),
    ].map(({ forms, weight }) => ({
      weight,
      forms: [...new Set(forms.map((one) => rootsOf(one).join(" ")))].map((one) => one.split(" ")),
    }));

    // For each root that was typed, the ways to say it: itself, and phrases that stand for it.
    function waysToSay(asked) {
      const ways = asked.map((one) => [[one]]);
      const weights = new Map(asked.map((one) => [one, 1]));
      const startOf = (form) => asked.findIndex((_, at) => form.every((one, n) => asked[at + n] === one));
      for (const { forms, weight } of groups) {
        const others = forms.filter((form) => startOf(form) < 0);
        for (const form of forms.filter((one) => startOf(one) >= 0)) {
          form.forEach((_, n) => ways[startOf(form) + n].push(...others));
          for (const one of others.flat()) weights.set(one, Math.max(weight, weights.get(one) ?? 0));
        }
      }
      return { ways, weights };
    }

    function find(text) {
      const asked = rootsOf(text);
      if (!asked.length) return [];
      const { ways, weights } = waysToSay(asked);
      // The last word may not be at its end yet.
      const last = wordsOf(text).at(-1);
      if (root(last) === asked.at(-1)) ways.at(-1).push([last]);
      if (!weights.has(last)) weights.set(last, 1);
      const isUnknown = (word) => asked.includes(word) && !known.has(word);
      const hits = search.search([...weights.keys()].join(" "), {
        boostTerm: (word) => weights.get(word),
        prefix: (word) => word === last || isUnknown(word),
        fuzzy: (word) => (isUnknown(word) && word.length > 3 && !/\d/.test(word) ? 0.25 : false),
      });
      const found = new Map();
      for (const { hit, score } of hits.map((hit) => ({ hit, score: scoreOf(hit) })).sort(byScore)) {
        const place = places[hit.id];
        const key = place.rule ? `${place.edition} ${place.rule}` : hit.id;
        const first = found.get(key);
        if (first) first.score += BESIDE * score;
        else found.set(key, { ...place, score, roots: new Map(Object.keys(hit.match).map(askedFor)) });
      }
      return [...found.values()].sort(byScore);

      // A root that is there, and the place of the word that it is there for.
      function askedFor(there) {
        const said = ways.findIndex((one) => one.flat().includes(there));
        const near = asked.findIndex((one) => there.startsWith(one) || !known.has(one));
        return [there, said < 0 ? near : said];
      }

      // The more of what was asked for is there, the better, however often it is.
      function scoreOf({ score, queryTerms }) {
        const isThere = (way) => way.every((one) => queryTerms.includes(one));
        const met = ways.filter((said) => said.some(isThere)).length;
        return (score / queryTerms.length) * (met / asked.length) ** 2;
      }
    }
    return { find, rootOf: (word) => rootsOf(word)[0] };
  }
  return finder;
})();
