/* The programs of a ruleset (see dice.js) and inputs -> the exact chances of all outcomes of a procedure.

   The steps are taken as core/steps.py takes them, not with dice that fall but with the weights of all states at once.
   A state is what is known of the names that some later step reads; states that are alike are one. What takes too many
   moves is played often instead, with dice of a seed. */
globalThis.exact = (() => {
  "use strict";

  const { Refused, parts } = globalThis.dice;
  const { Evaluator, Player, Ratio, add, common, counted, divided, facesOf, inputsOf, order, over, ratio } = parts;
  const { refusing, sign, there, times, valueText, under, wholeTimes } = parts;

  /** Moves from state to state of one question, sums of one pool, states of a repetition without a bound. */
  const [MOST_MOVES, MOST_SUMS, MOST_IN_CHAIN] = [500_000, 1_000_000, 2_000];
  /** Numbers of a sum that are added in the time of a move. */
  const SUMS_OF_MOVE = 60;
  /** Plays of a question that takes more. */
  const PLAYS = 10_000;

  // ---- weights -------------------------------------------------------------------------------

  const keyOf = (values) => values.map((one) => (typeof one === "string" ? `'${one}` : sign(one))).join("\0");
  const multiple = (x, y) => (x / common(x, y)) * y;
  const joined = (...sets) => new Set(sets.flatMap((one) => [...one]));
  const without = (set, names) => new Set([...set].filter((name) => !names.includes(name)));
  const restricted = (names, kept) => new Map([...names].filter(([name]) => kept.has(name)));
  const stateKey = (names, kept) => keyOf([...kept].map((name) => names.get(name)));

  /** States with whole weights: a weight over the scale is the chance of its state. */
  class Weights {
    constructor(scale = 1n) {
      Object.assign(this, { scale, states: new Map() });
    }

    /** Adds to the weight of a state; `make` gives the values of its names if it is new. */
    add(key, weight, make) {
      const known = this.states.get(key);
      if (known) known.weight += weight;
      else this.states.set(key, { names: make(), weight });
    }

    /** Adds a state of which just some names are kept. */
    put(names, kept, weight) {
      this.add(stateKey(names, kept), weight, () => restricted(names, kept));
    }

    get all() {
      return [...this.states.values()];
    }

    get total() {
      return this.all.reduce((sum, { weight }) => sum + weight, 0n);
    }

    /** The chance of all its states together. */
    get share() {
      return ratio(this.total, this.scale);
    }
  }

  /** Weights of several origins on one scale; each state with the names that are kept of it. */
  function merged(all, kept) {
    const into = new Weights(all.map((one) => one.scale).reduce(multiple, 1n));
    for (const one of all)
      for (const { names, weight } of one.all) into.put(names, kept, (weight * into.scale) / one.scale);
    return into;
  }

  // ---- dice ----------------------------------------------------------------------------------

  /** Outcomes are [values, weight]; those of equal values become one, and those that never come are left out. */
  function gathered(outcomes) {
    const found = new Map();
    for (const [values, weight] of outcomes) {
      const key = keyOf(values);
      const known = found.get(key);
      if (known) known[1] += weight;
      else if (weight) found.set(key, [values, weight]);
    }
    return [...found.values()];
  }

  const weightOf = (outcomes) => outcomes.reduce((sum, [, weight]) => sum + weight, 0n);

  /** Ways to choose some of many. */
  function ways(many, some) {
    let found = 1n;
    for (let at = 1; at <= some; at++) found = (found * BigInt(many - some + at)) / BigInt(at);
    return found;
  }

  /** Totals of dice, or of the highest `kept` of them (below 0: the lowest): from the face that counts first, each face
      is shown by so many of the dice that are left. */
  function totals({ dice, sides, kept }) {
    if (dice === 1) return facesOf(sides).map((face) => [[BigInt(face)], 1n]);
    const keep = Math.abs(kept) || dice;
    let states = [[[0n, 0n], 1n]];
    for (let left = sides; left; left--) {
      const face = BigInt(kept < 0 ? sides + 1 - left : left);
      const next = states.flatMap(([[used, sum], weight]) => {
        const rest = dice - Number(used);
        const shown = Array.from({ length: rest + 1 }, (_, more) => more).slice(left === 1 ? rest : 0);
        return shown.map((more) => {
          const counting = Math.max(0, Math.min(more, keep - Number(used)));
          return [[used + BigInt(more), sum + face * BigInt(counting)], weight * ways(rest, more)];
        });
      });
      states = gathered(next);
    }
    return states.map(([[, sum], weight]) => [[sum], weight]);
  }

  /** The sum of a random number of draws; `counts` has the weights of numbers. The numbers of a draw tell its place in
      an array, so that places add up as the draws do; fewer draws than the most are filled up with nothing. */
  function summed(draws, counts, spend) {
    const [most, total] = [Math.max(...counts.keys()), weightOf(draws)];
    const nothing = draws[0][0].map(() => 0n);
    const values = [...draws.map(([one]) => one), ...(counts.size > 1 ? [nothing] : [])];
    let size = 1;
    const axes = nothing.map((_, at) => {
      const denominator = values.map((one) => under(one[at])).reduce(multiple);
      const numerators = values.map((one) => over(times(one[at], denominator)));
      const low = numerators.reduce((least, one) => (one < least ? one : least));
      const high = numerators.reduce((greatest, one) => (one > greatest ? one : greatest));
      const axis = { denominator, low, stride: size, length: Number(high - low) * most + 1 };
      size *= axis.length;
      return axis;
    });
    if (size > MOST_SUMS) throw new Refused("R424");
    spend(Math.ceil((size * most * draws.length) / SUMS_OF_MOVE));
    const place = (one) => axes.reduce(
      (sum, { denominator, low, stride }, at) => sum + Number(over(times(one[at], denominator)) - low) * stride, 0);
    const sum = (at) => axes.map(({ denominator, low, stride, length }) =>
      ratio(low * BigInt(most) + BigInt(Math.floor(at / stride) % length), denominator));
    const steps = draws.map(([one, weight]) => [place(one), weight]);
    let [sums, scale] = [[counts.get(most)], 1n];
    for (let number = most - 1; number >= 0; number--) {
      const longer = Array(size);
      for (const [further, weight] of steps)
        sums.forEach((found, at) => { longer[at + further] = (longer[at + further] ?? 0n) + found * weight; });
      scale *= total;
      if (counts.has(number)) {
        const at = place(nothing) * (most - number);
        longer[at] = (longer[at] ?? 0n) + counts.get(number) * scale;
      }
      sums = longer;
    }
    return sums.flatMap((weight, at) => [[sum(at), weight]]);
  }

  /** The highest or lowest of a random number of draws; of none it is 0. */
  function best(draws, counts, highest) {
    const [most, all] = [Math.max(...counts.keys()), weightOf(draws)];
    const rising = [...draws].sort(([[x]], [[y]]) => (highest ? order(x, y) : order(y, x)));
    return gathered([...counts].flatMap(([number, weight]) => {
      const scale = weight * all ** BigInt(most - number);
      if (!number) return [[[0n], scale]];
      let [reached, before] = [0n, 0n];
      return rising.map(([values, more]) => {
        [reached, before] = [reached + more, reached ** BigInt(number)];
        return [values, (reached ** BigInt(number) - before) * scale];
      });
    }));
  }

  /** How many different faces a random number of dice show. */
  function different(sides, counts) {
    const most = Math.max(...counts.keys());
    const found = [];
    let shown = [1n];
    for (let number = 0; number <= most; number++) {
      const weight = (counts.get(number) ?? 0n) * BigInt(sides) ** BigInt(most - number);
      found.push(...shown.map((one, faces) => [[BigInt(faces)], one * weight]));
      shown = [...shown, 0n].map((one, faces) =>
        one * BigInt(faces) + (shown[faces - 1] ?? 0n) * BigInt(sides - faces + 1));
    }
    return gathered(found);
  }

  // ---- programs ------------------------------------------------------------------------------

  /** The names that expressions read. */
  function readBy(...trees) {
    const read = (tree) => {
      if (typeof tree === "string") return [tree];
      return Array.isArray(tree) && tree[0] !== "=" ? tree.slice(1).flatMap(read) : [];
    };
    return new Set(trees.flatMap(read));
  }

  /** The names that a step sets. */
  function setBy(step) {
    const inner = (step.do === "repeat" || step.do === "block" ? step.steps : []).flatMap(setBy);
    const thrown = step.do === "throw" ? step.dice.map(([name]) => name) : [];
    const own = [step.count, step.do === "test" ? step.name : undefined].filter((name) => name !== undefined);
    return [...inner, ...thrown, ...own, ...Object.keys({ ...step.names, ...step.take }), ...(step.outs ?? [])];
  }

  /** One procedure with its inputs. Its steps are compiled from the last to the first: to the names that are `live`
      before them, and what they `run` of weights. `known` is common to all procedures of a question. */
  class Engine extends Evaluator {
    constructor(programs, known = { moves: 0, kept: new Map() }) {
      super(programs, new Map());
      Object.assign(this, { known, means: new Map() });
    }

    spend(moves) {
      this.known.moves += moves;
      if (this.known.moves > MOST_MOVES) throw new Refused("R424");
    }

    /** What is found once for a key. */
    once(key, find) {
      const { kept } = this.known;
      if (!kept.has(key)) kept.set(key, find());
      return kept.get(key);
    }

    /** Outcomes of some results together, and the means of counts that have no bound. */
    joint(id, inputs, results) {
      const procedure = this.programs.procedures[id];
      this.names = inputs;
      this.admit(procedure);
      const written = procedure.steps.flatMap(setBy);
      this.constants = new Map([...inputs].filter(([name]) => !written.includes(name)));
      const wanted = results.map((name) => {
        const found = procedure.results.find((one) => one.name === name);
        return found.count ?? this.filled(found.value);
      });
      const { live, run } = this.compiled(procedure.steps, readBy(...wanted));
      const begun = new Weights();
      begun.put(inputs, live, 1n);
      const ended = run(begun).all.map(({ names, weight }) => [wanted.map((tree) => this.at(names, tree)), weight]);
      return { outcomes: gathered(ended), means: wanted.map((tree) => this.means.get(tree)) };
    }

    at(names, tree) {
      this.names = names;
      return this.value(tree);
    }

    /** An expression with all that is known of it; what is refused then is so where it is reached. */
    filled(tree) {
      if (typeof tree === "string") return this.constants.has(tree) ? ["=", this.constants.get(tree)] : tree;
      if (!Array.isArray(tree) || tree[0] === "=") return tree;
      const found = [tree[0], ...tree.slice(1).map((part) => this.filled(part))];
      try {
        return readBy(found).size ? found : ["=", this.value(found)];
      } catch (fault) {
        if (fault instanceof Refused) return found;
        throw fault;
      }
    }

    compiled(steps, after) {
      const runs = [];
      let live = after;
      for (const step of [...steps].reverse()) {
        if (!setBy(step).some((name) => live.has(name))) continue;
        const made = this.guarded(step, live);
        runs.unshift(made.run);
        live = made.live;
      }
      return { live, run: (weights) => runs.reduce((found, run) => run(found), weights) };
    }

    guarded(step, after) {
      const made = this[`do ${step.do}`](step, after);
      if (step.when === undefined) return made;
      const when = this.filled(step.when);
      const run = (weights) => {
        const [yes, no] = this.parted(weights, made.live, after, (names) => this.at(names, when));
        return merged([made.run(yes), no], after);
      };
      return { live: joined(made.live, after, readBy(when)), run };
    }

    /** Weights of the states of which something holds, and of the others; each with the names that are kept of it. */
    parted(weights, kept, others, holds) {
      const [yes, no] = [new Weights(weights.scale), new Weights(weights.scale)];
      for (const { names, weight } of weights.all)
        if (holds(names)) yes.put(names, kept, weight);
        else no.put(names, others, weight);
      this.spend(weights.states.size);
      return [yes, no];
    }

    /** A step that sets some names: `outcomes` of a state are found once for all that are alike in what is read. */
    sets(names, reads, after, outcomes) {
      const kept = without(after, names);
      const run = (weights) => {
        const known = new Map();
        const found = weights.all.map((state) => {
          const key = stateKey(state.names, reads);
          if (!known.has(key)) {
            const found = outcomes(state.names);
            known.set(key, { outcomes: found, all: weightOf(found) });
          }
          return [state, known.get(key)];
        });
        return this.spread(weights.scale, found, names, kept, after);
      };
      return { live: joined(kept, reads), run };
    }

    /** As `sets` for what happens a random number of times: states that differ only in the number are one. Where
        nothing is thrown nothing is looked at, so that no fault of a throw is met. */
    repeats(names, number, reads, after, outcomes) {
      const kept = without(after, names);
      const tree = this.filled(number);
      const run = (weights) => {
        const groups = new Map();
        for (const state of weights.all) {
          const done = wholeTimes(this.at(state.names, tree));
          const key = stateKey(state.names, joined(kept, reads));
          if (!groups.has(key)) groups.set(key, [{ names: state.names, weight: 1n }, new Map()]);
          const [, counts] = groups.get(key);
          counts.set(done, (counts.get(done) ?? 0n) + state.weight);
        }
        const none = (counts) => ({ outcomes: [[names.map(() => 0n), counts.get(0)]], all: 1n });
        const found = [...groups.values()].map(([state, counts]) =>
          [state, Math.max(...counts.keys()) ? outcomes(state.names, counts) : none(counts)]);
        return this.spread(weights.scale, found, names, kept, after);
      };
      return { live: joined(kept, reads, readBy(tree)), run };
    }

    /** States, each with the outcomes that it leads to, whose weights are of so many in `all`. */
    spread(scale, found, sets, kept, after) {
      const factor = [...new Set(found.map(([, one]) => one.all))].reduce(multiple, 1n);
      const into = new Weights(scale * factor);
      const wanted = sets.flatMap((name, at) => (after.has(name) ? [at] : []));
      for (const [{ names, weight }, { outcomes, all }] of found) {
        const base = stateKey(names, kept);
        const grown = weight * (factor / all);
        this.spend(outcomes.length);
        for (const [values, more] of outcomes) {
          const make = () => new Map([...restricted(names, kept), ...wanted.map((at) => [sets[at], values[at]])]);
          into.add(`${base}\0${keyOf(wanted.map((at) => values[at]))}`, grown * more, make);
        }
      }
      return into;
    }

    "do set"(step, after) {
      const [[name, tree], ...others] = Object.entries(step.names);
      const single = ([one, its]) => ({ do: "set", names: { [one]: its } });
      if (others.length) return this.compiled(Object.entries(step.names).map(single), after);
      const value = this.filled(tree);
      return this.sets([name], readBy(value), after, (names) => [[[this.at(names, value)], 1n]]);
    }

    "do block"(step, after) {
      return this.compiled(step.steps, after);
    }

    /** The totals of dice with their weights. */
    totals({ dice, sides, kept }) {
      return this.once(`${dice} ${sides} ${kept}`, () => {
        this.spend(dice * sides);
        return totals({ dice, sides, kept });
      });
    }

    "do throw"(step, after) {
      const names = step.dice.map(([name]) => name);
      const dice = step.dice.map(([, tree, kept]) => [this.filled(tree), kept]);
      const decide = this.filled(step.again ?? step.reroll ?? false);
      const reads = joined(readBy(...dice.map(([tree]) => tree)), without(readBy(decide), names));
      return this.sets(names, reads, after, (known) => {
        let outcomes = [[[], 1n]];
        this.names = known;
        for (const one of dice) {
          const shown = this.totals(this.shown(one));
          this.spend(outcomes.length * shown.length);
          outcomes = outcomes.flatMap(([values, weight]) =>
            shown.map(([more, each]) => [[...values, ...more], weight * each]));
        }
        const all = weightOf(outcomes);
        const again = ([values]) =>
          this.at(new Map([...known, ...names.map((name, at) => [name, values[at]])]), decide);
        const stays = outcomes.filter((one) => !again(one));
        const staying = weightOf(stays);
        if (step.again !== undefined && !stays.length) throw new Refused("R423");
        if (step.again !== undefined || staying === all) return stays;
        const first = stays.map(([values, weight]) => [values, weight * all]);
        const anew = outcomes.map(([values, weight]) => [values, weight * (all - staying)]);
        return gathered([...first, ...anew]);
      });
    }

    "do test"(step, after) {
      const dice = [this.filled(step.dice[0]), step.dice[1]];
      const { target: score, plus: added = 0, reroll: anew = false } = step;
      const [target, plus, reroll] = [score, added, anew].map((tree) => this.filled(tree));
      const reads = readBy(dice[0], target, plus, reroll);
      /** Whether it is reached, with weights; what is not allowed fails, and nothing is thrown. */
      const chance = (names) => {
        let more;
        if (!there(() => { more = this.at(names, plus); }, "R443")) return [[[false], 1n]];
        let [hits, all] = this.reached(this.shown(dice), this.value(target).scores, more);
        if (this.at(names, reroll)) [hits, all] = [hits * all + (all - hits) * hits, all * all];
        const part = common(hits, all);
        return [[[true], hits / part], [[false], (all - hits) / part]].filter(([, weight]) => weight);
      };
      if (step.times !== undefined)
        return this.added([step.name], step.times, reads, after, (names) =>
          chance(names).map(([values, weight]) => [values.map(counted), weight]));
      return this.sets([step.name], reads, after, chance);
    }

    /** Ways to reach a chain of scores, a throw for each, and all ways. */
    reached(shown, scores, plus) {
      const outcomes = this.totals(shown);
      const hits = scores.map((score) =>
        weightOf(outcomes.filter(([[sum]]) => this.reaches(shown, sum, score, plus))));
      const all = weightOf(outcomes) ** BigInt(scores.length);
      return scores.length ? [hits.reduce((found, one) => found * one), all] : [0n, 1n];
    }

    /** What is drawn so many times and added up, or taken the best of. */
    added(names, number, reads, after, draw, combine = summed) {
      return this.repeats(names, number, reads, after, (known, counts) => {
        const draws = draw(known);
        this.spend(draws.length * counts.size);
        const outcomes = combine(draws, counts, (moves) => this.spend(moves));
        return { outcomes, all: weightOf(draws) ** BigInt(Math.max(...counts.keys())) };
      });
    }

    "do pool"(step, after) {
      const steps = [{ do: "throw", dice: step.dice }];
      if (step.made !== "distinct") return this["do add up"]({ ...step, steps }, after);
      const tree = this.filled(step.dice[0][1]);
      return this.repeats(step.outs, step.times, readBy(tree), after, (names, counts) => {
        const { dice, sides: named } = this.at(names, tree);
        if (dice > 1) throw new Refused("R425");
        const sides = facesOf(named).length;
        this.spend(sides * Math.max(...counts.keys()));
        return { outcomes: different(sides, counts), all: BigInt(sides) ** BigInt(Math.max(...counts.keys())) };
      });
    }

    "do add up"(step, after) {
      const wanted = step.outs.flatMap((name, at) => (after.has(name) ? [at] : []));
      const each = wanted.map((at) => this.filled(step.each[at]));
      const { live, run } = this.compiled(step.steps, readBy(...each));
      const draw = (names) => {
        const one = new Weights();
        one.put(names, live, 1n);
        const ended = run(one).all;
        return gathered(ended.map((end) => [each.map((tree) => counted(this.at(end.names, tree))), end.weight]));
      };
      const take = step.made === "highest" || step.made === "lowest"
        ? (draws, counts) => best(draws, counts, step.made === "highest") : summed;
      return this.added(wanted.map((at) => step.outs[at]), step.times, live, after, draw, take);
    }

    "do run"(step, after) {
      const given = Object.fromEntries(Object.entries(step.given).map(([name, tree]) => [name, this.filled(tree)]));
      const names = Object.keys(step.take).filter((name) => after.has(name));
      const results = names.map((name) => step.take[name]);
      return this.sets(names, readBy(...Object.values(given)), after, (known) => {
        this.names = known;
        const inputs = this.given({ ...step, given });
        return this.once([step.run, ...results, keyOf([...inputs.values()])].join("\0"), () =>
          new Engine(this.programs, this.known).joint(step.run, inputs, results).outcomes);
      });
    }

    // ---- repetitions ---------------------------------------------------------------------------

    "do repeat"(step, after) {
      const left = Symbol("passes left");
      const { count } = step;
      const bounded = step.times !== undefined;
      const [bound, until] = [step.times ?? 0, step.until ?? false].map((tree) => this.filled(tree));
      let head = joined(step.skippable ? after : []);
      let [end, body] = [];
      for (let grown = true; grown; ) {
        end = joined(after, readBy(until), head, bounded ? [left] : []);
        if (!bounded) end.delete(count);
        body = this.compiled(step.steps, end);
        grown = [...body.live].some((name) => !head.has(name));
        head = joined(body.live, head);
      }
      const loop = { body, head, after, until, left: bounded ? left : undefined, count };
      const begin = (weights) => {
        const begun = new Weights(weights.scale);
        for (const { names, weight } of weights.all) {
          const own = bounded ? [[left, BigInt(wholeTimes(this.at(names, bound)))], [count, 0n]] : [];
          begun.put(new Map([...names, ...own]), head, weight);
        }
        return begun;
      };
      const run = (weights) => {
        if (bounded) return this.bounded(loop, begin(weights));
        if (after.has(count)) return this.lengths(loop, begin(weights), step.listed);
        return this.solved(loop, begin(weights)).out;
      };
      return { live: joined(without(head, [count, left]), readBy(bound)), run };
    }

    /** One pass of a repetition -> weights of what goes on, and of what has left. */
    passed({ body, head, after, until, left, count }, weights) {
      const begun = new Weights(weights.scale);
      for (const { names, weight } of weights.all) {
        const now = new Map(names);
        if (left) now.set(left, names.get(left) - 1n).set(count, (names.get(count) ?? 0n) + 1n);
        begun.put(now, body.live, weight);
      }
      this.spend(16);
      return this.parted(body.run(begun), head, after, (names) => names.get(left) !== 0n && !this.at(names, until));
    }

    bounded(loop, weights) {
      let [inside, out] = this.parted(weights, loop.head, loop.after, (names) => names.get(loop.left) > 0n);
      const found = [out];
      while (inside.states.size) {
        [inside, out] = this.passed(loop, inside);
        found.push(out);
      }
      return merged(found, loop.after);
    }

    /** The passes that a repetition without a bound takes, as far as they are listed. */
    lengths(loop, start, listed) {
      const found = [];
      let passes = 0n;
      const counting = (weights, number) => {
        const into = new Weights(weights.scale);
        for (const { names, weight } of weights.all)
          into.put(new Map([...names, [loop.count, number]]), loop.after, weight);
        found.push(into);
      };
      let [inside, out] = [start];
      for (let number = 1; number <= listed; number++) {
        [inside, out] = this.passed(loop, inside);
        counting(out, BigInt(number));
        passes = add(passes, times(out.share, BigInt(number)));
      }
      const rest = this.solved(loop, inside);
      counting(rest.out, { more: listed });
      passes = add(passes, times(inside.share, add(rest.length, BigInt(listed))));
      this.means.set(loop.count, passes && divided(passes, start.share));
      return merged(found, loop.after);
    }

    /** A repetition without a bound as an absorbing Markov chain, whose states are passed over one by one (as in
        dice/chains.py) -> where it leads in the end, and how many passes that takes in the mean. */
    solved(loop, start) {
      const [states, exits, rows, before] = [new Map(start.states), new Map(), new Map(), new Map()];
      const listed = ([key, { weight }]) => [key, weight];
      const source = Symbol("what comes in");
      rows.set(source, { to: new Map([...start.states].map(listed)), moves: 0n });
      if (!outward(rows.get(source))) return { out: start, length: 0n };
      for (const [key, { names }] of states) {
        if (states.size > MOST_IN_CHAIN) throw new Refused("R424");
        const alone = new Weights();
        alone.states.set(key, { names, weight: 1n });
        const [inside, out] = this.passed(loop, alone);
        for (const [after, one] of inside.states) if (!states.has(after)) states.set(after, one);
        for (const [after, one] of out.states) exits.set(`out ${after}`, one.names);
        const left = [...out.states].map(([after, { weight }]) => [`out ${after}`, weight]);
        const to = new Map([...[...inside.states].map(listed), ...left]);
        const moves = outward({ to });
        to.delete(key);
        rows.set(key, { to, moves });
        before.set(key, new Set());
      }
      for (const [key, { to }] of rows) for (const after of to.keys()) before.get(after)?.add(key);
      while (before.size) {
        // Those with few ways through them first, so that few states stay linked to many.
        const links = (key) => before.get(key).size * rows.get(key).to.size;
        const key = [...before.keys()].reduce((least, one) => (links(one) < links(least) ? one : least));
        const [through, earlier] = [rows.get(key), before.get(key)];
        if (!outward(through)) throw new Refused("R423");
        before.delete(key);
        for (const one of earlier) {
          this.spend(rows.get(one).to.size + through.to.size);
          rows.set(one, past(one, rows.get(one), key, through));
        }
        for (const after of through.to.keys()) {
          for (const one of earlier) if (one !== after) before.get(after)?.add(one);
          before.get(after)?.delete(key);
        }
      }
      const found = rows.get(source);
      const out = new Weights(start.scale * outward(found));
      const { total } = start;
      for (const [key, weight] of found.to) out.put(exits.get(key), loop.after, total * weight);
      return { out, length: ratio(found.moves, outward(found)) };
    }
  }

  const outward = ({ to }) => [...to.values()].reduce((sum, weight) => sum + weight, 0n);

  /** The row of a state that does not stop at another. */
  function past(name, earlier, key, through) {
    const [into, all] = [earlier.to.get(key), outward(through)];
    const to = new Map([...earlier.to].map(([after, weight]) => [after, weight * all]));
    to.delete(key);
    for (const [after, weight] of through.to) if (after !== name) to.set(after, (to.get(after) ?? 0n) + into * weight);
    const moves = earlier.moves * all + into * through.moves;
    const part = [...to.values()].reduce(common, moves);
    return { to: new Map([...to].map(([after, weight]) => [after, weight / part])), moves: moves / part };
  }

  // ---- questions -----------------------------------------------------------------------------

  /** Numbers rising, words in the order of their titles, yes before no, and last what is more. */
  function inOrder(titles, outcomes) {
    const words = Object.keys(titles ?? {});
    const rank = (value) => (value?.more ? 2 : typeof value === "string" ? 1 : 0);
    const within = (x, y) => {
      if (typeof x === "boolean") return Number(y) - Number(x);
      if (typeof x !== "string") return order(x, y);
      return words.indexOf(x) - words.indexOf(y) || (x < y ? -1 : 1);
    };
    return outcomes.sort(([[x]], [[y]]) => rank(x) - rank(y) || within(x, y));
  }

  /** A value as plain data: a ratio as "over/under". */
  function plain(value) {
    if (value?.more) return "more";
    if (typeof value === "bigint") return Number(value);
    return value instanceof Ratio ? sign(value) : value;
  }

  function resultOf(programs, { kind, number }, outcomes, mean) {
    const found = inOrder(programs.data[kind]?.titles, gathered(outcomes));
    const total = weightOf(found);
    const weighed = () => found.map(([[value], weight]) => times(value, weight)).reduce(add);
    const centre = mean ?? (number && divided(weighed(), total));
    return {
      values: found.map(([[value]]) => plain(value)),
      texts: found.map(([[value]]) => (value?.more ? "" : valueText(programs, value, kind))),
      weights: found.map(([, weight]) => weight),
      total,
      mean: centre === undefined ? undefined : [over(centre), under(centre)],
    };
  }

  /** A die of a seed (mulberry32, by Tommy Ettinger), for plays that are the same each time. */
  function seeded(seed) {
    return (sides) => {
      seed = (seed + 0x6d2b79f5) | 0;
      let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      const faces = facesOf(sides);
      return faces[Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * faces.length)];
    };
  }

  /** Outcomes of some results together from many plays. */
  function sampled(programs, id, inputs, names) {
    const throwDie = seeded(1);
    const outcomes = Array.from({ length: PLAYS }, () => {
      const results = new Player(programs, id, inputs, throwDie, [], 0).play();
      return [names.map((name) => results.get(name)), 1n];
    });
    return { outcomes, means: [], plays: PLAYS };
  }

  /** The answer to a question: some results of a procedure, from so many `plays` if they are not exact; or the code by
      which it is `refused` and why. `inputs` are plain values by name. */
  function answer(programs, id, inputs, names) {
    const procedure = programs.procedures[id];
    const values = inputsOf(procedure, inputs);
    const refused = ({ message, code }) => ({ refused: message, code });
    const attempt = (find) => {
      try {
        return refusing(find);
      } catch (fault) {
        if (fault instanceof Refused) return refused(fault);
        throw fault;
      }
    };
    let found = attempt(() => new Engine(programs).joint(id, values, names));
    if (found.code === "R424") found = attempt(() => sampled(programs, id, values, names));
    if (found.code) return found;
    const results = names.map((name, at) => {
      const outcomes = found.outcomes.map(([all, weight]) => [[all[at]], weight]);
      return [name, resultOf(programs, procedure.results.find((one) => one.name === name), outcomes, found.means[at])];
    });
    return { results: Object.fromEntries(results), plays: found.plays };
  }

  return { answer };
})();
