import assert from "node:assert/strict";
import {
  collect,
  createRng,
  createPolicy,
  enumerateReturn,
  GameEnv,
  make,
  optimalReturn,
  type Game,
} from "turnwise";
import { optimalPolicy } from "turnwise/exact";

const seen = { tokens: [2], text: "?" };

/** Two tokens a turn: "aa" pays 1, "bb" pays 1/2, the others nothing. */
const twoLetters: Game<number> = {
  spec: {
    id: "TwoLetters-v0",
    skill: "spell",
    vocabulary: ["a", "b"],
    observationVocabulary: ["?"],
    maxTurns: 1,
    maxTokens: 2,
    options: {},
  },
  start: () => [{ probability: 1, state: 0, observation: seen, reward: 0, terminated: false }],
  transition: (_, [first, second]) => [
    {
      probability: 1,
      state: 1,
      observation: seen,
      reward: first !== second ? 0 : first === 0 ? 1 : 0.5,
      terminated: true,
    },
  ],
  render: String,
};

describe("optimalPolicy()", () => {
  it("earns the optimum when it is not softened, in every world that it is asked about", () => {
    for (const id of ["LookUp-v0", "KeyDoor-v0", "Tiger-v0", "TMaze-v0"]) {
      const env = make(id);
      const J = enumerateReturn(env, optimalPolicy(env, { softness: 0 }), { gradient: false }).J;
      assert.ok(Math.abs(J - optimalReturn(env).J) < 1e-9, `${id}: ${J}`);
    }
  });

  it("knows the best end of a turn that began with a mistake", () => {
    const env = new GameEnv(twoLetters);
    const policy = optimalPolicy(env, { softness: 0.2 });
    const context = policy.contextOf({ observations: [seen], actions: [] });
    const at = (...prefix: number[]): number[] =>
      Array.from(policy.nextTokenLogProb(context, prefix), (x) => Math.round(Math.exp(x) * 1e9) / 1e9);
    // (1 - .2) on the best letter, and .2 / 2 on each.
    assert.deepEqual(at(), [0.9, 0.1]);
    assert.deepEqual(at(0), [0.9, 0.1]);
    assert.deepEqual(at(1), [0.1, 0.9]); // "bb" is the best that is left
  });

  it("divides its weight among tokens that are equally good", () => {
    const even: Game<number> = {
      ...twoLetters,
      transition: (s, a) => twoLetters.transition(s, [a[1]!, a[1]!]),
    };
    const policy = optimalPolicy(new GameEnv(even), { softness: 0 });
    const context = policy.contextOf({ observations: [seen], actions: [] });
    assert.deepEqual(Array.from(policy.nextTokenLogProb(context, []), Math.exp), [0.5, 0.5]);
    assert.deepEqual(Array.from(policy.nextTokenLogProb(context, [1]), Math.exp), [1, 0]);
  });

  it("reads the histories of another policy's batch, and gives them the log-probs that it gives its own", () => {
    const env = make("LookUp-v0");
    const teacher = optimalPolicy(env);
    const batch = collect(env, createPolicy(env.spec), { groups: 3, groupSize: 4, rng: createRng(1) });
    const { logProb_ntl, logProb_ntlv, entropy_ntl } = teacher.evaluate(
      batch,
      undefined,
      undefined,
      undefined,
      {
        distributions: true,
      },
    );
    const V = env.spec.vocabulary.length;
    batch.mask_ntl.forEach((mask, i) => {
      if (mask !== 1) return assert.equal(logProb_ntl[i], 0);
      const row = logProb_ntlv!.slice(i * V, (i + 1) * V);
      assert.equal(row[batch.token_ntl[i]!], logProb_ntl[i]);
      assert.ok(Math.abs(row.reduce((sum, x) => sum + Math.exp(x), 0) - 1) < 1e-12);
      assert.ok(Math.abs(entropy_ntl[i]! + row.reduce((sum, x) => sum + Math.exp(x) * x, 0)) < 1e-12);
    });
    const own = collect(env, teacher, { groups: 3, groupSize: 4, rng: createRng(1) });
    const again = teacher.evaluate(own).logProb_ntl;
    own.mask_ntl.forEach((mask, i) => mask === 1 && assert.equal(again[i], own.oldLogProb_ntl[i]));
    assert.ok(own.return_n.filter((R) => R === 1).length >= 10);
  });

  it("goes through a checkpoint's state and back, and refuses another's", () => {
    const env = make("LookUp-v0");
    const teacher = optimalPolicy(env, { softness: 0.1 });
    teacher.clone().restore(JSON.parse(JSON.stringify(teacher.state())));
    assert.throws(() => optimalPolicy(env).restore(teacher.state()), {
      name: "TypeError",
      message:
        "Cannot restore the optimal policy: the state must have softness 0.01, got policy optimal with softness 0.1.",
    });
  });

  it("refuses what it cannot be: a softness outside its range, and a history that cannot happen", () => {
    const env = make("LookUp-v0");
    assert.throws(() => optimalPolicy(env, { softness: 1 }), {
      name: "RangeError",
      message: "Cannot make the optimal policy: softness must be from 0 to below 1, got 1.",
    });
    assert.throws(() => optimalPolicy(env).nextTokenLogProb({ texts: ["nowhere"], actions: [] }, []), {
      name: "RangeError",
      message:
        'Cannot find the best action in LookUp-v0: the history must be possible, but no hidden state agrees with ["nowhere"].',
    });
  });
});
