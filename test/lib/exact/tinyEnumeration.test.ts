// Uses internals of turnwise/batch, turnwise/env.
import assert from "node:assert/strict";
import {
  type EnumerableEnv,
  enumerateReturn,
  optimalReturn,
  score,
  type Policy,
  TabularPolicy,
} from "turnwise";
import { randomReturn, referenceReturns } from "turnwise/exact";
import type { ActionClass } from "turnwise/internal/env/index";
import { turnBatch } from "turnwise/internal/batch/turnBatch";
import { expectEnumerable } from "turnwise/internal/exact/enumerateReturn";
import { allTurns, enumerateTurns } from "turnwise/internal/exact/turns";
import { close } from "./close";
import { LOOK, ONE, seen, tinyEnv, ZERO } from "./tinyEnv";

const read = (...texts: string[]): ReturnType<typeof seen>[] => texts.map(seen);

/** A third of the starts is settled: whatever is done there pays .5. */
const settledStart = [
  [0, 0.6],
  [1, 0.2],
  ["done", 0.2],
] as const;

/** The environment as long as nobody asks what happens in the state "done": its bounds have said that already. */
function bounded(env: EnumerableEnv, most: (state: unknown) => number = () => Infinity): EnumerableEnv {
  return {
    ...env,
    transition(state, action) {
      assert.notEqual(state, "done");
      return env.transition(state, action);
    },
    returnBounds: (state) =>
      state === "done" ? { least: 0.5, most: 0.5 } : { least: -Infinity, most: most(state) },
  };
}

function withClasses(env: EnumerableEnv, classes: readonly ActionClass[] | undefined): EnumerableEnv {
  return { ...env, actionClasses: () => classes };
}

