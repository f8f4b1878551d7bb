import assert from "node:assert/strict";
import { recipe, surrogateGradient } from "turnwise";
import { carryAfterTurn, type Carry } from "turnwise/internal/rule/index";
import { gate } from "turnwise/internal/rule/gate/gate";
import { everyTrajectory, greedySweep, uniform, value, type Game, type Rows } from "./game";
import { assertClose, draws } from "./support";

/** T turns, rewards U[0, 1) at the leaves, the whole past is seen. */
function tree(seed: number, turns: number, actions = 3): Game {
  const next = draws(seed);
  const rewards = Array.from({ length: actions ** turns }, next);
  return {
    actions,
    start: [{ probability: 1, state: 0 }],
    outcome: (_, taken) =>
      taken.length < turns ? undefined : rewards[taken.reduce((index, a) => index * actions + a, 0)],
    context: (_, taken) => taken.join("") || "start",
  };
}

function randomRows(game: Game, seed: number): Rows {
  const next = draws(seed);
  return new Map(
    [...uniform(game)].map(([context, row]) => {
      const weights = row.map(() => 0.05 + next());
      const total = weights.reduce((a, b) => a + b, 0);
      return [context, weights.map((w) => w / total)];
    }),
  );
}

const order = (kind: "reverse" | "forward", carry: "exact" | "off" | "clipped" = "exact") =>
  recipe("seeUpo", { order: { kind, carry } });
const simultaneous = recipe("seeUpo", { order: "simultaneous" });

describe("SeeUPO's Eq. 4", () => {
  const game = tree(3, 3);
  const old = randomRows(game, 11);
  const moved = randomRows(game, 12);
  // Turns 2 and 3 are new, turn 1 is old: contexts are named by the past, so the first turn's is "start".
  const partly: Rows = new Map(
    [...moved].map(([context, row]) => [context, context === "start" ? old.get(context)! : row]),
  );
  const batch = everyTrajectory(game, old);
  const A = batch.all.map(({ reward }) => reward - value(game, old));
  const afterTurns = (turns: readonly number[]): Carry => {
    let carry: Carry = new Map<string, number>();
    for (const t of turns) {
      const step = {
        ...batch,
        turns: [t],
        logProb_ntl: batch.logProb(moved),
        oldLogProb_ntl: batch.logProb(old),
      };
      carry = carryAfterTurn(recipe("seeUpo"), { ...step, carry }).carry;
    }
    return carry;
  };

  it("holds to 1e-12: the old policy's mean of ratio_2 ratio_3 A is the mean of A with turns 2 and 3 new", () => {
    const carry = afterTurns([2, 1]);
    const weighted = batch.probability_n.reduce(
      (sum, p, n) => sum + p * carry.get(batch.trajectoryId[n]!)! * A[n]!,
      0,
    );
    assertClose([weighted], [value(game, partly) - value(game, old)], 1e-12);
    assert.ok(Math.abs(weighted) > 1e-3, "the two policies must differ in value");
  });

  it("with ratio_2 - 1 in place of ratio_2 differs by the constant mean of ratio_3 A", () => {
    const both = afterTurns([2, 1]);
    const last = afterTurns([2]);
    const mean = (of: (n: number) => number): number =>
      batch.probability_n.reduce((sum, p, n) => sum + p * of(n) * A[n]!, 0);
    const id = (n: number): string => batch.trajectoryId[n]!;
    const minusOne = mean((n) => both.get(id(n))! - last.get(id(n))!);
    assertClose([mean((n) => both.get(id(n))!) - minusOne], [mean((n) => last.get(id(n))!)], 1e-12);
  });

  it("makes turn 1's gradient the exact gradient of J with the later turns already new", () => {
    const carry = afterTurns([2, 1]);
    const row = recipe("seeUpo", { gate: "unclipped" });
    const { dLogProb_ntl } = surrogateGradient(
      {
        ...batch,
        logProb_ntl: batch.logProb(old),
        oldLogProb_ntl: batch.logProb(old),
        advantage_ntl: Float64Array.from(A.flatMap((a) => [a, a, a])),
        carry,
        weight_ntl: Float64Array.from([...batch.probability_n].flatMap((p) => [p, p, p])),
      },
      row,
      [0],
    );
    // d J / d logit_b = sum_a dJ/dlogpi(a) (1[a = b] - pi(b)), against central differences of J in the logits.
    const pi = old.get("start")!;
    const perAction = pi.map((_, a) =>
      batch.all.reduce((sum, path, n) => sum - (path.actions[0] === a ? dLogProb_ntl[3 * n]! : 0), 0),
    );
    const total = perAction.reduce((a, b) => a + b, 0);
    const closed = pi.map((p, b) => perAction[b]! - p * total);
    const h = 1e-5;
    const numeric = pi.map((_, b) => {
      const at = (step: number): number => {
        const weights = pi.map((p, a) => p * Math.exp(a === b ? step : 0));
        const sum = weights.reduce((x, y) => x + y, 0);
        return value(game, new Map([...partly, ["start", weights.map((w) => w / sum)]]));
      };
      return (at(h) - at(-h)) / (2 * h);
    });
    assertClose(closed, numeric, 1e-9);
  });
});

