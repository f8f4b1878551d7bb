import assert from "node:assert/strict";
import { type Batch, advantages, recipe, recipeNames, type RecipeOverrides } from "turnwise";
import { assertClose, batchOf } from "./support";

/** Two trajectories of one task: rewards (1, 2) and (4). */
function pair(extra: Partial<Batch> = {}): Batch {
  const batch = batchOf({ groupId: ["a", "a"], return_n: [3, 4], turnCount: [2, 1] });
  return { ...batch, reward_nt: Float64Array.of(1, 2, 4, NaN), ...extra };
}

const of = (
  name: "gigpo" | "grpo" | "ppo" | "hiper",
  overrides: RecipeOverrides,
  batch: Batch,
  values?: number[],
) => advantages(batch, recipe(name, overrides), values).advantage_ntl;

describe("gigpo", () => {
  const none = { regularizer: { klReference: null } } as const;

  it("adds the advantage among visits of the same observation to the episode's", () => {
    // Episode: R = 3, 4: -.5, .5. Returns to go, gamma .5: 1 + .5 * 2 = 2, then 2; 4.
    // Anchor "start": 2 and 4, mean 3: -1, 1. Anchor "end": one visit: 0.
    const batch = pair({ observation_nt: [["start", "end"], ["start"]] });
    const a = of("gigpo", { advantage: { gamma: 0.5 }, ...none }, batch);
    assertClose(a, [-1.5, -0.5, 1.5, 0], 1e-12);
  });

  it("pools two visits within one trajectory, and weighs the anchor part", () => {
    // All three visits share an anchor: 2, 2, 4, mean 8/3: -2/3, -2/3, 4/3; weight .3.
    const batch = pair({ observation_nt: [["x", "x"], ["x"]] });
    const a = of("gigpo", { advantage: { gamma: 0.5, weight: 0.3 }, ...none }, batch);
    assertClose(a, [-0.7, -0.7, 0.9, 0], 1e-12);
  });

  it("divides both parts by their own deviation with scale group", () => {
    // Two values each: deviation |difference| / sqrt 2, so every part is +-1 / sqrt 2.
    const batch = pair({ observation_nt: [["start", "end"], ["start"]] });
    const a = of(
      "gigpo",
      { scale: { kind: "group", epsilon: 0 }, advantage: { gamma: 0.5 }, ...none },
      batch,
    );
    assertClose(a, [-Math.SQRT2, -Math.SQRT1_2, Math.SQRT2, 0], 1e-12);
  });

  it("is the episode's where no observation is met twice", () => {
    const batch = pair({ observation_nt: [["p", "q"], ["r"]] });
    assertClose(of("gigpo", { advantage: { gamma: 0.5 }, ...none }, batch), [-0.5, -0.5, 0.5, 0], 1e-12);
  });

  it("does not pool the same observation of different tasks", () => {
    const two = batchOf({ groupId: ["a", "a", "b", "b"], return_n: [0, 1, 10, 11] });
    const batch = { ...two, observation_nt: two.groupId.map(() => ["same"]) };
    assertClose(of("gigpo", none, batch), [-1, 1, -1, 1], 1e-12);
  });
});

describe("perTurn", () => {
  it("centers each turn index by itself, on its own reward or on the reward to go", () => {
    // Turn 0: rewards 1, 4, mean 2.5; to go 3, 4, mean 3.5. Turn 1 has one member: 0.
    const row = (credit: "reward" | "rewardToGo") =>
      of("grpo", { advantage: { kind: "perTurn", credit }, scale: "none" }, pair());
    assertClose(row("reward"), [-1.5, 0, 1.5, 0], 1e-12);
    assertClose(row("rewardToGo"), [-0.5, 0, 0.5, 0], 1e-12);
  });

  it("ignores groups smaller than minGroup", () => {
    const advantage = { kind: "perTurn", minGroup: 3 } as const;
    assertClose(of("grpo", { advantage, scale: "none" }, pair()), [0, 0, 0, 0], 0);
  });
});

