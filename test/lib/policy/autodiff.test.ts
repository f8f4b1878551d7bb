import assert from "node:assert/strict";
import {
  autodiffPolicy,
  collect,
  createPolicy,
  createRng,
  enumerateReturn,
  LogLinearPolicy,
  make,
  tf,
  train,
  trainSeeds,
  type Batch,
  type Policy,
} from "turnwise";
import { parameterTable, displaySymbol } from "turnwise/plot";
import { goalOf, learns, linear } from "./linear.js";

const env = make("LookUp-v0");

const sampled = (policy: Policy, seed = 1): Batch =>
  collect(env, policy, { groups: 4, groupSize: 4, rng: createRng(seed) });

const close = (a: ArrayLike<number>, b: ArrayLike<number>, tolerance: number): void => {
  assert.equal(a.length, b.length);
  for (let i = 0; i < a.length; i++) {
    assert.ok(Math.abs(a[i]! - b[i]!) < tolerance, `${i}: ${a[i]} against ${b[i]}`);
  }
};

describe("a policy by its forward pass alone", function () {
  this.timeout(60_000);

  it("is written and trained in eight lines", async () => {
    const mine = autodiffPolicy({
      parameters: ({ features, vocabulary }) => ({ W: [features, vocabulary] }),
      logits: (tf, { W }, x) => tf.matMul(x.features, W),
    });
    let records = 0;
    for await (const record of train({ env: "LookUp-v0", policy: mine, recipe: "grpo", updates: 3 })) {
      records = record.update;
    }
    assert.equal(records, 3);
  });

  // Without ratios, with a clip and several steps, with a critic, turn by turn, and by a teacher.
  for (const name of ["reinforce", "grpo", "ppo", "seeUpo", "onPolicyDistillation"] as const) {
    it(`can be trained with ${name} up to ${goalOf(name)} in LookUp-v0, whose optimum is 1, from one of three seeds`, () =>
      learns(name));
  }

  describe("written out as the log-linear policy", () => {
    const { vocabulary, observationVocabulary, maxTokens: L } = env.spec;
    const [V, O] = [vocabulary.length, observationVocabulary.length];
    // The features of a turn: the observation, then the last token of the turn before (V at the first turn).
    const rows = [L, L * O, L * (V + 1), L * O * (V + 1), L * (V + 1)];
    const written = autodiffPolicy({
      name: "written",
      parameters: Object.fromEntries(rows.map((count, kind) => [`w${kind}`, [count, V]])),
      features: ({ observations, actions }) => [
        observations.at(-1)!.tokens[0]! - V,
        actions.at(-1)?.at(-1) ?? V,
      ],
      logits(tf, p, x) {
        const [seen, last] = tf.unstack(tf.cast(x.features, "int32").slice([0, 0], [-1, 2]), 1);
        const token = x.tokens.slice([0, x.sizes.window - 1], [-1, 1]).reshape([-1]);
        const previous = tf.where(tf.less(token, 0), tf.scalar(V, "int32"), token);
        const cell = tf.add(tf.mul(x.place, O), seen!); // (j, observation)
        const before = (row: tf.Tensor): tf.Tensor => tf.cast(tf.add(tf.mul(row, V + 1), previous), "int32");
        const lastRow = tf.add(tf.mul(x.place, V + 1), last!);
        const at = [x.place, cell, before(x.place), before(cell), tf.cast(lastRow, "int32")];
        return tf.addN(at.map((row, kind) => tf.gather(p[`w${kind}`]!, tf.cast(row, "int32"))));
      },
    });
    const closed = new LogLinearPolicy(env.spec, { seed: 3, initialScale: 1 });
    const own = written(env);
    own.parameters.set(closed.parameters);
    const reencoded = (batch: Batch): Batch => ({
      ...batch,
      context_nt: batch.context_nt.map((turns) =>
        turns.map((context) => {
          const number = context as number; // (turn, observation, last token), packed
          return [Math.floor(number / (V + 1)) % O, number % (V + 1)];
        }),
      ),
    });
    const batch = sampled(closed);

    it("has its log-probs, entropies and distributions to 1e-5", () => {
      const [a, b] = [closed.evaluate(batch), own.evaluate(reencoded(batch))];
      close(b.logProb_ntl, a.logProb_ntl, 1e-5);
      close(b.entropy_ntl, a.entropy_ntl, 1e-5);
      assert.ok(Math.abs(enumerateReturn(env, own).J - enumerateReturn(env, closed).J) < 1e-5);
    });

    it("has its gradient to 1e-5, of log-probs and of entropies, for some rows and turns", () => {
      const rng = createRng(5);
      const dLogProb_ntl = Float64Array.from(batch.mask_ntl, () => rng.normal());
      const dEntropy_ntl = Float64Array.from(batch.mask_ntl, () => rng.normal());
      for (const gradient of [{ dLogProb_ntl }, { dLogProb_ntl, dEntropy_ntl }]) {
        close(own.backward(reencoded(batch), gradient), closed.backward(batch, gradient), 1e-5);
        const some = [[3, 0, 7], [1]] as const;
        close(
          own.backward(reencoded(batch), gradient, ...some),
          closed.backward(batch, gradient, ...some),
          1e-5,
        );
      }
    });

    it("has its exact policy gradient to 1e-5", () => {
      close(enumerateReturn(env, own).gradient, enumerateReturn(env, closed).gradient, 1e-5);
    });

    it("samples the same tokens from the same generators", () => {
      const first = sampled(own, 9);
      assert.deepEqual(first.token_ntl, sampled(closed, 9).token_ntl);
      close(first.oldLogProb_ntl, sampled(closed, 9).oldLogProb_ntl, 1e-5);
    });
  });

  it("notices that its parameters have moved, whoever moved them", () => {
    const policy = linear(env);
    const batch = sampled(policy);
    const before = policy.evaluate(batch).logProb_ntl;
    policy.parameters.forEach((x, i) => (policy.parameters[i] = x + 0.1 * Math.sin(i)));
    const fresh = policy.clone().evaluate(batch).logProb_ntl;
    assert.deepEqual(policy.evaluate(batch).logProb_ntl, fresh);
    assert.notDeepEqual(before, fresh);
  });

  it("asks for each distinct place once, as long as its parameters stay", () => {
    let asked: number[] = [];
    const counted = autodiffPolicy({
      parameters: (s) => ({ W: [s.features, s.vocabulary] }),
      logits(tf, { W }, x) {
        asked.push(x.tokens.shape[0]);
        return tf.matMul(x.features, W);
      },
    })(env);
    const batch = sampled(counted);
    counted.parameters[0]! += 1;
    asked = [];
    for (let k = 0; k < 3; k++) counted.evaluate(batch);
    // 16 trajectories of at most 2 turns of 2 tokens: the key of a place is all that was seen and written before it.
    const places = new Set<string>();
    batch.context_nt.forEach((turns, n) =>
      turns.forEach((context, t) => {
        places.add(`${String(context)}/`);
        places.add(`${String(context)}/${batch.token_ntl[(n * batch.shape[1] + t) * 2]}`);
      }),
    );
    assert.deepEqual(asked, [places.size]);
    assert.ok(places.size < batch.mask_ntl.reduce((sum, mask) => sum + mask, 0));
  });

  it("goes on from a checkpoint as if it had never stopped", async () => {
    const options = { env: "LookUp-v0", recipe: "ppo", groups: 2, groupSize: 4 } as const;
    const straight = linear(env, { seed: 1 });
    for await (const record of train({ ...options, policy: straight, updates: 4, seed: 1 })) void record;
    const run = train({ ...options, policy: linear, updates: 2, seed: 1 });
    for await (const record of run) void record;
    const resume = JSON.parse(JSON.stringify(run.checkpoint())) as ReturnType<typeof run.checkpoint>;
    const resumed = linear(env, { seed: 99 });
    for await (const record of train({ policy: resumed, updates: 4, resume })) void record;
    assert.deepEqual(resumed.parameters, straight.parameters);
  });

  it("is made again for each seed, from that seed", async () => {
    const runs = await trainSeeds({ env: "LookUp-v0", policy: linear, recipe: "grpo", updates: 1 }, 2);
    assert.equal(runs.runs.length, 2);
    const [a, b, again] = [1, 2, 1].map((seed) => linear(env, { seed }).parameters);
    assert.deepEqual(a, again);
    assert.notDeepEqual(a, b);
  });

  it("begins vectors at 0, matrices at draws of standard deviation 1 / sqrt(rows), and values as they are given", () => {
    const { parameters } = autodiffPolicy({
      parameters: {
        table: [400, 6],
        bias: [6],
        given: { shape: [2, 2], init: [1, 2, 3, 4] },
        drawn: { shape: [3], init: (rng) => 5 + rng.next() },
        one: { shape: [2], init: 7 },
      },
      logits: (tf, p, x) =>
        tf.add(
          tf.mul(tf.sum(Object.values(p).map((one) => tf.sum(one)) as never), tf.ones([x.place.size, 1])),
          tf.add(p.bias, tf.zeros([x.place.size, 6])),
        ),
    })(env);
    const table = parameters.subarray(0, 2400);
    const deviation = Math.sqrt(table.reduce((sum, x) => sum + x * x, 0) / 2400);
    assert.ok(Math.abs(deviation - 1 / 20) < 0.003, String(deviation)); // 1 / sqrt(400), within 4 standard errors
    assert.deepEqual(Array.from(parameters.subarray(2400, 2410)), [0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
    assert.ok(parameters.subarray(2410, 2413).every((x) => x >= 5 && x < 6));
    assert.deepEqual(Array.from(parameters.subarray(2413)), [7, 7]);
  });

  it("prints its parameters by the names that they were given", () => {
    assert.equal(
      parameterTable(linear(env))[displaySymbol]()["text/plain"],
      [
        "Parameters of the linear policy",
        "block  shape    count",
        "W      156 x 6  936", // 12 latest tokens, each one of 6 + 7
        "b      2 x 6    12",
        "v      156 x 1  156",
        "all             1104",
      ].join("\n"),
    );
  });

  it("is a card in a notebook, as every policy is", () => {
    const shown = (policy: Policy): unknown =>
      (policy as unknown as Record<symbol, () => Record<string, unknown>>)[displaySymbol]!()["text/plain"];
    assert.equal(
      shown(linear(env)),
      [
        "Policy linear",
        "1104 parameters",
        "· W  156 x 6 = 936",
        "· b  2 x 6 = 12",
        "· v  156 x 1 = 156",
      ].join("\n"),
    );
    for (const options of [{}, { kind: "logLinear" }, { kind: "gru", width: 4 }] as const) {
      const policy = createPolicy(env.spec, options);
      assert.match(String(shown(policy)), new RegExp(`^Policy ${policy.name}\n\\d+ parameters\n· `));
    }
  });

  it("leaves no tensor behind", () => {
    const policy = linear(env);
    const before = tf.memory().numTensors;
    const batch = sampled(policy);
    policy.backward(batch, { dLogProb_ntl: new Float64Array(batch.mask_ntl.length).fill(1) });
    enumerateReturn(env, policy);
    assert.equal(tf.memory().numTensors, before);
  });

  it("shows the latest tokens, the last one last, one-hot by place", () => {
    const seen: number[][][] = [];
    const policy = autodiffPolicy({
      window: 3,
      parameters: { W: [39, 6] },
      logits(tf, { W }, x) {
        seen.push(
          x.tokens.arraySync(),
          [Array.from(x.features.dataSync())],
          [Array.from(x.place.dataSync())],
        );
        return tf.matMul(x.features, W);
      },
    })(env);
    // An error (token 11) after LOOKUP 4, then LOOKUP once more; tokens 0 .. 5 are the policy's, 6 .. 12 of observations.
    policy.nextTokenLogProb([6, 1, 4, 11], [1]);
    const at = seen.findLastIndex((rows) => rows.length > 1);
    assert.deepEqual(seen[at]![0], [4, 11, 1]);
    const features = seen[at + 1]![0]!.slice(0, 39);
    assert.deepEqual(
      [...features.keys()].filter((i) => features[i] === 1),
      [4, 13 + 11, 26 + 1],
    );
    assert.equal(seen[at + 2]![0]![0], 1);
  });
});

describe("an own policy that is wrong", () => {
  interface X {
    readonly features: tf.Tensor;
  }
  type P = Record<string, tf.Tensor>;
  interface Options {
    readonly valueHead?: boolean;
    readonly [name: string]: unknown;
  }
  const matMul = (t: typeof tf, p: P, x: X): tf.Tensor => t.matMul(x.features, p["W"]!);
  const of = ({ valueHead = false, ...o }: Options): Policy =>
    autodiffPolicy({ name: "mine", parameters: { W: [156, 6] }, logits: matMul, ...o } as never)(env, {
      valueHead,
    });
  const history = { observations: [env.reset({ seed: 0 })[0]], actions: [] };
  const use = (o: Options) => (): void => void of(o).sample([history], [createRng(1)]);
  const cases: readonly [string, Options, string, string][] = [
    [
      "without parameters",
      { parameters: {} },
      "TypeError",
      'Cannot make policy "mine": parameters must name at least one, got {}.',
    ],
    [
      "with values for a shape",
      { parameters: { W: [0.5, 2] } },
      "TypeError",
      `Cannot make policy "mine": parameter W must be a shape such as [4, 3], or { shape, init }, got [0.5,2].`,
    ],
    [
      "with too few values",
      { parameters: { W: { shape: [2, 3], init: [1] } } },
      "TypeError",
      'Cannot make policy "mine": init of parameter W must have 6 values (2 x 3), got 1.',
    ],
    [
      "with a value that is no number",
      { parameters: { W: { shape: [2], init: [1, NaN] } } },
      "RangeError",
      'Cannot make policy "mine": init of parameter W must be finite, but value 1 is NaN.',
    ],
    [
      "without logits",
      { logits: undefined },
      "TypeError",
      'Cannot make policy "mine": logits must be a function, got undefined.',
    ],
    [
      "with an unknown option",
      { logit: matMul },
      "RangeError",
      'Cannot make policy "mine": unknown option "logit".\nDid you mean "logits"?',
    ],
    [
      "with a window of no tokens",
      { window: 0 },
      "RangeError",
      'Cannot make policy "mine": window must be an integer >= 1, got 0.',
    ],
    [
      "with a window beside features",
      { window: 3, features: () => [1] },
      "RangeError",
      'Cannot make policy "mine": window must be left out beside features, but it is 3.',
    ],
    [
      "with features that are no list",
      { features: () => 1 },
      "TypeError",
      'Cannot make policy "mine": features must return a list of numbers, got 1.',
    ],
    [
      "with logits of another shape",
      { logits: (t: typeof tf, p: P, x: X) => t.sum(matMul(t, p, x), 1) },
      "TypeError",
      'Cannot compute policy "mine": logits must return a tensor of shape [B, V] = [1, 6], got [1].',
    ],
    [
      "with logits that are numbers",
      { logits: () => [1, 2] },
      "TypeError",
      'Cannot compute policy "mine": logits must return a tensor of shape [B, V] = [1, 6], got an object.',
    ],
    [
      "with logits that come later",
      { logits: async () => Promise.resolve(1) },
      "TypeError",
      'Cannot compute policy "mine": logits must return a tensor of shape [B, V] = [1, 6], got a promise (leave out async).',
    ],
    [
      "whose shapes do not fit",
      { parameters: { W: [3, 6] } },
      "Error",
      'Cannot compute policy "mine": logits must not throw, but it threw "Error in matMul: inner shapes (156) and (3) of Tensors ' +
        'with shapes 1,156 and 3,6 and transposeA=false and transposeB=false must match."; ' +
        "the shapes are x.features [1, 156], x.tokens [1, 12], W [3, 6].",
    ],
    [
      "with a misspelled parameter",
      { logits: (t: typeof tf, p: P, x: X) => t.matMul(x.features, p["w"]!) },
      "RangeError",
      'Cannot compute the logits of policy "mine": a parameter must be one of W, got "w".\nDid you mean "W"?',
    ],
    [
      "with a logit that is no number",
      { logits: (t: typeof tf, p: P, x: X) => t.sqrt(t.sub(t.relu(matMul(t, p, x)), 1)) },
      "RangeError",
      'Cannot compute policy "mine": logits must be finite, but the logit of token 0 after [] in the turn is NaN.',
    ],
    [
      "with a logit of minus infinity",
      { logits: (t: typeof tf, p: P, x: X) => t.log(t.relu(t.sub(matMul(t, p, x), 9))) },
      "RangeError",
      'Cannot compute policy "mine": logits must be finite, but the logit of token 0 after [] in the turn is -Infinity.\nTo rule a token out, give it a logit of -1e9.',
    ],
    [
      "whose logits forget a parameter",
      { parameters: { W: [156, 6], b: [6] } },
      "RangeError",
      'Cannot train policy "mine": logits must depend on every parameter through tensor operations, but no gradient reaches b.',
    ],
    [
      "whose logits leave the tensors",
      { logits: (t: typeof tf, p: P, x: X) => t.tensor(matMul(t, p, x).arraySync() as number[][]) },
      "RangeError",
      'Cannot train policy "mine": logits must depend on every parameter through tensor operations, but no gradient reaches W.',
    ],
    [
      "that keeps a tensor",
      { logits: (t: typeof tf, p: P, x: X) => t.keep(matMul(t, p, x)) },
      "Error",
      'Cannot compute policy "mine": no tensor may outlive the call, but 1 is kept (by tf.keep or tf.variable in logits or value).',
    ],
    [
      "with a value of another shape",
      { value: (t: typeof tf, p: P, x: X) => matMul(t, p, x) },
      "TypeError",
      'Cannot compute policy "mine": value must return a tensor of shape [B] = [1] or [B, 1], got [1, 6].',
    ],
    [
      "without a value for a critic",
      { valueHead: true, value: undefined },
      "TypeError",
      'Cannot make policy "mine" for this rule: a rule with a critic needs a value. Add value: (tf, p, x) => a tensor [B].',
    ],
  ];
  for (const [title, o, name, message] of cases) {
    it(`${title} is refused in a sentence`, () => {
      assert.throws(use(o), { name, message });
    });
  }

  it("with features of another length at a later turn is refused in a sentence", () => {
    const policy = of({
      parameters: { W: [7, 6] },
      features: ({ actions }: { actions: unknown[] }) => Array(actions.length + 1).fill(1),
    });
    const later = { observations: [history.observations[0]!, history.observations[0]!], actions: [[1, 2]] };
    assert.throws(() => policy.contextOf(later), {
      name: "TypeError",
      message:
        'Cannot use policy "mine": features must return 1 finite numbers for every history, got [1,1].',
    });
  });

  it("or made by a function that returns none, is refused by train", async () => {
    const failing = async (policy: unknown): Promise<unknown> =>
      train({ env: "LookUp-v0", recipe: "grpo", updates: 1, policy } as never).next();
    await assert.rejects(
      failing(function mine() {
        return undefined;
      }),
      {
        name: "TypeError",
        message: "Cannot train: the function mine must return a policy, got undefined.",
      },
    );
    await assert.rejects(
      failing(async () => linear(env)),
      {
        message:
          "Cannot train: the function of policy must return a policy, got a promise (leave out async).",
      },
    );
  });
});
