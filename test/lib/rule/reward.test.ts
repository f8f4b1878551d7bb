// Uses internals of turnwise/schema.
import assert from "node:assert/strict";
import { advantages, checklistReward, recipe, shapedReward } from "turnwise";
import {
  formatPenalty,
  overlongPenalty,
  recipeNeeds,
  seeUpoScoreReward,
  verifierReward,
} from "turnwise/internal/rule/index";
import { rewardLabels } from "turnwise/internal/rule/reward/index";
import { recipeSchema } from "turnwise/internal/rule/schema";
import { knobsOf } from "turnwise/internal/schema/index";
import { assertClose, batchOf } from "./support";

describe("overlongPenalty", () => {
  it("falls from 0 to -1 over the buffer, and stays at -1", () => {
    // maxLength 10, buffer 4: free up to 6; 7 -> -1/4; 8 -> -1/2; 10 -> -1; 11 -> -1.
    const o = { maxLength: 10, buffer: 4 };
    assertClose(
      [0, 6, 7, 8, 10, 11, 500].map((length) => overlongPenalty(length, o)),
      [0, 0, -0.25, -0.5, -1, -1, -1],
      0,
    );
  });

  it("counts the sampled tokens of a trajectory only, and shifts its advantage", () => {
    // Four and two tokens, maxLength 4, buffer 2: penalties -1 and 0, so returns 0 and 1.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 1], turnCount: [2, 1], tokens: 2 });
    const row = recipe("drGrpo", { reward: { overlong: { maxLength: 4, buffer: 2 } } });
    assertClose(advantages(batch, row).advantage_ntl, [-0.5, -0.5, -0.5, -0.5, 0.5, 0.5, 0, 0], 1e-12);
  });

  it("falls on the last turn under a critic", () => {
    // Values 0, gamma .5: row 0 has rewards 0 and 1 - 1 = 0; row 1 has 1. One turn earlier it would count twice.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 1], turnCount: [2, 1], tokens: 2 });
    const row = recipe("ppo", {
      advantage: { level: "turn", gamma: 0.5 },
      scale: "none",
      reward: { overlong: { maxLength: 4, buffer: 2 } },
    });
    const { advantage_ntl } = advantages(batch, row, new Float64Array(4));
    assertClose(advantage_ntl, [0, 0, 0, 0, 1, 1, 0, 0], 1e-12);
  });

  it("is added to the return and to the reward of each trajectory's own last turn", () => {
    // maxLength 3, buffer 2: free up to 1. Two tokens: (1 - 2) / 2 = -.5; four tokens: -1.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 1], turnCount: [1, 2], tokens: 2 });
    const row = recipe("grpo", { reward: { overlong: { maxLength: 3, buffer: 2 } } });
    const { return_n, reward_nt } = shapedReward(batch, row);
    assertClose(return_n, [0.5, 0], 0);
    assertClose(reward_nt, [0.5, 0, 0, 0], 0);
  });

  it("lets the penalty grow from the first token where the buffer is as long as the limit", () => {
    // free = 4 - 4 = 0: (0 - 2) / 4.
    assert.equal(overlongPenalty(2, { maxLength: 4, buffer: 4 }), -0.5);
  });

  it("refuses a buffer longer than the limit, or none at all", () => {
    assert.throws(() => overlongPenalty(3, { maxLength: 4, buffer: 5 }), {
      name: "RangeError",
      message: "Cannot compute the overlong penalty: buffer must be above 0 and at most maxLength 4, got 5.",
    });
    assert.throws(() => overlongPenalty(3, { maxLength: 4, buffer: 0 }), RangeError);
  });
});