describe("mean by task and agent", () => {
  it("normalizes each agent's turns by themselves", () => {
    // planner: turns of returns 3 and 4, mean 3.5; caller: turns of returns 3 and 4, mean 3.5, over its own two turns.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [3, 4], turnCount: [2, 3] });
    const agentId_nt = [
      ["planner", "caller"],
      ["planner", "caller", "caller"],
    ];
    const advantage = { kind: "mean", groupBy: "taskAgent" } as const;
    const a = of("grpo", { advantage, scale: "none" }, { ...batch, agentId_nt });
    // caller: 3, 4, 4, mean 11/3.
    assertClose(a, [-0.5, -2 / 3, 0, 0.5, 1 / 3, 1 / 3], 1e-12);
  });

  it("refuses an agent with a single turn in a task", () => {
    const batch = { ...pair(), agentId_nt: [["x", "lonely"], ["x"]] };
    const advantage = { kind: "mean", groupBy: "taskAgent" } as const;
    assert.throws(() => of("grpo", { advantage, scale: "none" }, batch), {
      name: "RangeError",
      message:
        'Cannot compute group advantages: every group must have at least 2 members, but group ["a","lonely"] has 1.',
    });
  });
});

describe("mean by task and agent, of agents with a single turn", () => {
  const advantage = { kind: "mean", groupBy: "taskAgent" } as const;

  it("keeps the return where that is allowed", () => {
    // x: returns 3 and 4, mean 3.5; lonely: its return, 3.
    const batch = { ...pair(), agentId_nt: [["x", "lonely"], ["x"]] };
    const a = of("grpo", { advantage: { ...advantage, allowSingleton: true }, scale: "none" }, batch);
    assertClose(a, [-0.5, 3, 0.5, 0], 1e-12);
  });

  it("takes all turns of a batch without agents as those of one", () => {
    // Returns 3, 3 and 4, mean 10 / 3.
    assertClose(of("grpo", { advantage, scale: "none" }, pair()), [-1 / 3, -1 / 3, 2 / 3, 0], 1e-12);
    const one = batchOf({ groupId: ["a"], return_n: [1] });
    assert.throws(() => of("grpo", { advantage, scale: "none" }, one), {
      name: "RangeError",
      message:
        'Cannot compute group advantages: every group must have at least 2 members, but group ["a","agent"] has 1.',
    });
  });
});

describe("returnToGo", () => {
  // A trajectory of one token that earns 1, and one of nine that earns 0.
  const nine = batchOf({ groupId: ["a", "b"], return_n: [1, 0], turnCount: [1, 1], tokens: 9 });
  const lengths = { ...nine, mask_ntl: nine.mask_ntl.map((_, i) => (i > 0 && i < 9 ? 0 : 1)) };

  it("lets a long trajectory count in mean and deviation once for each of its tokens, as REINFORCE++ does", () => {
    // Ten tokens, one of them worth 1: mean .1, variance .09 with n: (1 - .1) / .3 = 3, (0 - .1) / .3 = -1/3.
    const { advantage_ntl } = advantages(lengths, recipe("reinforcePlusPlus"));
    assertClose(advantage_ntl.subarray(0, 1), [3], 2e-5);
    assertClose(advantage_ntl.subarray(9), new Array<number>(9).fill(-1 / 3), 2e-5);
    // As verl has it, n - 1: variance .1, .9 / sqrt .1 = 2.846.
    const verl = advantages(lengths, recipe("reinforcePlusPlus", { scale: { unbiased: true } }));
    assertClose(verl.advantage_ntl.subarray(0, 1), [2.846], 1e-3);
  });

  it("charges a token with its own KL and that of the tokens after it", () => {
    // Two turns of two tokens, rewards 1 and 2; k1 = log old - log ref is .1, .2, .3, .4, coefficient 1.
    const one = batchOf({ groupId: ["a"], return_n: [3], turnCount: [2], tokens: 2 });
    const batch = { ...one, reward_nt: Float64Array.of(1, 2) };
    const ref_ntl = batch.oldLogProb_ntl.map((x, i) => x - (i + 1) / 10);
    const row = recipe("reinforcePlusPlus", { scale: "none", reward: { kl: { coef: 1, estimator: "k1" } } });
    // From the end: 2 - .4 = 1.6; - .3 = 1.3; + 1 - .2 = 2.1; - .1 = 2.
    assertClose(advantages(batch, row, undefined, ref_ntl).advantage_ntl, [2, 2.1, 1.3, 1.6], 1e-12);
    // Discounted by 1/2 a token: 1.6; -.3 + .8 = .5; .8 + .25 = 1.05; -.1 + .525 = .425.
    const half = recipe(row, { advantage: { gamma: 0.5 } });
    assertClose(advantages(batch, half, undefined, ref_ntl).advantage_ntl, [0.425, 1.05, 0.5, 1.6], 1e-12);
  });
});

