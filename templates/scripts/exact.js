/* The told programs of a ruleset (see dice.js) and inputs -> the exact chances of all outcomes of a procedure.

   The steps are taken as core/exact.py takes them, not with dice that fall but with the weights of all states at once. A
   state is what is known of the names that some later step reads; states that are alike are one. What takes too many
   steps is played often instead, with dice of a seed. */
globalThis.exact = (() => {
  "use strict";

  const { Refused, parts } = globalThis.dice;
  const { Evaluator, Player, Ratio, add, counted, divided, inputsOf, order, over, ratio, refusing } = parts;
  const { times, toldValue, under, wholeTimes } = parts;

  /** Moves from state to state of one question, and states that a repetition without a bound may go through. */
  const MOST_MOVES = 2_000_000;
  const MOST_IN_CHAIN = 2_000;
  /** Hexadecimal digits that are added as fast as a move is made. */
  const DIGITS_OF_MOVE = 2_000;
  /** Plays of a question that takes more. */
  const PLAYS = 10_000;

  // ---- weights -------------------------------------------------------------------------------

  function mark(value) {
    if (typeof value === "string") return `'${value}`;
    if (value instanceof Ratio) return `${value.over}/${value.under}`;
    return typeof value === "object" ? JSON.stringify(value) : `${value}`;
  }
  const keyOf = (values) => values.map(mark).join("\0");
  const common = (x, y) => {
    while (y) [x, y] = [y, x % y];
    return x;
  };
  const multiple = (x, y) => (x / common(x, y)) * y;
  const joined = (...sets) => new Set(sets.flatMap((one) => [...one]));
  const without = (set, names) => new Set([...set].filter((name) => !names.includes(name)));

  /** States with whole weights: a weight over the scale is the chance of its state. */
  class Weights {
    constructor(scale = 1n) {
      this.scale = scale;
      this.states = new Map();
    }

    /** Adds to the weight of a state; `make` gives the values of its names if it is new. */
    add(key, weight, make) {
      const known = this.states.get(key);
      if (known) known.weight += weight;
      else this.states.set(key, { names: make(), weight });
    }

    /** Adds a state of which just some names are kept. */
    put(names, kept, weight) {
      const known = [...kept].filter((name) => names.has(name));
      const key = keyOf([...kept].map((name) => names.get(name)));
      this.add(key, weight, () => new Map(known.map((name) => [name, names.get(name)])));
    }

    get all() {
      return [...this.states.values()];
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

  /** Outcomes are [values, weight]; those of equal values are one. */
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
  const choose = (all, some) => {
    let ways = 1n;
    for (let at = 1; at <= some; at++) ways = (ways * BigInt(all - some + at)) / BigInt(at);
    return ways;
  };

  /** Totals of dice, or of those kept, from the face that counts first: so many of the dice left show it. */
  function totals({ dice: count, sides, kept }) {
    const keep = Math.abs(kept) || count;
    let states = [[0, 0, 1n]];
    for (let at = 0; at < sides; at++) {
      const face = kept < 0 ? at + 1 : sides - at;
      const next = new Map();
      for (const [used, sum, ways] of states)
        for (let more = at === sides - 1 ? count - used : 0; used + more <= count; more++) {
          const total = sum + face * Math.max(0, Math.min(more, keep - used));
          const key = (used + more) * (count * sides + 1) + total;
          const weight = ways * choose(count - used, more);
          const known = next.get(key);
          if (known) known[2] += weight;
          else next.set(key, [used + more, total, weight]);
        }
      states = [...next.values()];
    }
    return states.map(([, total, ways]) => [[BigInt(total)], ways]);
  }

  /** Where the numbers of draws stand in one long number, so that products of it add them (Kronecker's substitution): the
      tuples of `all` numbers, of which up to `most` are added, stand in fields that are wide enough for every sum. */
  class Fields {
    constructor(all, most) {
      this.most = most;
      let stride = 1n;
      this.axes = all[0].map((_, at) => {
        const parts = all.map((values) => under(values[at])).reduce(multiple);
        const counted = all.map((values) => over(times(values[at], parts)));
        const low = counted.reduce((least, one) => (one < least ? one : least));
        const step = counted.reduce((part, one) => common(part, one - low), 0n) || 1n;
        const fields = counted.reduce((widest, one) => ((one - low) / step > widest ? (one - low) / step : widest), 0n);
        const axis = { parts, low, step, stride, fields: fields * BigInt(most) + 1n };
        stride *= axis.fields;
        return axis;
      });
      this.size = Number(stride);
    }

    place(values) {
      const along = ({ parts, low, step, stride }, at) => ((over(times(values[at], parts)) - low) / step) * stride;
      return Number(this.axes.map(along).reduce((sum, one) => sum + one, 0n));
    }

    /** The sum that a field stands for. */
    values(place) {
      return this.axes.map(({ parts, low, step, stride, fields }) =>
        ratio(BigInt(this.most) * low + ((BigInt(place) / stride) % fields) * step, parts),
      );
    }
  }

  /** The sum of a random number of draws: `counts` has the weights of numbers. */
  function summed(each, counts, spend) {
    const most = Math.max(...counts.keys());
    const nothing = counts.size > 1 ? [each[0][0].map(() => 0n)] : [];
    const fields = new Fields([...each.map(([values]) => values), ...nothing], most);
    const draws = each.map(([values, weight]) => [fields.place(values), weight]);
    const sums =
      counts.size > 1
        ? mixture(draws, fields.place(nothing[0]), counts, fields.size, spend)
        : power(draws, most, counts.get(most), fields.size, spend);
    return sums.flatMap((weight, place) => (weight ? [[fields.values(place), weight]] : []));
  }

  /** Coefficients of a power of a polynomial, each from those before it (Euler; Knuth, The Art of Computer Programming,
      section 4.7). */
  function power(draws, most, scale, size, spend) {
    spend(size * draws.length);
    const low = Math.min(...draws.map(([place]) => place));
    const first = draws.find(([place]) => place === low)[1];
    const others = draws.map(([place, weight]) => [place - low, weight]).filter(([place]) => place);
    const found = Array(size).fill(0n);
    found[low * most] = first ** BigInt(most) * scale;
    for (let at = 1; at < size - low * most; at++) {
      let value = 0n;
      for (const [place, weight] of others)
        if (place <= at) value += BigInt((most + 1) * place - at) * weight * found[low * most + at - place];
      if (value) found[low * most + at] = value / (BigInt(at) * first);
    }
    return found;
  }

  /** Of powers of a polynomial with weights: all coefficients stand in one long number. `rest` is the place of nothing,
      which stands for the draws that are not made. */
  function mixture(draws, rest, counts, size, spend) {
    const [most, all] = [Math.max(...counts.keys()), weightOf(draws)];
    const digits = (weightOf([...counts]) * all ** BigInt(most)).toString(16).length;
    spend(1 + Math.floor((most * draws.length * size * digits) / DIGITS_OF_MOVE));
    const shift = (place) => BigInt(4 * digits * place);
    let [whole, scale] = [counts.get(most), 1n];
    for (let number = most - 1; number >= 0; number--) {
      scale *= all;
      let longer = ((counts.get(number) ?? 0n) * scale) << shift(rest * (most - number));
      for (const [place, weight] of draws) longer += (whole * weight) << shift(place);
      whole = longer;
    }
    const text = whole.toString(16).padStart(digits * size, "0");
    return Array.from({ length: size }, (_, place) => {
      const end = text.length - place * digits;
      return BigInt(`0x${text.slice(end - digits, end)}`);
    });
  }

  /** The highest or lowest of a random number of draws; of none it is 0. */
  function best(each, counts, highest) {
    const [most, all] = [Math.max(...counts.keys()), weightOf(each)];
    const rising = [...each].sort(([[x]], [[y]]) => (highest ? order(x, y) : order(y, x)));
    const found = [];
    for (const [number, weight] of counts) {
      const scale = weight * all ** BigInt(most - number);
      if (!number) found.push([[0n], scale]);
      let [reached, before] = [0n, 0n];
      for (const [values, ways] of number ? rising : []) {
        reached += ways;
        const now = reached ** BigInt(number);
        found.push([values, (now - before) * scale]);
        before = now;
      }
    }
    return gathered(found);
  }

  /** How many different faces a random number of dice show. */
  function different(sides, counts) {
    const most = Math.max(...counts.keys());
    const found = [];
    let ways = [1n];
    for (let number = 0; number <= most; number++) {
      const weight = (counts.get(number) ?? 0n) * BigInt(sides) ** BigInt(most - number);
      found.push(...ways.map((one, faces) => [[BigInt(faces)], one * weight]));
      ways = Array.from(
        { length: Math.min(number + 1, sides) + 1 },
        (_, faces) => (ways[faces] ?? 0n) * BigInt(faces) + (ways[faces - 1] ?? 0n) * BigInt(sides - faces + 1),
      );
    }
    return gathered(found);
  }

  // ---- programs ------------------------------------------------------------------------------

  /** The names that an expression reads. */
  function namesIn(tree, found = new Set()) {
    if (typeof tree === "string") found.add(tree);
    else if (Array.isArray(tree) && tree[0] !== "=") for (const part of tree.slice(1)) namesIn(part, found);
    return found;
  }
  const readBy = (...trees) => joined(...trees.map((tree) => namesIn(tree)));

  /** The names that a step sets. */
  function setBy(step) {
    switch (step.do) {
      case "set":
        return Object.keys(step.names);
      case "throw":
        return step.dice.map(([name]) => name);
      case "pool":
      case "add up":
        return step.outs;
      case "test":
        return [step.name];
      case "repeat":
        return [...step.steps.flatMap(setBy), ...(step.count ? [step.count] : [])];
      case "block":
        return step.steps.flatMap(setBy);
      case "run":
        return Object.keys(step.take);
    }
    return [];
  }

  /** One question: a procedure with its inputs, and those that its steps run. Compiles steps from the last to the first:
      to the names that are `live` before them, and what they `run` of weights. */
  class Engine extends Evaluator {
    constructor(told, known = { moves: 0, joints: new Map() }) {
      super(told, new Map());
      Object.assign(this, { known, means: new Map(), spend: this.spend.bind(this) });
    }

    spend(moves) {
      this.known.moves += moves;
      if (this.known.moves > MOST_MOVES) throw new Refused("R424");
    }

    /** Outcomes of some results together, and the means of counts that have no bound. */
    joint(id, inputs, results) {
      const procedure = this.told.procedures[id];
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

    /** An expression with all that is known of it. */
    filled(tree) {
      if (typeof tree === "string") return this.constants.has(tree) ? ["=", this.constants.get(tree)] : tree;
      if (!Array.isArray(tree) || tree[0] === "=") return tree;
      const found = [tree[0], ...tree.slice(1).map((part) => this.filled(part))];
      if (namesIn(found).size) return found;
      try {
        return ["=", this.value(found)];
      } catch (fault) {
        if (fault instanceof Refused) return found; // which is refused if it is reached
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
      return { live: joined(made.live, after, namesIn(when)), run };
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
          const key = keyOf([...reads].map((name) => state.names.get(name)));
          if (!known.has(key)) known.set(key, outcomes(state.names));
          return [state, known.get(key)];
        });
        return this.spread(weights.scale, found, names, kept, after);
      };
      return { live: joined(kept, reads), run };
    }

    /** As `sets` for what happens a random number of times: states that differ only in the number are one. */
    repeats(names, number, reads, after, outcomes) {
      const kept = without(after, names);
      const tree = this.filled(number);
      const run = (weights) => {
        const groups = new Map();
        for (const state of weights.all) {
          const done = wholeTimes(this.at(state.names, tree));
          const key = keyOf([...kept, ...reads].map((name) => state.names.get(name)));
          if (!groups.has(key)) groups.set(key, [{ names: state.names, weight: 1n }, new Map()]);
          const [, counts] = groups.get(key);
          counts.set(done, (counts.get(done) ?? 0n) + state.weight);
        }
        const found = [...groups.values()].map(([state, counts]) => {
          // Where nothing is thrown nothing is looked at, so that no fault of a throw is met.
          if (Math.max(...counts.keys())) return [state, outcomes(state.names, counts)];
          return [state, { outcomes: [[names.map(() => 0n), counts.get(0)]], scale: 1n }];
        });
        return this.spread(weights.scale, found, names, kept, after);
      };
      return { live: joined(kept, reads, namesIn(tree)), run };
    }

    spread(scale, found, sets, kept, after) {
      const factor = [...new Set(found.map(([, one]) => one.scale))].reduce(multiple, 1n);
      const into = new Weights(scale * factor);
      const wanted = sets.map((name) => after.has(name));
      for (const [{ names, weight }, { outcomes, scale: part }] of found) {
        const base = keyOf([...kept].map((name) => names.get(name)));
        const grown = weight * (factor / part);
        this.spend(outcomes.length);
        for (const [values, ways] of outcomes) {
          const key = `${base}\0${keyOf(values.filter((_, at) => wanted[at]))}`;
          into.add(key, grown * ways, () => {
            const made = new Map([...kept].filter((name) => names.has(name)).map((name) => [name, names.get(name)]));
            sets.forEach((name, at) => wanted[at] && made.set(name, values[at]));
            return made;
          });
        }
      }
      return into;
    }

    "do set"(step, after) {
      const single = Object.entries(step.names).map(([name, tree]) => ({ do: "one", name, tree }));
      if (single.length > 1)
        return this.compiled(
          single.map((one) => ({ do: "set", names: { [one.name]: one.tree } })),
          after,
        );
      const [{ name, tree }] = single;
      const value = this.filled(tree);
      return this.sets([name], namesIn(value), after, (names) => ({
        outcomes: [[[this.at(names, value)], 1n]],
        scale: 1n,
      }));
    }

    "do block"(step, after) {
      return this.compiled(step.steps, after);
    }

    /** Dice of a step, each with the expression that says which. */
    dice(list) {
      return list.map(([tree, kept = 0]) => [this.filled(tree), kept]);
    }

    /** What dice show. */
    shown(names, [tree, kept]) {
      const { dice, sides } = this.at(names, tree);
      const single = dice === 1 || Math.abs(kept) === 1;
      const key = `${dice} ${sides} ${kept}`;
      if (!this.known.joints.has(key)) {
        this.spend(dice * sides);
        this.known.joints.set(key, totals({ dice, sides, kept }));
      }
      return { dice, sides, single, outcomes: this.known.joints.get(key) };
    }

    "do throw"(step, after) {
      const names = step.dice.map(([name]) => name);
      const dice = this.dice(step.dice.map(([, ...one]) => one));
      const decide = step.again ?? step.reroll;
      const holds = decide === undefined ? undefined : this.filled(decide);
      const reads = joined(readBy(...dice.map(([tree]) => tree)), without(readBy(holds), names));
      return this.sets(names, reads, after, (known) => {
        let outcomes = [[[], 1n]];
        for (const one of dice) {
          const shown = this.shown(known, one).outcomes;
          this.spend(outcomes.length * shown.length);
          outcomes = outcomes.flatMap(([values, ways]) =>
            shown.map(([more, weight]) => [[...values, ...more], ways * weight]),
          );
        }
        if (holds === undefined) return { outcomes, scale: weightOf(outcomes) };
        const again = outcomes.map(([values]) =>
          this.at(new Map([...known, ...names.map((name, at) => [name, values[at]])]), holds),
        );
        const stays = outcomes.filter((_, at) => !again[at]);
        if (step.again !== undefined) {
          if (!stays.length) throw new Refused("R423");
          return { outcomes: stays, scale: weightOf(stays) };
        }
        const all = weightOf(outcomes);
        const anew = all - weightOf(stays);
        return {
          outcomes: outcomes
            .map(([values, ways], at) => [values, ways * (again[at] ? anew : all + anew)])
            .filter(([, ways]) => ways),
          scale: all * all,
        };
      });
    }

    "do test"(step, after) {
      const [dice] = this.dice([step.dice]);
      const [target, plus, reroll] = [step.target, step.plus ?? 0, step.reroll ?? false].map((tree) =>
        this.filled(tree),
      );
      const reads = readBy(dice[0], target, plus, reroll);
      const chance = (names) => {
        let more;
        try {
          more = this.at(names, plus);
        } catch (fault) {
          if (fault.code !== "R443") throw fault;
          return [0n, 1n]; // what is not allowed fails, and nothing is thrown
        }
        let [hits, all] = this.reached(this.shown(names, dice), this.at(names, target).scores, more);
        if (this.at(names, reroll)) [hits, all] = [hits * all + (all - hits) * hits, all * all];
        return [hits / common(hits, all), all / common(hits, all)];
      };
      if (step.times === undefined)
        return this.sets([step.name], reads, after, (names) => {
          const [hits, all] = chance(names);
          return {
            outcomes: [
              [[true], hits],
              [[false], all - hits],
            ].filter(([, ways]) => ways),
            scale: all,
          };
        });
      return this.repeats([step.name], step.times, reads, after, (names, counts) => {
        const [hits, all] = chance(names);
        const each = [
          [[1n], hits],
          [[0n], all - hits],
        ].filter(([, ways]) => ways);
        return { outcomes: summed(each, counts, this.spend), scale: all ** BigInt(Math.max(...counts.keys())) };
      });
    }

    /** Ways to reach a chain of scores, a throw for each, and all ways. Natural scores decide where one die counts. */
    reached({ single, outcomes }, scores, plus) {
      let hits = 1n;
      for (const score of scores) {
        const holds = (sum) =>
          (single ? this.told.natural[`${sum}`] : undefined) ?? order(add(sum, plus), BigInt(score)) >= 0;
        hits *= weightOf(outcomes.filter(([[sum]]) => holds(sum)));
      }
      return scores.length ? [hits, weightOf(outcomes) ** BigInt(scores.length)] : [0n, 1n];
    }

    "do pool"(step, after) {
      if (step.made !== "distinct")
        return this["do add up"]({ ...step, steps: [{ do: "throw", dice: step.dice }] }, after);
      const [[tree, kept]] = this.dice(step.dice.map(([, ...one]) => one));
      return this.repeats(step.outs, step.times, namesIn(tree), after, (names, counts) => {
        const { dice, sides } = this.at(names, tree);
        if (dice > 1) throw new Refused("R425");
        const most = Math.max(...counts.keys());
        this.spend(most * Math.min(most, sides));
        return { outcomes: different(sides, counts), scale: BigInt(sides) ** BigInt(most) };
      });
    }

    "do add up"(step, after) {
      const wanted = step.outs.map((_, at) => at).filter((at) => after.has(step.outs[at]));
      const each = wanted.map((at) => this.filled(step.each[at]));
      const { live, run } = this.compiled(step.steps, readBy(...each));
      return this.repeats(
        wanted.map((at) => step.outs[at]),
        step.times,
        live,
        after,
        (names, counts) => {
          const one = new Weights();
          one.put(names, live, 1n);
          const passed = run(one);
          const draws = gathered(
            passed.all.map((state) => [each.map((tree) => counted(this.at(state.names, tree))), state.weight]),
          );
          this.spend(draws.length * counts.size);
          const highest = step.made === "highest";
          const outcomes =
            highest || step.made === "lowest" ? best(draws, counts, highest) : summed(draws, counts, this.spend);
          return { outcomes, scale: passed.scale ** BigInt(Math.max(...counts.keys())) };
        },
      );
    }

    "do run"(step, after) {
      const given = Object.fromEntries(Object.entries(step.given).map(([name, tree]) => [name, this.filled(tree)]));
      const names = Object.keys(step.take).filter((name) => after.has(name));
      const results = names.map((name) => step.take[name]);
      return this.sets(names, readBy(...Object.values(given)), after, (known) => {
        this.names = known;
        const inputs = this.given({ ...step, given });
        const key = [step.run, ...results, keyOf([...inputs.values()])].join("\0");
        const { joints } = this.known;
        if (!joints.has(key)) joints.set(key, new Engine(this.told, this.known).joint(step.run, inputs, results));
        const { outcomes } = joints.get(key);
        return { outcomes, scale: weightOf(outcomes) };
      });
    }

    "do repeat"(step, after) {
      const left = Symbol("passes left");
      const { count } = step;
      const bound = step.times === undefined ? undefined : this.filled(step.times);
      const until = this.filled(step.until ?? false);
      let head = joined(step.skippable ? after : []);
      let [end, body] = [];
      for (let grown = true; grown;) {
        end = joined(after, namesIn(until), head);
        if (bound !== undefined) end.add(left);
        else if (count) end.delete(count);
        body = this.compiled(step.steps, end);
        const before = joined(body.live, head);
        grown = before.size > head.size;
        head = before;
      }
      const loop = { body, head, end, after, until, left, count, bounded: bound !== undefined };
      const begin = (weights) => {
        const begun = new Weights(weights.scale);
        for (const { names, weight } of weights.all) {
          const more = bound === undefined ? [] : [[left, BigInt(wholeTimes(this.at(names, bound)))]];
          begun.put(new Map([...names, ...(count ? [[count, 0n]] : []), ...more]), head, weight);
        }
        return begun;
      };
      const opens = bound === undefined && count && after.has(count);
      const run = (weights) => {
        if (bound !== undefined) return this.bounded(loop, begin(weights));
        return opens ? this.lengths(loop, begin(weights), step.listed) : this.solved(loop, begin(weights)).out;
      };
      return { live: joined(without(head, [count, left]), bound === undefined ? [] : namesIn(bound)), run };
    }

    /** One pass of a repetition -> weights of what goes on, and of what has left. */
    passed({ body, head, end, after, until, left, count, bounded }, weights) {
      const begun = new Weights(weights.scale);
      for (const { names, weight } of weights.all) {
        const now = new Map(names);
        if (bounded) now.set(left, names.get(left) - 1n);
        if (bounded && count) now.set(count, (names.get(count) ?? 0n) + 1n);
        begun.put(now, body.live, weight);
      }
      this.spend(16);
      const stays = (names) => !(bounded && names.get(left) === 0n) && !this.at(names, until);
      return this.parted(body.run(begun), head, after, stays);
    }

    bounded(loop, weights) {
      let [inside, out] = this.parted(weights, loop.head, loop.after, (names) => names.get(loop.left) > 0n);
      const parts = [out];
      while (inside.states.size) {
        [inside, out] = this.passed(loop, inside);
        parts.push(out);
      }
      return merged(parts, loop.after);
    }

    /** A repetition without a bound as an absorbing Markov chain: its states are passed over one by one (see
        dice/chains.py) -> where it leads in the end, and how many passes that takes in the mean. */
    solved(loop, start) {
      const names = new Map([...start.states].map(([key, one]) => [key, one.names]));
      const [exits, rows, before] = [new Map(), new Map(), new Map()];
      for (const [key, one] of names) {
        if (names.size > MOST_IN_CHAIN) throw new Refused("R424");
        const alone = new Weights();
        alone.states.set(key, { names: one, weight: 1n });
        const [inside, out] = this.passed(loop, alone);
        const to = new Map([...inside.states].map(([after, state]) => [after, state.weight]));
        for (const [after, state] of inside.states) if (!names.has(after)) names.set(after, state.names);
        for (const [after, state] of out.states) {
          exits.set(after, state.names);
          to.set(`out ${after}`, state.weight);
        }
        const moves = [...to.values()].reduce((sum, weight) => sum + weight, 0n);
        to.delete(key);
        rows.set(key, { to, moves });
      }
      const source = { to: new Map([...start.states].map(([key, one]) => [key, one.weight])), moves: 0n };
      const begun = outward(source);
      if (!begun) return { out: new Weights(start.scale), length: 0n };
      rows.set(SOURCE, source);
      for (const key of names.keys()) before.set(key, new Set());
      for (const [key, { to }] of rows) for (const after of to.keys()) before.get(after)?.add(key);
      for (const left = new Set(names.keys()); left.size;) {
        // Those with few ways through them first, so that few states stay linked to many.
        const ways = (key) => before.get(key).size * rows.get(key).to.size;
        const key = [...left].reduce((least, one) => (ways(one) < ways(least) ? one : least));
        const through = rows.get(key);
        if (!outward(through)) throw new Refused("R423");
        for (const earlier of before.get(key)) {
          this.spend(rows.get(earlier).to.size + through.to.size);
          rows.set(earlier, past(earlier, rows.get(earlier), key, through));
        }
        for (const after of through.to.keys()) {
          const ahead = before.get(after);
          for (const earlier of ahead ? before.get(key) : []) if (earlier !== after) ahead.add(earlier);
          ahead?.delete(key);
        }
        left.delete(key);
      }
      const found = rows.get(SOURCE);
      const under = outward(found);
      const out = new Weights(start.scale * under);
      for (const [key, state] of exits) {
        const weight = found.to.get(`out ${key}`);
        if (weight) out.put(state, loop.after, begun * weight);
      }
      return { out, length: ratio(found.moves, under) };
    }

    /** The passes that a repetition without a bound takes, as far as they are listed. */
    lengths(loop, start, listed) {
      const { count, after } = loop;
      this.means.set(count, this.solved(loop, start).length);
      const found = [];
      const counting = (weights, number) => {
        const into = new Weights(weights.scale);
        for (const { names, weight } of weights.all) into.put(new Map([...names, [count, number]]), after, weight);
        found.push(into);
      };
      let inside = start;
      for (let number = 1; number <= listed; number++) {
        let out;
        [inside, out] = this.passed(loop, inside);
        counting(out, BigInt(number));
      }
      counting(this.solved(loop, inside).out, { more: listed });
      return merged(found, after);
    }
  }

  /** Stands before the states of a chain. */
  const SOURCE = Symbol("source");
  const outward = ({ to }) => [...to.values()].reduce((sum, weight) => sum + weight, 0n);

  /** The row of a state that does not stop at another. */
  function past(name, earlier, key, through) {
    const [into, under] = [earlier.to.get(key), outward(through)];
    const to = new Map([...earlier.to].map(([after, weight]) => [after, weight * under]));
    to.delete(key);
    for (const [after, weight] of through.to) if (after !== name) to.set(after, (to.get(after) ?? 0n) + into * weight);
    const moves = earlier.moves * under + into * through.moves;
    const part = [...to.values()].reduce(common, moves);
    return { to: new Map([...to].map(([after, weight]) => [after, weight / part])), moves: moves / part };
  }

  // ---- questions -----------------------------------------------------------------------------

  /** Numbers rising, words in the order of their titles, yes before no, and last what is more. */
  function inOrder(titles, values) {
    const words = Object.keys(titles ?? {});
    const rank = (value) => (value?.more ? 2 : typeof value === "string" ? 1 : 0);
    const within = (x, y) => {
      if (typeof x === "boolean") return Number(y) - Number(x);
      if (typeof x !== "string") return order(x, y);
      return words.indexOf(x) - words.indexOf(y) || (x < y ? -1 : 1);
    };
    return values.sort(([x], [y]) => rank(x) - rank(y) || within(x, y));
  }

  /** A value as plain data: a ratio as "over/under". */
  function plain(value) {
    if (value?.more) return "more";
    if (typeof value === "bigint") return Number(value);
    return value instanceof Ratio ? mark(value) : value;
  }

  function resultOf(told, result, outcomes, mean) {
    const { data } = told;
    const found = inOrder(
      data[result.kind]?.titles,
      gathered(outcomes).map(([[value], weight]) => [value, weight]),
    );
    const total = weightOf(found);
    const weighed = () => divided(found.map(([value, weight]) => times(value, weight)).reduce(add), total);
    const centre = mean ?? (result.number ? weighed() : undefined);
    return {
      values: found.map(([value]) => plain(value)),
      told: found.map(([value]) => (value?.more ? undefined : toldValue(told, value, result.kind))),
      weights: found.map(([, weight]) => weight),
      total,
      mean: centre === undefined ? undefined : [over(centre), under(centre)],
    };
  }

  /** The exact odds of some results of a procedure, of each by itself; `inputs` are plain values by name. */
  function reckoned(told, id, inputs, names) {
    const procedure = told.procedures[id];
    const { outcomes, means } = new Engine(told).joint(id, inputsOf(procedure, inputs), names);
    const one = (name, at) =>
      resultOf(
        told,
        procedure.results.find((result) => result.name === name),
        outcomes.map(([values, weight]) => [[values[at]], weight]),
        means[at],
      );
    return { results: Object.fromEntries(names.map((name, at) => [name, one(name, at)])) };
  }

  /** A die of a seed (mulberry32, by Tommy Ettinger), for plays that are the same each time. */
  function seeded(seed) {
    return (sides) => {
      seed = (seed + 0x6d2b79f5) | 0;
      let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides) + 1;
    };
  }

  /** The same from many plays. */
  function sampled(told, id, inputs, names) {
    const procedure = told.procedures[id];
    const throwDie = seeded(1);
    const found = new Map(names.map((name) => [name, []]));
    for (let play = 0; play < PLAYS; play++) {
      const results = new Player(told, id, inputsOf(procedure, inputs), throwDie, [], 0).play();
      for (const name of names) found.get(name).push([[results.get(name)], 1n]);
    }
    const one = (name) =>
      resultOf(
        told,
        procedure.results.find((result) => result.name === name),
        found.get(name),
      );
    return { results: Object.fromEntries(names.map((name) => [name, one(name)])), plays: PLAYS };
  }

  /** What is answered to a question: results, from so many `plays` if they are not exact; or that it is `refused`. */
  function answer(told, id, inputs, names) {
    try {
      try {
        return refusing(() => reckoned(told, id, inputs, names));
      } catch (fault) {
        if (fault.code !== "R424") throw fault;
        return refusing(() => sampled(told, id, inputs, names));
      }
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      return { refused: fault.message, code: fault.code };
    }
  }

  return { answer };
})();