describe("greedy turn-wise updates with exact expectations", function () {
  this.timeout(60_000);
  const optimum = (game: Game): number =>
    Math.max(...everyTrajectory(game, uniform(game)).all.map((x) => x.reward));

  it("in reverse with exact ratios reach the optimum in one sweep, on every tree", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const game = tree(seed, 4);
      const { J } = greedySweep(game, uniform(game), order("reverse"));
      assertClose([J.at(-1)!], [optimum(game)], 1e-12, `tree ${String(seed)}`);
      J.forEach((after, k) =>
        assert.ok(after >= (J[k - 1] ?? value(game, uniform(game))) - 1e-12, "monotone"),
      );
    }
  });

  it("need the exact ratios for that: clipped to [0.8, 1.2] or without them, 29 of 40 trees are missed", () => {
    const missed = (row: ReturnType<typeof order>): number => {
      let count = 0;
      for (let seed = 1; seed <= 40; seed++) {
        const game = tree(seed, 3);
        let rows = uniform(game);
        for (let k = 0; k < 6; k++) rows = greedySweep(game, rows, row).rows;
        if (value(game, rows) < optimum(game) - 1e-9) count += 1;
      }
      return count;
    };
    assert.equal(missed(order("reverse")), 0);
    assert.equal(missed(order("reverse", "clipped")), 29);
    const without = missed(order("reverse", "off"));
    assert.equal(without, 29);
    assert.equal(without, missed(simultaneous), "reverse without carry is the simultaneous update");
  });

  it("forward and simultaneous stop at the Nash equilibrium .6, reverse reaches 1", () => {
    // L pays .6; R then x pays 0, R then y pays 1. Uniform: (.6 + .6 + 0 + 1) / 4 = .55.
    const game: Game = {
      actions: 2,
      start: [{ probability: 1, state: 0 }],
      outcome: (_, taken) => (taken.length < 2 ? undefined : taken[0] === 0 ? 0.6 : taken[1]),
      context: (_, taken) => taken.join("") || "start",
    };
    assertClose([value(game, uniform(game))], [0.55], 1e-12);
    const twice = (row: ReturnType<typeof order>): number[] => {
      const first = greedySweep(game, uniform(game), row);
      return [first.J.at(-1)!, greedySweep(game, first.rows, row).J.at(-1)!];
    };
    // Reverse: turn 2 at R goes to y (J = .3 + .5 = .8), then turn 1 sees 1 > .6.
    assertClose(greedySweep(game, uniform(game), order("reverse")).J, [0.8, 1], 1e-12);
    assertClose(twice(order("reverse")), [1, 1], 1e-12);
    assertClose(twice(order("forward")), [0.6, 0.6], 1e-12);
    // Simultaneous takes y at R as well, but has already left R.
    assertClose(twice(simultaneous), [0.6, 0.6], 1e-12);
  });

  it("with memoryless turns: simultaneous falls from .336 to 0, reverse traps at .6, forward reaches 1", () => {
    const pay = [
      [0.6, 0],
      [0, 1],
    ];
    const game: Game = {
      actions: 2,
      start: [{ probability: 1, state: 0 }],
      outcome: (_, taken) => (taken.length < 2 ? undefined : pay[taken[0]!]![taken[1]!]),
      context: (_, taken) => `turn ${String(taken.length)}`,
    };
    const rows: Rows = new Map([
      ["turn 0", [0.7, 0.3]],
      ["turn 1", [0.3, 0.7]],
    ]);
    // .7 * .3 * .6 + .3 * .7 * 1 = .126 + .21
    assertClose([value(game, rows)], [0.336], 1e-12);
    assertClose([greedySweep(game, rows, simultaneous).J.at(-1)!], [0], 1e-12);
    assertClose([greedySweep(game, rows, order("reverse")).J.at(-1)!], [0.6], 1e-12);
    assertClose([greedySweep(game, rows, order("forward")).J.at(-1)!], [1], 1e-12);
  });

  it("with one shared parameter destroy J = 2 p (1 - p): .48 falls to 0 and stays there", () => {
    const game: Game = {
      actions: 2,
      start: [{ probability: 1, state: 0 }],
      outcome: (_, taken) => (taken.length < 2 ? undefined : taken[0] === taken[1] ? 0 : 1),
      context: () => "shared",
    };
    const rows: Rows = new Map([["shared", [0.4, 0.6]]]);
    assertClose([value(game, rows)], [0.48], 1e-12);
    assertClose(greedySweep(game, rows, order("reverse")).J, [0, 0], 1e-12);
  });

  it("in the note game: reverse pools at .7, forward signals and reaches 1", () => {
    // Context c (P(c = 0) = .7) is seen in turn 1 only, which writes a note; turn 2 sees the note and must answer c.
    const game: Game = {
      actions: 2,
      start: [
        { probability: 0.7, state: 0 },
        { probability: 0.3, state: 1 },
      ],
      outcome: (c, taken) => (taken.length < 2 ? undefined : taken[1] === c ? 1 : 0),
      context: (c, taken) => (taken.length === 0 ? `context ${String(c)}` : `note ${String(taken[0])}`),
    };
    const rows: Rows = new Map([
      ["context 0", [0.6, 0.4]],
      ["context 1", [0.4, 0.6]],
      ["note 0", [0.55, 0.45]],
      ["note 1", [0.45, 0.55]],
    ]);
    // .7 (.6 * .55 + .4 * .45) + .3 (.4 * .45 + .6 * .55) = .51
    assertClose([value(game, rows)], [0.51], 1e-12);
    const often = (row: ReturnType<typeof order>): number => {
      let at = rows;
      for (let k = 0; k < 3; k++) at = greedySweep(game, at, row).rows;
      return value(game, at);
    };
    assertClose([often(order("reverse"))], [0.7], 1e-12);
    assertClose([often(order("forward"))], [1], 1e-12);
  });
});

