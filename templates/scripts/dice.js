/* The programs of a ruleset (JSON of core/browser_programs.py) and a source of dice -> one play of
   a procedure, every step in the words of its author.

   Knows no rule of any game: it goes through the steps of the data as core/steps.py goes through
   those of a program, and the tests hold the two against each other throw for throw. Numbers are exact,
   whole (BigInt) or ratios in lowest terms; so are all limits those of the core. */
globalThis.dice = (() => {
  "use strict";

  const LARGEST = 10n ** 12n;
  const MOST_TIMES = 1000n;
  const MOST_PASSES = 100_000;
  const MOST_TAKEN = 200_000;

  /** What the rules cannot do with the inputs and dice at hand: `code` is that of the core's fault,
      `message` the author's sentence where a requirement is not met. */
  class Refused extends Error {
    constructor(code, message = "") {
      super(message);
      this.code = code;
    }
  }

  /** No die is left of those that are given; `left` of the same throw are still to fall. */
  class OutOfDice extends Error {
    constructor(sides, left) {
      super();
      Object.assign(this, { sides, left });
    }
  }

  // ---- exact numbers -------------------------------------------------------------------------

  class Ratio {
    constructor(over, under) {
      Object.assign(this, { over, under });
    }
  }
  const over = (x) => (x instanceof Ratio ? x.over : x);
  const under = (x) => (x instanceof Ratio ? x.under : 1n);
  const absolute = (x) => (x < 0n ? -x : x);

  /** The greatest whole number that divides both. */
  function common(x, y) {
    while (y) [x, y] = [y, x % y];
    return x;
  }

  function ratio(above, below) {
    if (below < 0n) [above, below] = [-above, -below];
    const part = common(absolute(above), below);
    return below === part ? above / part : new Ratio(above / part, below / part);
  }

  const add = (x, y) => ratio(over(x) * under(y) + over(y) * under(x), under(x) * under(y));
  const negative = (x) => ratio(-over(x), under(x));
  const times = (x, y) => ratio(over(x) * over(y), under(x) * under(y));
  const divided = (x, y) => ratio(over(x) * under(y), under(x) * over(y));
  const order = (x, y) => {
    const difference = over(x) * under(y) - over(y) * under(x);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  };
  const floor = (x) => {
    const [a, b] = [over(x), under(x)];
    return a < 0n && a % b ? a / b - 1n : a / b;
  };
  const ceil = (x) => -floor(negative(x));
  const least = (...all) => all.reduce((best, x) => (order(x, best) < 0 ? x : best));
  const most = (...all) => all.reduce((best, x) => (order(x, best) > 0 ? x : best));
  const total = (...all) => all.reduce(add, 0n);
  const counted = (x) => (x === true ? 1n : x === false ? 0n : x);

  function bounded(x) {
    if (absolute(over(x)) > LARGEST * under(x) || under(x) > LARGEST) throw new Refused("R429");
    return x;
  }

  function wholeTimes(x) {
    if (x instanceof Ratio || x < 0n || x > MOST_TIMES) throw new Refused("R425");
    return Number(x);
  }

  /** A value of the data as it is calculated with. */
  function valueOf(plain) {
    if (typeof plain === "number") return BigInt(plain);
    if (plain?.ratio) return ratio(...plain.ratio.split("/").map(BigInt));
    return plain;
  }

  /** Two values are the same if these are. */
  function sign(value) {
    if (value instanceof Ratio) return `${value.over}/${value.under}`;
    return typeof value === "object" ? JSON.stringify(value) : value;
  }
  const same = (x, y) => sign(x) === sign(y);

  function cell(value) {
    if (value?.empty) throw new Refused(value.empty === "missing" ? "R426" : "empty");
    if (value?.forbidden) throw new Refused("R443");
    return valueOf(value);
  }

  // ---- words ---------------------------------------------------------------------------------

  const VULGAR = { "1/2": "½", "1/4": "¼", "3/4": "¾", "1/3": "⅓", "2/3": "⅔", "1/8": "⅛", "3/8": "⅜",
    "5/8": "⅝", "7/8": "⅞" };
  const figures = (number, of) => [...`${number}`].map((figure) => of[figure]).join("");
  const stacked = (x) => `${figures(over(x), "⁰¹²³⁴⁵⁶⁷⁸⁹")}⁄${figures(under(x), "₀₁₂₃₄₅₆₇₈₉")}`;

  /** 12, 7½, 0.35, else ¹⁄₆; a true minus. */
  function numberText(x) {
    if (over(x) < 0n) return `−${numberText(negative(x))}`;
    const whole = floor(x);
    const rest = add(x, -whole);
    if (rest === 0n) return `${whole}`;
    const part = VULGAR[`${rest.over}/${rest.under}`];
    if (part) return `${whole || ""}${part}`;
    for (const digits of [1n, 2n, 3n]) {
      const scaled = times(rest, 10n ** digits);
      if (!(scaled instanceof Ratio)) return `${whole}.${`${scaled}`.padStart(Number(digits), "0")}`;
    }
    return stacked(x);
  }

  /** As on a ruler: 1⁵⁄₆; 7.26 for seven and five nineteenths. */
  function rulerText(x) {
    const whole = floor(x);
    const rest = add(x, -whole);
    if (under(rest) > 16n && under(times(rest, 1000n)) !== 1n) {
      const scaled = times(x, 100n);
      const [down, half] = [floor(scaled), order(add(scaled, -floor(scaled)), new Ratio(1n, 2n))];
      const near = half > 0 || (half === 0 && down % 2n) ? down + 1n : down;
      return numberText(near ? ratio(near, 100n) : x);
    }
    const text = numberText(x);
    return text.includes("⁄") && whole ? `${whole}${stacked(rest)}` : text;
  }

  function lengthText(x, kind) {
    if (over(x) < 0n) return `−${lengthText(negative(x), kind)}`;
    const form = kind.one && ceil(x) === 1n ? kind.one : kind.unit;
    return form.replace("%", kind.parts ? rulerText(x) : numberText(x));
  }

  const named = (one) => `${one.dice === 1 ? "" : one.dice}d${one.sides}`;

  // ---- expressions ---------------------------------------------------------------------------

  const compared = (holds) => (player, x, y) => holds(order(x, y));

  /** Operations whose parts are all evaluated before them. */
  const OPERATIONS = {
    "not": (_, flag) => !flag,
    "neg": (_, x) => negative(x),
    "+": (_, x, y) => add(x, y),
    "-": (_, x, y) => add(x, negative(y)),
    "*": (_, x, y) => bounded(times(x, y)),
    "/": (_, x, y) => bounded(divided(x, nonzero(y))),
    "//": (_, x, y) => bounded(floor(divided(x, nonzero(y)))),
    "==": (_, x, y) => same(x, y),
    "!=": (_, x, y) => !same(x, y),
    "<": compared((way) => way < 0),
    "<=": compared((way) => way <= 0),
    ">": compared((way) => way > 0),
    ">=": compared((way) => way >= 0),
    "in": (_, one, of) => (of.faces ?? of.rows).some((other) => same(one, valueOf(other))),
    "min": (_, ...all) => least(...all),
    "max": (_, ...all) => most(...all),
    "sum": (_, ...all) => total(...all),
    "count": (_, ...flags) => total(...flags.map(counted)),
    "abs": (_, x) => (over(x) < 0n ? negative(x) : x),
    "floor": (_, x) => floor(x),
    "ceil": (_, x) => ceil(x),
    "round_up": (_, x) => (over(x) >= 0n ? ceil(x) : floor(x)),
    "round_half_up": (_, x) => floor(add(x, new Ratio(1n, 2n))),
    "bound": (_, x) => bounded(x),
    "passes": (player, die, target) => {
      if (target.scores.length > 1) throw new Refused("R425");
      const decided = player.programs.natural[sign(die)];
      return decided ?? (target.scores.length > 0 && order(die, BigInt(target.scores[0])) >= 0);
    },
    "len": (_, conditions) => BigInt(conditions.rows.length),
    "how often": (_, conditions, row) => BigInt(conditions.rows.filter((one) => one === row).length),
    "forbidden": () => cell({ forbidden: true }),
  };

  /** Operations on something in the data: its number comes before the parts. */
  const LOOKUPS = {
    "unit": (factor, x) => times(x, valueOf(factor)),
    "cell": (cells, key) => cell(cells[key]),
    "total": (cells, conditions) => total(...conditions.rows.map((row) => cell(cells[row]))),
    "grid": (grid, ...places) =>
      cell(grid.cells[places.reduce((at, place, axis) => at * grid.sizes[axis] + Number(place), 0)]),
    "place": (positions, value) => {
      const found = positions.at ? positions.at[sign(value)] : bandOf(positions, value);
      if (found === undefined) throw new Refused("R425");
      return found;
    },
  };

  function nonzero(x) {
    if (x === 0n) throw new Refused("R425");
    return x;
  }

  function bandOf(positions, value) {
    const number = times(value, valueOf(positions.unit));
    const holds = ([, low, high, openLow]) => {
      const above = low === null ? 1 : order(number, valueOf(low));
      return (above > 0 || (above === 0 && !openLow)) &&
        (high === null || order(number, valueOf(high)) <= 0);
    };
    return positions.bands.find(holds)?.[0];
  }

  /** Whether something can be had: not if it meets one kind of fault. */
  function there(find, barrier) {
    try {
      find();
    } catch (fault) {
      if (fault instanceof Refused && fault.code === barrier) return false;
      throw fault;
    }
    return true;
  }

  // ---- one play ------------------------------------------------------------------------------

  /** The values that expressions have where names have theirs. */
  class Evaluator {
    constructor(programs, names) {
      Object.assign(this, { programs, names });
    }

    /** Refuses inputs that are not what a procedure requires. */
    admit(procedure) {
      for (const one of procedure.requires) if (!this.value(one.that)) throw new Refused("R433", one.say);
    }

    value(tree) {
      if (typeof tree === "string") return this.names.get(tree);
      if (!Array.isArray(tree)) return valueOf(tree);
      const [operation, ...parts] = tree;
      switch (operation) {
        case "=": return valueOf(parts[0]);
        case "if": return this.value(this.value(parts[0]) ? parts[1] : parts[2]);
        case "and": return parts.every((part) => this.value(part));
        case "or": return parts.some((part) => this.value(part));
        case "has": return there(() => this.value(parts[0]), "empty");
        case "allowed": return there(() => this.value(parts[0]), "R443");
      }
      if (LOOKUPS[operation]) {
        const [number, ...others] = parts;
        const thing = operation === "unit" ? number : this.programs.data[number];
        return LOOKUPS[operation](thing, ...others.map((part) => this.value(part)));
      }
      return OPERATIONS[operation](this, ...parts.map((part) => this.value(part)));
    }

    /** Dice to be thrown: `[expression]`, with how many of them are kept, the lowest if below 0. */
    shown([tree, kept = 0]) {
      const { dice: count, sides } = this.value(tree);
      return { dice: count, sides, kept, single: count === 1 || Math.abs(kept) === 1 };
    }

    /** Whether what dice show reaches a score; where one die counts, natural scores decide. */
    reaches({ single }, sum, score, plus) {
      const decided = single ? this.programs.natural[`${sum}`] : undefined;
      return decided ?? order(add(sum, plus), BigInt(score)) >= 0;
    }

    /** The inputs of a procedure that a step runs. */
    given(step) {
      const inner = this.programs.procedures[step.run];
      const inputs = usualInputs(inner);
      for (const [name, tree] of Object.entries(step.given)) {
        const value = this.value(tree);
        if (!holds(inner.inputs.find((one) => one.name === name), value)) throw new Refused("R425");
        inputs.set(name, value);
      }
      return inputs;
    }
  }

  class Player extends Evaluator {
    constructor(programs, id, inputs, throwDie, events, depth) {
      super(programs, new Map(inputs));
      Object.assign(this, { throwDie, events, depth, taken: 0, procedure: programs.procedures[id] });
    }

    play() {
      this.admit(this.procedure);
      this.steps(this.procedure.steps, this.depth, 0);
      return new Map(this.procedure.results.map((one) =>
        [one.name, one.count ? this.names.get(one.count) : this.value(one.value)]));
    }

    take(number) {
      this.taken += number;
      if (this.taken > MOST_TAKEN) throw new Refused("R424");
    }

    steps(steps, depth, number) {
      for (const step of steps) {
        if (step.when !== undefined && !this.value(step.when)) continue;
        this.take(1);
        const event = { say: step.say ?? "", depth, number, thrown: [], sets: [] };
        this.events.push(event);
        const names = this[`do ${step.do}`](step, event) ?? [];
        event.sets = names.filter((name) => step.labels?.[name] && this.names.has(name)).map((name) => {
          const { words, kind } = step.labels[name];
          return [words, valueText(this.programs, this.names.get(name), kind)];
        });
      }
    }

    "do say"() {}

    "do choose"(step) {
      return step.sets;
    }

    "do set"(step) {
      for (const [name, tree] of Object.entries(step.names)) this.names.set(name, this.value(tree));
      return Object.keys(step.names);
    }

    "do block"(step, event) {
      this.steps(step.steps, event.depth, event.number);
    }

    thrown(one, event) {
      this.take(one.dice);
      const faces = [];
      event.thrown.push({ dice: named(one), sides: one.sides, faces });
      for (let left = one.dice; left; left--) faces.push(this.throwDie(one.sides, left));
      const ordered = [...faces].sort((a, b) => (one.kept < 0 ? a - b : b - a));
      const counting = one.kept ? ordered.slice(0, Math.abs(one.kept)) : ordered;
      return BigInt(counting.reduce((sum, face) => sum + face, 0));
    }

    throwAll(names, dice, event) {
      dice.forEach((one, at) => this.names.set(names[at], this.thrown(one, event)));
    }

    "do throw"(step, event) {
      // What is thrown is settled before the first die falls: a name thrown anew may decide it.
      const names = step.dice.map(([name]) => name);
      const dice = step.dice.map(([, ...one]) => this.shown(one));
      this.throwAll(names, dice, event);
      if (step.reroll !== undefined && this.value(step.reroll)) this.throwAll(names, dice, event);
      for (let done = 0; step.again !== undefined && this.value(step.again); done++) {
        if (done >= MOST_PASSES) throw new Refused("R423");
        this.throwAll(names, dice, event);
      }
      return names;
    }

    "do pool"(step, event) {
      const number = wholeTimes(this.value(step.times));
      const names = step.dice.map(([name]) => name);
      const dice = step.dice.map(([, ...one]) => this.shown(one));
      if (step.made === "distinct" && dice[0].dice > 1) throw new Refused("R425");
      const around = new Map(this.names);
      const passes = [];
      for (let done = 0; done < number; done++) {
        this.throwAll(names, dice, event);
        passes.push(step.each.length
          ? step.each.map((tree) => counted(this.value(tree)))
          : [this.names.get(names[0])]);
      }
      this.names = around;
      step.outs.forEach((out, at) => {
        this.names.set(out, made(step.made, passes.map((each) => each[at])));
      });
      return step.outs;
    }

    "do add up"(step, event) {
      const number = wholeTimes(this.value(step.times));
      const before = this.names;
      const totals = step.outs.map(() => 0n);
      for (let done = 1; done <= number; done++) {
        this.names = new Map(before);
        this.steps(step.steps, event.depth + 1, done);
        step.each.forEach((tree, at) => {
          totals[at] = add(totals[at], counted(this.value(tree)));
        });
      }
      this.names = before;
      step.outs.forEach((out, at) => this.names.set(out, totals[at]));
      return [...step.outs].sort();
    }

    "do test"(step, event) {
      if (step.times === undefined) {
        this.names.set(step.name, this.tested(step, event));
        return [step.name];
      }
      const number = wholeTimes(this.value(step.times));
      let passed = 0n;
      for (let done = 0; done < number; done++) passed += counted(this.tested(step, event));
      this.names.set(step.name, passed);
      return [step.name];
    }

    tested(step, event) {
      if (this.once(step, event)) return true;
      return step.reroll !== undefined && this.value(step.reroll) && this.once(step, event);
    }

    /** One test: of a chain of scores, each is thrown for until one is not reached. */
    once(step, event) {
      const target = this.value(step.target);
      let plus = 0n;
      if (step.plus !== undefined && !there(() => { plus = this.value(step.plus); }, "R443"))
        return false; // and nothing is thrown
      const shown = this.shown(step.dice);
      for (const score of target.scores) {
        if (!this.reaches(shown, this.thrown(shown, event), score, plus)) return false;
      }
      return target.scores.length > 0;
    }

    "do repeat"(step, event) {
      const bound = step.times === undefined ? Infinity : wholeTimes(this.value(step.times));
      if (step.count) this.names.set(step.count, 0n);
      for (let done = 1; done <= bound; done++) {
        if (done > MOST_PASSES) throw new Refused("R423");
        if (step.count) this.names.set(step.count, BigInt(done));
        this.steps(step.steps, event.depth + 1, done);
        if (step.until !== undefined && this.value(step.until)) break;
      }
    }

    "do run"(step, event) {
      const { programs, throwDie, events } = this;
      const player = new Player(programs, step.run, this.given(step), throwDie, events, event.depth + 1);
      const results = player.play();
      this.take(player.taken);
      for (const [name, result] of Object.entries(step.take)) this.names.set(name, results.get(result));
      return Object.keys(step.take);
    }
  }

  function made(what, values) {
    if (what === "sum") return total(...values);
    if (what === "distinct") return BigInt(new Set(values.map(sign)).size);
    if (!values.length) return 0n;
    return (what === "highest" ? most : least)(...values);
  }

  function valueText(programs, value, number) {
    const kind = number === undefined ? undefined : programs.data[number];
    const several = (value?.rows && [...value.rows].sort()) ?? value?.faces;
    if (several)
      return several.map((one) => valueText(programs, valueOf(one), number)).join(", ") || programs.words.none;
    if (typeof value === "boolean") return value ? programs.words.yes : programs.words.no;
    if (typeof value === "string") {
      const title = kind?.titles && Object.hasOwn(kind.titles, value) ? kind.titles[value] : "";
      return title || value.replaceAll("_", " ");
    }
    if (value?.scores) return value.text;
    if (value?.dice) return named(value);
    return kind?.unit ? lengthText(value, kind) : numberText(value);
  }

  // ---- inputs --------------------------------------------------------------------------------

  function usualInputs(procedure) {
    return new Map(procedure.inputs.map((input) => [input.name, valueOf(input.default)]));
  }

  function holds(input, value) {
    if (input.several) {
      const often = (row) => value.rows.filter((one) => one === row).length;
      return value.rows.every(
        (row) => input.values.includes(row) && often(row) <= (input.limits?.[row] ?? 1));
    }
    if (input.values) return input.values.some((one) => same(valueOf(one), value));
    return !(value instanceof Ratio) && value >= BigInt(input.from) && value <= BigInt(input.to);
  }

  /** Plain values by name, and the usual ones of the inputs that are left out. */
  function inputsOf(procedure, plain) {
    const values = usualInputs(procedure);
    for (const [name, one] of Object.entries(plain)) values.set(name, valueOf(one));
    return values;
  }

  /** What `find` gives; a cell that is empty for the players is a missing one. Raises Refused. */
  function refusing(find) {
    try {
      return find();
    } catch (fault) {
      if (fault instanceof Refused && fault.code === "empty") fault.code = "R426";
      throw fault;
    }
  }

  /** One play. `inputs` are plain values by name; `throwDie` is called with the sides of each die. Gives the steps, and
      the results with their titles; or, where given dice run out, the steps so far and the die that is `wanted`. */
  function play(programs, id, inputs, throwDie) {
    const procedure = programs.procedures[id];
    const events = [];
    try {
      const player = new Player(programs, id, inputsOf(procedure, inputs), throwDie, events, 0);
      const found = refusing(() => player.play());
      const results = procedure.results.map((one) => ({
        name: one.name,
        title: one.title,
        text: valueText(programs, found.get(one.name), one.kind),
      }));
      return { events, results };
    } catch (fault) {
      if (fault instanceof OutOfDice) return { events, wanted: { sides: fault.sides, left: fault.left } };
      throw fault;
    }
  }

  /** What a die may show, every face as likely as the others: d66 and d666 are six-sided dice, read one behind the
      other. */
  function facesOf(sides) {
    const one = Array.from({ length: sides === 66 || sides === 666 ? 6 : sides }, (_, at) => at + 1);
    const further = (faces) => faces.flatMap((face) => one.map((last) => 10 * face + last));
    return sides === 666 ? further(further(one)) : sides === 66 ? further(one) : one;
  }

  /** A die of the machine's own chance, every face as likely as the others. */
  function chance(sides) {
    const faces = facesOf(sides);
    const whole = Math.floor(2 ** 32 / faces.length) * faces.length;
    const box = new Uint32Array(1);
    do crypto.getRandomValues(box); while (box[0] >= whole);
    return faces[box[0] % faces.length];
  }

  /** Dice that are given one by one. */
  function given(faces) {
    let used = 0;
    return (sides, left) => {
      if (used === faces.length) throw new OutOfDice(sides, left);
      return faces[used++];
    };
  }

  /** All that the interpreter can do, for the tests that try all of it. */
  const operations = [
    ...["=", "if", "and", "or", "has", "allowed"],
    ...Object.keys(OPERATIONS),
    ...Object.keys(LOOKUPS),
    ...Object.getOwnPropertyNames(Player.prototype).filter((name) => name.startsWith("do ")),
  ];
  const textOf = (programs, plain, kind) => valueText(programs, valueOf(plain), kind);
  /** For exact.js, which goes through the same steps with all dice at once. */
  const parts = { Evaluator, Player, Ratio, add, common, counted, divided, facesOf, inputsOf, order, over, ratio };
  Object.assign(parts, { refusing, sign, there, times, valueText, under, wholeTimes });

  return { play, chance, given, facesOf, Refused, textOf, operations, parts };
})();
