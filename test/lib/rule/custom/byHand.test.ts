import assert from "node:assert/strict";
import { advantages, custom, make, recipe, scriptedBatch, shapedReward } from "turnwise";
import { filterGroups, tokenWeights } from "turnwise/internal/rule/index";

const env = make("LookUp-v0");
/** One turn of two tokens that fails, two turns of two tokens that succeed, and the first again; [3, 2, 2]. */
const script = [
  [["ANSWER", "0"]],
  [
    ["LOOKUP", "0"],
    ["ANSWER", "3"],
  ],
  [["ANSWER", "0"]],
];
const one = scriptedBatch(env, script);
/** The third trajectory in a group of its own. */
const batch = { ...one, groupId: ["a", "a", "b"] };

describe("own functions, worked out by hand", () => {
  it('scale "group" divides by the deviation of the group\'s returns, and leaves equal returns alone', () => {
    const [failed, succeeded] = batch.return_n;
    const row = recipe("grpo", { advantage: custom("ones", () => [1, 2, 3]) });
    // Of two returns R and Q the deviation with n - 1 is |R - Q| / sqrt 2; group b has one return only.
    const divisor = Math.abs(failed! - succeeded!) / Math.SQRT2 + 1e-6;
    const { advantage_ntl } = advantages(batch, row);
    const wanted = [
      1 / divisor,
      1 / divisor,
      0,
      0,
      ...Array.from({ length: 4 }, () => 2 / divisor),
      3,
      3,
      0,
      0,
    ];
    advantage_ntl.forEach((x, i) => assert.ok(Math.abs(x - wanted[i]!) < 1e-12, `${i}: ${x}`));
  });

  it("a reward for a trajectory is paid on its last turn, one for turns on each", () => {
    const whole = shapedReward(batch, recipe("grpo", { reward: custom("whole", () => [1, 2, 3]) }));
    const plus = (added: readonly number[], to: Float64Array) => added.map((x, i) => x + to[i]!);
    assert.deepEqual([...whole.reward_nt], plus([1, 0, 0, 2, 3, 0], batch.reward_nt));
    assert.deepEqual([...whole.return_n], plus([1, 2, 3], batch.return_n));
    const turns = shapedReward(batch, recipe("grpo", { reward: custom("turns", () => [[1], [2, 4], [8]]) }));
    assert.deepEqual([...turns.reward_nt], plus([1, 0, 2, 4, 8, 0], batch.reward_nt));
    assert.deepEqual([...turns.return_n], plus([1, 6, 8], batch.return_n));
  });

  it("a turn that was taken is paid though none of its tokens was sampled", () => {
    const mask_ntl = batch.mask_ntl.map((flag, i) => (i >= 4 && i < 6 ? 0 : flag));
    const row = recipe("grpo", { reward: custom("turns", () => [[1], [2, 4], [8]]) });
    const { reward_nt } = shapedReward({ ...batch, mask_ntl }, row);
    assert.equal(reward_nt[2], 2 + batch.reward_nt[2]!);
  });

  it("weights may differ between the sampled tokens of a turn", () => {
    const { aggregate } = recipe("grpo", { aggregate: custom("later", ({ n, t }) => [n + 1, 10 * (t + 1)]) });
    const weights = tokenWeights(batch.shape, batch.mask_ntl, aggregate);
    assert.deepEqual([...weights], [1, 10, 0, 0, 2, 10, 2, 20, 3, 10, 0, 0]);
    // Two tokens of which the first is forced: one weight, which goes to the second.
    const mask_ntl = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    const { aggregate: forced } = recipe("grpo", { aggregate: custom("one", () => [7]) });
    assert.deepEqual([...tokenWeights(batch.shape, mask_ntl, forced)], [0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("what a turn counts is told", () => {
    const seen = new Map<string, object>();
    const { aggregate } = recipe("grpo", {
      aggregate: custom("watching", (turn) => (seen.set(`${turn.n}, ${turn.t}`, turn), 1)),
    });
    tokenWeights(batch.shape, batch.mask_ntl, aggregate);
    assert.deepEqual([...seen.keys()], ["0, 0", "1, 0", "1, 1", "2, 0"]);
    assert.deepEqual(seen.get("1, 1"), {
      n: 1,
      t: 1,
      N: 3,
      T: 2,
      L: 2,
      tokensOfTurn: 2,
      tokensOfTrajectory: 4,
      tokensAtTurn: 2,
      tokens: 8,
      turnsOfTrajectory: 2,
      turns: 4,
      trajectories: 3,
      trajectoriesAtTurn: 1,
    });
  });

  it("values are those before turns that were taken, and 0 elsewhere", () => {
    let seen: number[] = [];
    const watching = custom.advantage("watching", (_, { value_nt }) => ((seen = [...value_nt]), [0, 0, 0]));
    const row = recipe("ppo", { advantage: { by: watching, critic: true } });
    advantages(batch, row, [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(seen, [1, 0, 3, 4, 5, 0]);
  });

  it("groups are told with their members, returns and deviation", () => {
    let seen: readonly { readonly deviation: number }[] = [];
    const watching = custom.filter("watching", (groups) => ((seen = groups), [groups[1]!]));
    const { keep_n } = filterGroups(batch, recipe("grpo", { filter: watching }));
    assert.deepEqual([...keep_n], [0, 0, 1]);
    const [failed, succeeded, again] = batch.return_n;
    const told = seen.map(({ deviation: _, ...group }) => group);
    assert.deepEqual(told, [
      { id: "a", members: [0, 1], returns: [failed, succeeded] },
      { id: "b", members: [2], returns: [again] },
    ]);
    // Two returns R and Q: the population's deviation is |R - Q| / 2.
    assert.ok(Math.abs(seen[0]!.deviation - Math.abs(failed! - succeeded!) / 2) < 1e-12);
    assert.equal(seen[1]!.deviation, 0);
  });
});