describe("biLevelGae", () => {
  it("pays a turn's last token the turn's return", () => {
    // One trajectory, two turns of two tokens, rewards 1 and 2, token values below; all gammas and lambdas .5 / 1.
    // Turn ends: V = .5, 0. high_1 = 2 - 0 = 2; delta_0 = 1 + .5 * 0 - .5 = .5, high_0 = .5 + .5 * 1 * 2 = 1.5.
    // Turn returns: 1.5 + .5 = 2 and 2 + 0 = 2.
    // Turn 0: last 2 - .5 = 1.5; first 0 + .5 * .5 - 1 = -.75, + .5 * 1.5 = 0. Turn 1: last 2; first 0 + 0 - .25 + 1 = .75.
    const one = batchOf({ groupId: ["a"], return_n: [3], turnCount: [2], tokens: 2 });
    const batch = { ...one, reward_nt: Float64Array.of(1, 2) };
    const row = recipe("ppo", {
      advantage: { kind: "biLevelGae", gamma: 0.5, lambda: 1, gammaTurn: 0.5, lambdaTurn: 1 },
      scale: "none",
    });
    const { advantage_ntl } = advantages(batch, row, { value_ntl: [1, 0.5, 0.25, 0] });
    assertClose(advantage_ntl, [0, 1.5, 0.75, 2], 1e-12);
  });
});