describe("an environment for a sheet of paper, under uniform turns", () => {
  // Last turn: V(0) = (-.1 + 1 + 0)/3 = .3, V(1) = (-.1 + 0 + 2)/3 = 19/30.
  // First turn: V(0) = (-.1 + .3 + 1)/3 = .4, V(1) = (-.1 + 19/30 + 2)/3 = 38/45.
  const J = 0.75 * 0.4 + (0.25 * 38) / 45;

  it("is worth 3/4 x .4 + 1/4 x 38/45, in 4/3 turns", () => {
    const env = tinyEnv();
    close(randomReturn(env), J, 12);
    const exact = enumerateReturn(env, new TabularPolicy(env.spec));
    close(exact.J, J, 12);
    close(exact.turns, 4 / 3, 12);
  });

  it("goes on from what was seen and done before: with three turns 3/4 x 13/30 + 1/4 x 247/270", () => {
    // First turn: V(0) = (-.1 + .4 + 1)/3, V(1) = (-.1 + 38/45 + 2)/3.
    const env = tinyEnv({ maxTurns: 3 });
    const exact = enumerateReturn(env, new TabularPolicy(env.spec));
    close(exact.J, (0.75 * 13) / 30 + (0.25 * 247) / 270, 12);
    close(randomReturn(env), exact.J, 12);
    assert.equal(exact.histories.length, 7); // one, two readings, four pairs of readings
  });

  it("counts an episode of one turn with what it got", () => {
    const env = tinyEnv({ maxTurns: 1 });
    const once = 0.75 * 0.3 + (0.25 * 19) / 30;
    close(randomReturn(env), once, 12);
    const exact = enumerateReturn(env, new TabularPolicy(env.spec));
    close(exact.J, once, 12);
    assert.equal(exact.turns, 1);
  });

  it("has three contexts; after reading 0 the state is 0 in 12 of 13 cases", () => {
    const env = tinyEnv();
    const { histories } = enumerateReturn(env, new TabularPolicy(env.spec));
    assert.deepEqual(
      histories.map(({ turn, observation }) => [turn, observation]),
      [
        [0, "?"],
        [1, "0"],
        [1, "1"],
      ],
    );
    const [first, zero, one] = histories;
    // P = 1/3 (3/4 x 4/5 + 1/4 x 1/5) = 13/60 and 1/3 (3/4 x 1/5 + 1/4 x 4/5) = 7/60.
    close(zero!.probability, 13 / 60, 12);
    close(one!.probability, 7 / 60, 12);
    close(zero!.value, (12 * 0.3 + 19 / 30) / 13, 12);
    [-0.1, 12 / 13, 2 / 13].forEach((q, i) => close(zero!.turnValue[i]!, q, 12));
    [-0.1, 3 / 7, 8 / 7].forEach((q, i) => close(one!.turnValue[i]!, q, 12));
    // LOOK at first: -.1, and then 3/4 x .3 + 1/4 x 19/30.
    close(first!.turnValue[LOOK]!, -0.1 + 0.225 + 19 / 120, 12);
    assert.deepEqual(
      first!.turns.map(({ tokens }) => tokens),
      [[LOOK], [ZERO], [ONE]],
    );
    close(first!.value, J, 12);
  });

  it("states whose bounds are equal count with that number", () => {
    // .8 of the episodes are as before.
    const expected = 0.8 * J + 0.2 * 0.5;
    close(randomReturn(tinyEnv({ start: settledStart })), expected, 12);
    close(randomReturn(bounded(tinyEnv({ start: settledStart }))), expected, 12);
  });

  it("classes of actions stand for their share", () => {
    const env = tinyEnv();
    // LOOK and ZERO only, as 1 : 3. Last turn: V(0) = (-.1 + 3)/4, V(1) = -.1/4; then (-.1 + V + 3 [s = 0])/4.
    const classes = [
      { action: [LOOK], share: 0.25 },
      { action: [ZERO], share: 0.75 },
    ];
    const last = [2.9 / 4, -0.1 / 4];
    const expected = 0.75 * ((2.9 + last[0]!) / 4) + 0.25 * ((-0.1 + last[1]!) / 4);
    close(randomReturn(withClasses(env, classes)), expected, 12);
    close(randomReturn(withClasses(env, undefined)), J, 12);
  });

  it("asks for the text of a state once, however often the environment hands the object out", () => {
    let asked = 0;
    const states = [0, 1].map((state) => ({ toJSON: () => (asked++, state) }));
    const env = tinyEnv();
    const index = (state: unknown): number => states.indexOf(state as never);
    const wrapped: EnumerableEnv = {
      ...env,
      start: () => env.start().map((outcome) => ({ ...outcome, state: states[outcome.state as number] })),
      transition: (state, action) =>
        env.transition(index(state), action).map((outcome) => ({ ...outcome, state })),
    };
    close(enumerateReturn(wrapped, new TabularPolicy(env.spec)).J, J, 12);
    assert.equal(asked, 2);
    // null is no object that could be remembered, and a state like any other.
    const nothing = tinyEnv({ start: [[null, 1]] });
    close(enumerateReturn(nothing, new TabularPolicy(nothing.spec)).J, randomReturn(nothing), 12);
  });

  it("refuses more pairs of state and context in a turn than asked for: there are 2, then 4", () => {
    const env = tinyEnv();
    const policy = new TabularPolicy(env.spec);
    close(enumerateReturn(env, policy, { maxNodes: 4 }).J, J, 12);
    assert.throws(() => enumerateReturn(env, policy, { maxNodes: 3 }), {
      name: "RangeError",
      message:
        "Cannot enumerate Tiny-v0: a turn must have at most 3 pairs of state and context, but turn 1 has 4.",
    });
  });

  it("leaves the gradient out when asked to", () => {
    const env = tinyEnv();
    const policy = new TabularPolicy(env.spec);
    assert.equal(enumerateReturn(env, policy, { gradient: false }).gradient.length, 0);
    assert.equal(enumerateReturn(env, policy).gradient.length, policy.parameters.length);
  });
});