describe("what the group baseline estimates", () => {
  it("E[A | history, action] is Q - V(start): the true advantage shifted by V(history) - V(start)", () => {
    // Ladder, T = 3: stop pays .55, right goes on (1 at the end), wrong pays 0. V_3 = 1.55 / 3, V_2 = (.55 + V_3) / 3.
    const game: Game = {
      actions: 3,
      start: [{ probability: 1, state: 0 }],
      outcome: (_, taken) => {
        if (taken.length === 0) return undefined;
        const last = taken.at(-1)!;
        if (last === 1) return taken.length === 3 ? 1 : undefined;
        return last === 0 ? 0.55 : 0;
      },
      context: (_, taken) => `turn ${String(taken.length)}`,
    };
    const batch = everyTrajectory(game, uniform(game));
    const J = value(game, uniform(game));
    assertClose([J], [0.30185], 1e-4);
    const expected = (history: readonly number[], a: number): number => {
      let mass = 0;
      let sum = 0;
      batch.all.forEach((path, n) => {
        if (![...history, a].every((x, t) => path.actions[t] === x)) return;
        mass += batch.probability_n[n]!;
        sum += batch.probability_n[n]! * (path.reward - J);
      });
      return sum / mass;
    };
    assertClose(
      [0, 1, 2].map((a) => expected([1, 1], a)),
      [0.2481, 0.6981, -0.3019],
      1e-3,
    );
    const V = [J, (0.55 + 1.55 / 3) / 3, 1.55 / 3];
    assertClose(V, [0.3019, 0.3556, 0.5167], 1e-3);
    assertClose([expected([1, 1], 1) - (1 - V[2]!)], [V[2]! - V[0]!], 1e-12);
  });

  it("a length-normalized ratio is no density ratio: its clipped surrogate lowers J from .4657 to .3478", () => {
    // Three arms of one turn with Bernoulli outcomes; A = outcome - J; the arm's response has L tokens.
    const P = [33 / 60, 26 / 60, 1 / 60];
    const mu = [0.36584759, 0.6079753, 0.05918643];
    const lengths = [18, 1, 12];
    const J = (p: readonly number[]): number => p.reduce((sum, x, a) => sum + x * mu[a]!, 0);
    const clip = { kind: "clip", clipLow: 0.2, clipHigh: 0.2 } as const;
    const surrogate = (p: readonly number[], geometric: boolean): number =>
      p.reduce((sum, x, a) => {
        const ratio = (x / P[a]!) ** (geometric ? 1 / lengths[a]! : 1);
        const win = gate(clip, ratio, 1 - J(P)).objective;
        const loss = gate(clip, ratio, -J(P)).objective;
        return sum + P[a]! * (mu[a]! * win + (1 - mu[a]!) * loss);
      }, 0);
    const best = (geometric: boolean): number[] => {
      let top = { score: surrogate(P, geometric), p: P };
      for (let i = 1; i < 60; i++) {
        for (let j = 1; i + j < 60; j++) {
          const p = [i / 60, j / 60, (60 - i - j) / 60];
          const score = surrogate(p, geometric);
          if (score > top.score + 1e-12) top = { score, p };
        }
      }
      return top.p;
    };
    const geometric = best(true);
    assertClose(geometric, [1 / 60, 31 / 60, 28 / 60], 1e-12);
    assertClose([J(P), J(geometric)], [0.4657, 0.3478], 1e-4);
    assert.ok(J(best(false)) >= J(P), "the density ratio does not lower J");
  });

  it("mean-only advantages with a clip never lower J when the argmax is exact, on any tree", () => {
    const clip = { kind: "clip", clipLow: 0.2, clipHigh: 0.2 } as const;
    for (let seed = 1; seed <= 60; seed++) {
      const game = tree(seed, 2, 2);
      const old = randomRows(game, seed + 500);
      const batch = everyTrajectory(game, old);
      const J = value(game, old);
      const now: Rows = new Map();
      for (const [context, pi] of old) {
        const depth = context === "start" ? 0 : 1;
        const surrogate = (p: number): number =>
          batch.all.reduce((sum, path, n) => {
            if (path.contexts[depth] !== context) return sum;
            const a = path.actions[depth]!;
            const ratio = (a === 0 ? p : 1 - p) / pi[a]!;
            return sum + batch.probability_n[n]! * gate(clip, ratio, path.reward - J).objective;
          }, 0);
        let best = pi[0]!;
        for (let k = 0; k <= 400; k++) if (surrogate(k / 400) > surrogate(best)) best = k / 400;
        now.set(context, [best, 1 - best]);
      }
      assert.ok(value(game, now) >= J - 1e-12, `tree ${String(seed)}`);
    }
  });
});