describe("hierarchical", () => {
  it("credits actions within the segment, subgoals per segment, switches with the return to the segment's end", () => {
    // Three turns, rewards 1, 2, 3; a segment starts at turn 2. gamma .5, both lambdas 1.
    // V_low = .5, 1, 2; V_high = 4, -, 6; V_term = 0, .25, 1. Tokens of a turn: action, subgoal, switch.
    const one = batchOf({ groupId: ["a"], return_n: [6], turnCount: [3], tokens: 3 });
    const batch: Batch = {
      ...one,
      reward_nt: Float64Array.of(1, 2, 3),
      switch_nt: Uint8Array.of(0, 0, 1),
      role_ntl: Uint8Array.of(0, 1, 2, 0, 1, 2, 0, 1, 2),
    };
    const knobs = { gamma: 0.5, lambdaTurn: 1, lambdaSegment: 1 };
    const row = recipe("hiper", { advantage: { ...knobs, whitenRoles: false } });
    const values = { value_nt: [0.5, 1, 2], valueHigh_nt: [4, 99, 6], valueTerm_nt: [0, 0.25, 1] };
    const { advantage_ntl } = advantages(batch, row, values);
    // Segment 2 (turn 2): action 3 - 2 = 1; subgoal 3 - 6 = -3; switch 3 - 1 = 2.
    // Segment 1 (turns 0, 1), next V_high 6:
    //   action: turn 1: 2 + 3 - 1 = 4; turn 0: 1 + .5 * 1 - .5 = 1, + .5 * 4 = 3.
    //   subgoal at turn 0: 1 + .5 * 2 + .25 * 6 - 4 = -.5, + .25 * -3 = -1.25; turn 1: none.
    //   switch: turn 1: 2 + 3 - .25 = 4.75; turn 0: 1 + .5 * 5 - 0 = 3.5.
    assertClose(advantage_ntl, [3, -1.25, 3.5, 4, 0, 4.75, 1, -3, 2], 1e-12);
    // Whitened with n: actions 3, 4, 1 have mean 8/3 and variance 14/9; subgoals -1.25, -3 mean -2.125 and deviation .875,
    // without the turn that starts no segment; switches 3.5, 4.75, 2 mean 41/12 and variance 182/144.
    const white = advantages(batch, recipe("hiper", { advantage: knobs }), values).advantage_ntl;
    const [a, s] = [Math.sqrt(14), Math.sqrt(182)];
    assertClose(white, [1 / a, 1, 1 / s, 4 / a, 0, 16 / s, -5 / a, -1, -17 / s], 1e-7);
  });

  it("without segments and roles is turn-level GAE", () => {
    const values = [0.5, 1, 2, NaN];
    const hiper = of(
      "hiper",
      { advantage: { gamma: 0.9, lambdaTurn: 0.8, whitenRoles: false } },
      pair(),
      values,
    );
    const turn = of(
      "ppo",
      { advantage: { level: "turn", gamma: 0.9, lambda: 0.8 }, scale: "none" },
      pair(),
      values,
    );
    assertClose(hiper, turn, 1e-12);
  });
});

describe("a turn without a sampled token", () => {
  it("gives its reward to the turn before, under a token-level critic", () => {
    // Three turns of one token, rewards 1, 2, 4, the second turn all tool output: rewards to go 7, -, 4.
    const one = batchOf({ groupId: ["a"], return_n: [7], turnCount: [3] });
    const batch = { ...one, reward_nt: Float64Array.of(1, 2, 4), mask_ntl: Uint8Array.of(1, 0, 1) };
    const values = [0.5, NaN, 0.25];
    assertClose(of("ppo", { scale: "none" }, batch, values), [6.5, 0, 3.75], 1e-12);
    const biLevel = { kind: "biLevelGae", gammaTurn: 1 } as const;
    assertClose(of("ppo", { scale: "none", advantage: biLevel }, batch, values), [6.5, 0, 3.75], 1e-12);
  });
});

describe("turns without a sampled token, in a later trajectory", () => {
  // Rewards 1, 2, 4 on three sampled turns; then 8, 16, 32, of which only the second turn is sampled: 8 falls on nothing,
  // 32 on the second turn. Rewards to go: 7, 6, 4; 48. All values .5.
  const two = batchOf({ groupId: ["a", "a"], return_n: [7, 56], turnCount: [3, 3] });
  const batch = {
    ...two,
    reward_nt: Float64Array.of(1, 2, 4, 8, 16, 32),
    mask_ntl: Uint8Array.of(1, 1, 1, 0, 1, 0),
  };
  const values = new Array<number>(6).fill(0.5);
  const expected = [6.5, 5.5, 3.5, 0, 47.5, 0];

  it("give their reward to the turn before it, and where there is none to nobody", () => {
    assertClose(of("ppo", { scale: "none" }, batch, values), expected, 1e-12);
    const biLevel = { kind: "biLevelGae", gammaTurn: 1 } as const;
    assertClose(of("ppo", { scale: "none", advantage: biLevel }, batch, values), expected, 1e-12);
  });

  it("leave an advantage of 0 and no statistics where nothing was sampled at all", () => {
    const silent = { ...batch, mask_ntl: new Uint8Array(6) };
    const { advantage_ntl, metrics } = advantages(silent, recipe("reinforce"));
    assertClose(advantage_ntl, [0, 0, 0, 0, 0, 0], 0);
    assert.deepEqual(metrics, {});
  });
});