describe("an environment for a sheet of paper, at its best", () => {
  it("looks first: .6 after reading 0, .4 after reading 1, less .1 makes .9, against .75 and .5 at once", () => {
    const optimum = optimalReturn(tinyEnv());
    close(optimum.J, 0.9, 12);
    assert.equal(optimum.beliefs, 3);
    assert.deepEqual(optimum.act({ observations: read("?"), actions: [] }), [LOOK]);
    // Reading 0: .6 for ZERO, 2 x .05 for ONE. Reading 1: .15 for ZERO, 2 x .2 for ONE.
    assert.deepEqual(optimum.act({ observations: read("?", "0"), actions: [[LOOK]] }), [ZERO]);
    assert.deepEqual(optimum.act({ observations: read("?", "1"), actions: [[LOOK]] }), [ONE]);
  });

  it("with one turn it says ZERO at once, for .75", () => {
    const optimum = optimalReturn(tinyEnv({ maxTurns: 1 }));
    close(optimum.J, 0.75, 12);
    assert.equal(optimum.beliefs, 1);
    assert.deepEqual(optimum.act({ observations: read("?"), actions: [] }), [ZERO]);
  });

  it("looks twice where there is time: .04, .16 and .64 of odds 1 : 4 leave less to guess than one look", () => {
    // After two looks the reading 00, 01 or 10, 11 has weights (.48, .01), (.12, .04) twice, (.03, .16):
    // .48 + .12 + .12 + .32 = 1.04 for ZERO, ZERO, ZERO, ONE, less .2 makes .84. After one look only: .9.
    // Best: a second look where it pays. After 0: .6 at once against .48 + .12 - .065; after 1: .4 at once against
    // .12 + .32 - .035 = .405.
    close(optimalReturn(tinyEnv({ maxTurns: 3 })).J, 0.6 + 0.405 - 0.1, 12);
  });

  it("counts settled states with their bounds and leaves them out of the belief", () => {
    const start = settledStart;
    close(optimalReturn(tinyEnv({ start })).J, 0.8 * 0.9 + 0.2 * 0.5, 12);
    const optimum = optimalReturn(bounded(tinyEnv({ start })));
    close(optimum.J, 0.8 * 0.9 + 0.2 * 0.5, 12);
    assert.deepEqual(optimum.act({ observations: read("?"), actions: [] }), [LOOK]);
    // Nothing is left to decide: any turn will do, and none is solved for.
    const settled = optimalReturn(bounded(tinyEnv({ start: [["done", 1]] })));
    assert.equal(settled.J, 0.5);
    assert.equal(settled.beliefs, 0);
    assert.deepEqual(settled.act({ observations: read("?"), actions: [] }), [LOOK]);
  });

  it("stops at the first action that reaches the upper bound, and not before", () => {
    const tried: number[] = [];
    const counting = (most: number): number => {
      const env = tinyEnv({ maxTurns: 1, start: [[0, 1]] });
      tried.length = 0;
      const watched: EnumerableEnv = {
        ...env,
        transition(state, action) {
          tried.push(action[0]!);
          return env.transition(state, action);
        },
      };
      return optimalReturn(bounded(watched, () => most)).J;
    };
    assert.equal(counting(1), 1);
    assert.deepEqual(tried, [LOOK, ZERO]);
    assert.equal(counting(2), 1);
    assert.deepEqual(tried, [LOOK, ZERO, ONE]);
  });

  it("chooses among classes of actions where there are some, the first of equals", () => {
    const env = tinyEnv();
    const share = 1 / 2;
    const classes = [ZERO, ONE].map((call) => ({ action: [call], share }));
    assert.equal(optimalReturn(withClasses(env, classes)).J, 0.75);
    const odds = tinyEnv({
      start: [
        [0, 2 / 3],
        [1, 1 / 3],
      ],
    });
    const even = optimalReturn(withClasses(odds, classes.toReversed()));
    assert.deepEqual(even.act({ observations: read("?"), actions: [] }), [ONE]);
  });

  it("knows an information state again, whatever the order in which its states were met", () => {
    const env = tinyEnv({ maxTurns: 1 });
    const start = (text: string, states: readonly unknown[]): ReturnType<EnumerableEnv["start"]> =>
      states.map((state) => ({
        probability: 1 / 4,
        state,
        observation: seen(text),
        reward: 0,
        terminated: false,
      }));
    const both: EnumerableEnv = { ...env, start: () => [...start("0", [0, 1]), ...start("1", [1, 0])] };
    const optimum = optimalReturn(both);
    // ONE pays 2 in half of the cases.
    assert.equal(optimum.J, 1);
    assert.equal(optimum.beliefs, 1);
  });

  it("refuses more information states than asked for, and a history that cannot happen", () => {
    close(optimalReturn(tinyEnv(), { maxBeliefs: 3 }).J, 0.9, 12);
    assert.throws(() => optimalReturn(tinyEnv(), { maxBeliefs: 1 }), {
      name: "RangeError",
      message: "Cannot solve Tiny-v0: it must have at most 1 information states.",
    });
    const message =
      "Cannot act in Tiny-v0: the history must be possible, but no hidden state agrees with it.";
    const { act } = optimalReturn(tinyEnv());
    for (const history of [
      { observations: read("0"), actions: [] },
      { observations: read("?", "?"), actions: [[LOOK]] },
      { observations: read("?", "0"), actions: [[ZERO]] },
      { observations: read("?", "x", "0"), actions: [[LOOK], [LOOK]] },
    ]) {
      assert.throws(() => act(history), { name: "RangeError", message });
    }
  });
});