describe("KL in the reward", () => {
  // One task, two trajectories: turns (1, 1) and (1) of two tokens; log pi_old - log pi_ref = .1 on every token.
  const bare = batchOf({ groupId: ["a", "a"], return_n: [1, 0], turnCount: [2, 1], tokens: 2 });
  const batch = {
    ...bare,
    oldLogProb_ntl: bare.oldLogProb_ntl.map((x, i) => (bare.mask_ntl[i] === 1 ? x : NaN)),
  };
  const reference = batch.oldLogProb_ntl.map((x) => x - 0.1);
  const reward = { kl: { coef: 0.5, estimator: "k1" } } as const;

  it("takes coef * k1 off the return for every sampled token", () => {
    // Four tokens: 1 - 4 * .05 = .8; two tokens: 0 - 2 * .05 = -.1.
    const { advantage_ntl } = advantages(batch, recipe("reinforce", { reward }), undefined, reference);
    assertClose(advantage_ntl, [0.8, 0.8, 0.8, 0.8, -0.1, -0.1, 0, 0], 1e-12);
  });

  it("takes it off where it falls, token by token, under a critic", () => {
    // Values 0, gamma = lambda = 1: the reward to go. Row 0: 1 - .05 from the last token back.
    const ppo = recipe("ppo", { reward, scale: "none" });
    const { advantage_ntl } = advantages(batch, ppo, new Float64Array(4), reference);
    assertClose(advantage_ntl, [0.8, 0.85, 0.9, 0.95, -0.1, -0.05, 0, 0], 1e-12);
    const turn = recipe("ppo", { reward, scale: "none", advantage: { level: "turn" } });
    const perTurn = advantages(batch, turn, new Float64Array(4), reference).advantage_ntl;
    assertClose(perTurn, [0.8, 0.8, 0.9, 0.9, -0.1, -0.1, 0, 0], 1e-12);
  });

  it("needs a reference log-prob for every cell", () => {
    assert.throws(() => advantages(batch, recipe("reinforce", { reward }), undefined, [0]), {
      name: "TypeError",
      message: "Cannot compute advantages: refLogProb_ntl must have 8 (2 x 2 x 2) entries, got 1.",
    });
  });

  it("asks for the reference", () => {
    const row = recipe("reinforcePlusPlus", { reward });
    assert.equal(recipeNeeds(row).reference, true);
    assert.throws(() => advantages(batch, row), {
      name: "TypeError",
      message:
        "Cannot compute advantages: recipe reinforcePlusPlus with reward.kl needs refLogProb_ntl, got none.",
    });
  });
});

describe("the reward cell of a row", () => {
  it("leaves the batch's own arrays in place where it shapes nothing", () => {
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 0] });
    const { return_n, reward_nt } = shapedReward(batch, recipe("grpo"));
    assert.equal(return_n, batch.return_n);
    assert.equal(reward_nt, batch.reward_nt);
  });

  it("names in the table only what is switched on", () => {
    const overlong = { maxLength: 4, buffer: 2 };
    const kl = { coef: 0.5, estimator: "k1", clamp: null, reference: "frozen" } as const;
    const step = { kind: "none" } as const;
    assert.deepEqual(rewardLabels({ overlong: null, kl: null, custom: null, step }), []);
    assert.deepEqual(rewardLabels({ overlong, kl: null, custom: null, step }), ["overlong penalty"]);
    assert.deepEqual(rewardLabels({ overlong: null, kl, custom: null, step }), ["KL in reward 0.5"]);
    const shown = { ...kl, reference: "shown" } as const;
    assert.deepEqual(rewardLabels({ overlong: null, kl: shown, custom: null, step }), [
      "KL in reward 0.5, to itself after a demonstration",
    ]);
  });

  it("counts lengths in tokens", () => {
    const lengths = knobsOf(recipeSchema).filter(({ path }) => path.startsWith("reward.overlong."));
    assert.deepEqual(
      lengths.map(({ path, unit }) => [path, unit]),
      [
        ["reward.overlong.maxLength", "tokens"],
        ["reward.overlong.buffer", "tokens"],
      ],
    );
  });
});