describe("advantages of a batch that does not fit", () => {
  const refuses = (extra: Partial<Batch>, name: "TypeError" | "RangeError", message: string): void => {
    assert.throws(() => advantages(pair(extra), recipe("grpo")), { name, message });
  };

  it("are refused with the name of what is wrong", () => {
    const short = new Float64Array(1);
    const length = "1";
    refuses(
      { shape: [0, 2, 1] },
      "RangeError",
      "Cannot compute advantages: there must be at least one trajectory, got none.",
    );
    refuses(
      { mask_ntl: new Uint8Array(1) },
      "TypeError",
      `Cannot compute advantages: mask_ntl must have 4 (2 x 2 x 1) entries, got ${length}.`,
    );
    refuses(
      { reward_nt: short },
      "TypeError",
      `Cannot compute advantages: reward_nt must have 4 (2 x 2) entries, got ${length}.`,
    );
    refuses(
      { return_n: short },
      "TypeError",
      `Cannot compute advantages: return_n must have 2 (2) entries, got ${length}.`,
    );
    refuses(
      { groupId: ["a"] },
      "TypeError",
      `Cannot compute advantages: groupId must have 2 (2) entries, got ${length}.`,
    );
    refuses(
      { return_n: Float64Array.of(1, NaN) },
      "RangeError",
      "Cannot compute advantages: return_n must be finite, but entry 1 is NaN.",
    );
  });

  it("are refused where a critic or its rewards are not finite", () => {
    const row = recipe("ppo", { scale: "none" });
    assert.throws(() => advantages(pair(), row, [NaN, 0, 0, 0]), {
      name: "RangeError",
      message: "Cannot compute GAE: the values of a trajectory must be finite, but entry 0 is NaN.",
    });
    const broken = pair({ reward_nt: Float64Array.of(0, Infinity, 0, 0) });
    assert.throws(() => advantages(broken, row, [0, 0, 0, 0]), {
      name: "RangeError",
      message: "Cannot compute GAE: the rewards of a trajectory must be finite, but entry 1 is Infinity.",
    });
  });
});

describe("advantages of every recipe", () => {
  it("do not see rewards, values and log-probs of turns that were not taken", () => {
    const clean = batchOf({ groupId: ["a", "a", "a"], return_n: [1, 0, 3], turnCount: [3, 1, 2], tokens: 2 });
    const values = Array.from({ length: 9 }, (_, k) => Math.cos(k));
    const taken = (nt: number): boolean => nt % 3 < clean.turnCount_n[Math.floor(nt / 3)]!;
    for (const poison of [NaN, 1e9]) {
      const batch: Batch = {
        ...clean,
        agentId_nt: clean.groupId.map(() => ["x", "x", "x"]),
        reward_nt: clean.reward_nt.map((r, nt) => (taken(nt) ? r : poison)),
        oldLogProb_ntl: clean.oldLogProb_ntl.map((x, i) => (clean.mask_ntl[i] === 1 ? x : poison)),
      };
      for (const name of recipeNames) {
        const row = recipe(name);
        assert.deepEqual(
          advantages(
            batch,
            row,
            values.map((v, nt) => (taken(nt) ? v : poison)),
            clean.oldLogProb_ntl.map((x, i) => (clean.mask_ntl[i] === 1 ? x - 0.1 : poison)),
            { oldLogProb_ntlv: batch.oldLogProb_ntl, gradientSquare_n: [0.5, 1, 2] },
          ),
          advantages(
            clean,
            row,
            values,
            clean.oldLogProb_ntl.map((x) => x - 0.1),
            { oldLogProb_ntlv: clean.oldLogProb_ntl, gradientSquare_n: [0.5, 1, 2] },
          ),
          name,
        );
      }
    }
  });
});