describe("scores", () => {
  it("lie between random (0) and optimal (1), and stay there", () => {
    const reference = { random: -1, optimal: 3 };
    assert.deepEqual(
      [-2, -1, 0, 2, 3, 9].map((mean) => score(mean, reference)),
      [0, 0, 0.25, 0.75, 1, 1],
    );
  });

  it("are refused where nothing can be gained", () => {
    for (const optimal of [1, 0.5]) {
      assert.throws(() => score(1, { random: 1, optimal }), {
        name: "RangeError",
        message: `Cannot score a return: optimal must exceed random, got ${optimal} and 1.`,
      });
    }
  });

  it("refer to both agents, within the limit of information states", () => {
    const { random, optimal } = referenceReturns(tinyEnv());
    assert.deepEqual([random, optimal], [randomReturn(tinyEnv()), optimalReturn(tinyEnv()).J]);
    assert.throws(() => referenceReturns(tinyEnv(), { maxBeliefs: 1 }), { name: "RangeError" });
  });

  it("need an environment that lists its outcomes", () => {
    const closed = { spec: tinyEnv().spec } as EnumerableEnv;
    for (const ask of [expectEnumerable, randomReturn, optimalReturn]) {
      assert.throws(() => ask(closed), {
        name: "TypeError",
        message:
          "Cannot enumerate Tiny-v0: the environment must list its outcomes, but start and transition are missing.",
      });
    }
  });
});

