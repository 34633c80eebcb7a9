"use strict";
// What may be found in some editions, and the words that somebody typed -> hits, the best first.
// It stands in the index of each edition, behind the library: the first that is loaded serves all.

globalThis.ruleFinder ??= (() => {
  const FIELDS = { title: 3, inside: 0.6, number: 4, text: 1 };
  const KINDS = { rule: 1, table: 1, term: 0.7, unit: 0.8, card: 0.6, scenario: 0.6 };
  // Words of a question that say nothing of what is asked for.
  const STOP = new Set(
    `a about am an and any are as at be been being but by can could did do does for from get gets had
    has have how i if in into is it its many may me much must my of on or shall should so than that
    the their them then there these they this to was we were what when where which who whom whose why
    will with would you your`.split(/\s+/),
  );
  const WORD = /\p{L}[\p{L}\p{M}]*|\d+(?:\.\d+)*/gu;

  const plain = (text) =>
    text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[’']s\b/g, "").toLowerCase();

  // English words without their endings: what is left need not be a word, only the same for all.
  function stem(word) {
    if (word.length < 4 || /\d/.test(word)) return word;
    let root = word
      .replace(/(?:sses)$/, "ss").replace(/ies$/, "y").replace(/([^su])s$/, "$1")
      .replace(/(?:ingly|edly|ing|ed|ly|ment)$/, (end, at) => (at > 2 ? "" : end));
    if (root !== word) root = root.replace(/([bdfgmnprt])\1$/, "$1");
    return root.length > 3 ? root.replace(/(?:e|y|i)$/, "") : root;
  }

  function finder(editions) {
    const english = editions.every(({ index }) => index.language.startsWith("en"));
    const root = english ? stem : (word) => word;
    const tokens = (text) => plain(text).match(WORD) ?? [];
    const places = [];
    for (const { index, base } of editions) {
      for (const one of index.found) {
        places.push({ ...one, number: one.number ?? "", inside: one.inside ?? "", text: one.text ?? "",
          key: places.length, edition: index.title, href: new URL(one.id, base).href });
      }
    }
    const search = new MiniSearch({
      idField: "key", fields: Object.keys(FIELDS), tokenize: tokens,
      processTerm: (word) => (english && STOP.has(word) ? null : root(word)),
    });
    search.addAll(places);
    const roots = (text) => tokens(text).filter((one) => !(english && STOP.has(one))).map(root);
    const terms = editions.flatMap(({ index }) => index.terms)
      .map((forms) => [...new Map(forms.map((form) => [roots(form).join(" "), form])).values()])
      .filter((forms) => forms.length > 1);

    function others(text) {
      const asked = ` ${roots(text).join(" ")} `;
      return terms.flatMap((forms) => {
        const said = forms.filter((form) => asked.includes(` ${roots(form).join(" ")} `));
        return said.length ? forms.filter((form) => !said.includes(form)) : [];
      });
    }

    function find(text) {
      const words = { combineWith: "OR", queries: [text],
        prefix: (word, at, all) => at === all.length - 1 || word.length > 3,
        fuzzy: (word) => (word.length > 3 && !/\d/.test(word) ? 0.2 : false) };
      const queries = [words, ...others(text).map((form) => ({ queries: [form], combineWith: "AND", prefix: false, fuzzy: false, boost: FIELDS, weights: undefined }))];
      const hits = search.search({ combineWith: "OR", queries }, {
        boost: FIELDS, boostDocument: (key) => KINDS[places[key].kind] });
      const seen = new Set();
      return hits.flatMap((hit) => {
        const place = places[hit.id];
        const rule = place.rule && `${place.edition} ${place.rule}`;
        if (rule && seen.has(rule)) return [];
        seen.add(rule);
        return [{ ...place, score: hit.score, match: hit.match }];
      });
    }
    return { find, roots };
  }
  return finder;
})();