describe("checklistReward", () => {
  const items = [
    { id: "found", weight: 0.5 },
    { id: "booked", weight: 0.3, dependsOn: ["found"] },
    { id: "polite", weight: 0.2 },
  ];

  it("pays every item once, in the turn in which it first counts", () => {
    const reward = checklistReward(items, [["found", "polite"], ["found"], ["booked", "polite"]]);
    assertClose(reward, [0.7, 0, 0.3], 1e-12);
  });

  it("waits for dependencies to have counted in an earlier turn", () => {
    assertClose(checklistReward(items, [["booked"], ["found", "booked"], []]), [0, 0.5, 0], 1e-12);
    assertClose(checklistReward(items, [["booked"], ["found", "booked"], ["booked"]]), [0, 0.5, 0.3], 1e-12);
  });

  it("discounts delay from the turn in which the item could first count", () => {
    // found in turn 1: .5 * .5; booked possible from turn 2, done in turn 3: .3 * .5; polite in turn 3: .2 * .125.
    const reward = checklistReward(items, [[], ["found"], [], ["booked", "polite"]], { eta: 0.5 });
    assertClose(reward, [0, 0.25, 0, 0.175], 1e-12);
  });

  it("pays nothing for delay with eta 0", () => {
    // found in turn 0: .5 * 0^0 = .5; polite in turn 1: .2 * 0^1 = 0.
    assertClose(checklistReward(items, [["found"], ["polite"]], { eta: 0 }), [0.5, 0], 0);
  });

  it("takes items of weight 0, and items in any order", () => {
    const backwards = [
      { id: "c", weight: 1, dependsOn: ["b"] },
      { id: "b", weight: 0, dependsOn: ["a"] },
      { id: "a", weight: 0 },
    ];
    assertClose(checklistReward(backwards, [["a"], ["b"], ["c"]]), [0, 0, 1], 0);
  });

  it("refuses weights, ids and dependencies that cannot be right", () => {
    const refuses = (run: () => unknown, message: string): void => {
      assert.throws(run, { name: "RangeError", message });
    };
    refuses(
      () => checklistReward([{ id: "a", weight: 0.5 }], []),
      "Cannot compute the checklist reward: weights must be at least 0 and sum to 1, got sum 0.5.",
    );
    refuses(
      () => checklistReward([{ id: "a", weight: 1 }], [["b"]]),
      'Cannot compute the checklist reward: every id must be an item of the checklist, got "b".',
    );
    refuses(
      () => checklistReward([{ id: "a", weight: 1, dependsOn: ["a"] }], []),
      'Cannot compute the checklist reward: dependencies must not be circular, but item "a" waits for itself.',
    );
    refuses(
      () => checklistReward([{ id: "a", weight: 1 }], [], { eta: 2 }),
      "Cannot compute the checklist reward: eta must be from 0 to 1, got 2.",
    );
    refuses(
      () => checklistReward([{ id: "a", weight: 1 }], [], { eta: -0.5 }),
      "Cannot compute the checklist reward: eta must be from 0 to 1, got -0.5.",
    );
    refuses(
      () =>
        checklistReward(
          [
            { id: "a", weight: 0.5 },
            { id: "a", weight: 0.5 },
          ],
          [],
        ),
      "Cannot compute the checklist reward: item ids must be unique, but an id appears twice.",
    );
    refuses(
      () =>
        checklistReward(
          [
            { id: "a", weight: 1.5 },
            { id: "b", weight: -0.5 },
          ],
          [],
        ),
      "Cannot compute the checklist reward: weights must be at least 0 and sum to 1, got sum 1.",
    );
  });
});

describe("formatPenalty and verifierReward", () => {
  it("charge every malformed turn, and pay what the verifier found in the state", () => {
    assertClose([formatPenalty(0), formatPenalty(3), formatPenalty(2, -0.25)], [0, -0.3, -0.5], 1e-12);
    const state = { rows: ["paid"] };
    assert.equal(
      verifierReward(state, ({ rows }) => rows.includes("paid")),
      1,
    );
    assert.equal(
      verifierReward(state, ({ rows }) => rows.includes("sent")),
      0,
    );
    assert.equal(
      verifierReward(state, () => 0.25),
      0.25,
    );
    assert.throws(() => verifierReward(state, () => 7), {
      name: "RangeError",
      message: "Cannot compute the verifier reward: the verdict must be true, false or from 0 to 1, got 7.",
    });
    assert.throws(() => formatPenalty(1.5), {
      name: "RangeError",
      message: "Cannot compute the format penalty: malformedTurns must be an integer of at least 0, got 1.5.",
    });
  });

  it("take scores and factors at the ends of their ranges, and refuse what lies outside", () => {
    assert.equal(
      verifierReward(null, () => 0),
      0,
    );
    assert.equal(
      verifierReward(null, () => 1),
      1,
    );
    assert.equal(formatPenalty(3, 0), 0);
    // -.1 * 0 is -0, which would print as such.
    assert.equal(formatPenalty(0), 0);
    assert.throws(() => verifierReward(null, () => -0.5), {
      name: "RangeError",
      message:
        "Cannot compute the verifier reward: the verdict must be true, false or from 0 to 1, got -0.5.",
    });
    assert.throws(() => formatPenalty(-1), {
      name: "RangeError",
      message: "Cannot compute the format penalty: malformedTurns must be an integer of at least 0, got -1.",
    });
    assert.throws(() => formatPenalty(1, 0.5), {
      name: "RangeError",
      message: "Cannot compute the format penalty: perTurn must be at most 0, got 0.5.",
    });
  });

  it("shift a score as the released SeeUPO code does", () => {
    // Below 1 half the score; from 1 on 1 + 1 / 2 and 1 + 2 / 2.
    assertClose([0, 0.5, 1, 2].map(seeUpoScoreReward), [0, 0.25, 1.5, 2], 1e-12);
  });
});