describe("the turns of an action space", () => {
  const spec = { ...tinyEnv().spec, maxTokens: 2 };

  it("are V^L, or fewer with an end token, in the order of their tokens", () => {
    assert.deepEqual(
      allTurns(spec).map((turn) => turn.join("")),
      ["00", "01", "02", "10", "11", "12", "20", "21", "22"],
    );
    assert.deepEqual(
      allTurns({ ...spec, endToken: 1 }).map((turn) => turn.join("")),
      ["00", "01", "02", "1", "20", "21", "22"],
    );
  });

  it("are refused from half a million on, with their number", () => {
    const of = (size: number, maxTokens: number): number =>
      allTurns({ ...spec, vocabulary: new Array<string>(size).fill("x"), maxTokens }).length;
    assert.equal(of(500_000, 1), 500_000);
    assert.throws(() => of(1000, 2), {
      name: "RangeError",
      message: "Cannot list the turns of Tiny-v0: there must be at most 500000, but 1000 tokens make 1000^2.",
    });
  });

  it("have the product of their tokens' probabilities; those of probability 0 are left out", () => {
    // First token 0 or 1 with 1/4 and 3/4; after 0 it is 1 or 2 with 1/2; 1 ends the turn.
    const policy = {
      nextTokenLogProb: (_: unknown, prefix: readonly number[]) =>
        (prefix.length === 0 ? [0.25, 0.75, 0] : [0, 0.5, 0.5]).map(Math.log),
    } as unknown as Policy;
    const turns = enumerateTurns({ ...spec, endToken: 1 }, policy, "context");
    assert.deepEqual(
      turns.map(({ tokens }) => tokens.join("")),
      ["01", "02", "1"],
    );
    [1 / 8, 1 / 8, 3 / 4].forEach((p, i) => close(turns[i]!.probability, p, 12));
  });
});

describe("the batch behind an exact gradient", () => {
  it("holds one turn a trajectory, its tokens masked in and the rest padding", () => {
    assert.deepEqual(turnBatch([[7, 8], [9]], ["first", { second: 2 }], ["a", "b"], 3), {
      shape: [2, 1, 3],
      token_ntl: Int32Array.of(7, 8, 0, 9, 0, 0),
      mask_ntl: Uint8Array.of(1, 1, 0, 1, 0, 0),
      oldLogProb_ntl: new Float64Array(6),
      reward_nt: new Float64Array(2),
      return_n: new Float64Array(2),
      turnCount_n: Int32Array.of(1, 1),
      trajectoryId: ["0", "1"],
      groupId: ["0", "0"],
      observation_nt: [["a"], ["b"]],
      context_nt: [["first"], [{ second: 2 }]],
      truncated: [false, false],
    });
  });

  for (const [V, expected] of [
    [70, [4096, 804]],
    [64, [4096]],
  ] as const) {
    it(`is passed on in parts of 4096 turns at most: ${V} x ${V}`, () => {
      // V tokens twice make V^2 turns; the reward is 1 if the first token is the last of the vocabulary.
      const env = {
        ...tinyEnv({ maxTurns: 1, start: [[0, 1]], spec: { maxTokens: 2 } }),
        transition: (state: unknown, action: readonly number[]) => [
          {
            probability: 1,
            state,
            observation: seen("over"),
            reward: action[0] === V - 1 ? 1 : 0,
            terminated: true,
          },
        ],
      } as EnumerableEnv;
      const sizes: number[] = [];
      const policy = {
        parameters: new Float64Array(0),
        contextOf: () => "context",
        nextTokenLogProb: () => new Float64Array(V).fill(-Math.log(V)),
        // A parameter for each token that was met so far: their log-probs' derivatives, summed over places.
        backward(
          { token_ntl, shape, observation_nt }: ReturnType<typeof turnBatch>,
          { dLogProb_ntl }: { dLogProb_ntl: Float64Array },
        ) {
          sizes.push(shape[0]);
          for (const observations of observation_nt) assert.deepEqual(observations, ["?"]);
          const sum = new Float64Array(1 + Math.max(...token_ntl));
          token_ntl.forEach((token, i) => (sum[token]! += dLogProb_ntl[i]!));
          return sum;
        },
      } as unknown as Policy;
      const { gradient } = enumerateReturn(env, policy);
      assert.deepEqual(sizes, expected);
      assert.equal(gradient.length, V);
      // As a first token: V turns of weight (Q - 1/V)/V^2. As a second one they cancel.
      gradient.forEach((x, token) => close(x, ((token === V - 1 ? 1 : 0) - 1 / V) / V, 12));
    });
  }
});
