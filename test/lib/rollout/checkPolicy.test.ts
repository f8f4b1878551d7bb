import assert from "node:assert/strict";
import {
  autodiffPolicy,
  checkPolicy,
  createPolicy,
  LogLinearPolicy,
  make,
  TabularPolicy,
  type Policy,
  type PolicyOptions,
} from "turnwise";
import { displaySymbol } from "turnwise/plot";

const env = make("LookUp-v0");
const options = { seed: 1, initialScale: 1, valueHead: true } as const;

type Evaluated = ReturnType<Policy["evaluate"]>;
type Arguments<K extends "backward" | "evaluate" | "sample"> = Parameters<Policy[K]>;

/** A right policy whose methods a fault replaces; its clones have the fault, too. */
class Faulty extends LogLinearPolicy {
  constructor(private readonly fault: (policy: LogLinearPolicy) => Partial<Policy>) {
    super(env.spec, options);
    this.plant();
  }

  override clone(): LogLinearPolicy {
    const copy = new Faulty(this.fault);
    copy.parameters.set(this.parameters);
    return copy;
  }

  private plant(): void {
    Object.assign(this, this.fault(this));
  }
}

const right = LogLinearPolicy.prototype;
const scaled = (values: Float64Array, by: number): Float64Array => values.map((x) => by * x);

const faults: readonly [
  title: string,
  fault: (p: LogLinearPolicy) => Partial<Policy>,
  problem: RegExp,
  hint: string,
][] = [
  [
    "probabilities that sum to more than 1",
    (p) => ({
      nextTokenLogProb: (c, prefix) => right.nextTokenLogProb.call(p, c, prefix).map((x) => x + 0.1),
    }),
    /^logLinear: probabilities sum to 1\.105\d* after \[\] in context \d+ /,
    "take the logits through a log-softmax",
  ],
  [
    "a token too many in the vocabulary",
    (p) => ({
      nextTokenLogProb: (c, prefix) => Float64Array.from([...right.nextTokenLogProb.call(p, c, prefix), -99]),
    }),
    /nextTokenLogProb gave 7 entries after \[\]/,
    "one for each of 6 tokens",
  ],
  [
    "log-probs that are not those of the tokens drawn",
    (p) => ({
      sample: (...a: Arguments<"sample">) =>
        right.sample.apply(p, a).map((one) => ({ ...one, logProb: one.logProb.map((x) => x / 2) })),
    }),
    /evaluate gives the log-prob -\d.* where sample stored -\d.*, at trajectory 0, turn 0, token 0/,
    "both must use the same context and prefix",
  ],
  [
    "an entropy in bits",
    (p) => ({
      evaluate: (batch, rows, turns) => {
        const e = right.evaluate.call(p, batch, rows, turns);
        return { ...e, entropy_ntl: scaled(e.entropy_ntl, 1 / Math.LN2) };
      },
    }),
    /evaluate gives the entropy .* where -sum p log p is/,
    "natural logarithms, over the whole vocabulary",
  ],
  [
    "the likeliest token in place of a drawn one",
    (p) => ({
      sample: (histories, rngs, o) =>
        right.sample.call(
          p,
          histories,
          rngs.map((rng) => ({
            ...rng,
            categorical: (logProb) => Array.from(logProb).indexOf(Math.max(...Array.from(logProb))),
          })),
          o,
        ),
    }),
    /sample drew token \d in (0|1)\.000 of 600 turns, where its probability is 0\.\d+/,
    "draw with rng.categorical(logProb)",
  ],
  [
    "whole distributions of logits in the place of log-probs",
    (p) => ({
      evaluate: (...a: Arguments<"evaluate">) => {
        const told = right.evaluate.apply(p, a);
        return {
          ...told,
          ...(told.logProb_ntlv && { logProb_ntlv: told.logProb_ntlv.map((x) => x && x + 1) }),
        };
      },
    }),
    /evaluate gives the log-prob -?\d.* where nextTokenLogProb has -/,
    "logProb_ntlv is log-softmax",
  ],
  [
    "a backward pass that forgets the derivatives in the logits",
    (p) => ({
      backward: (...[batch, { dLogit_ntlv: _, ...gradient }, ...rest]: Arguments<"backward">) =>
        right.backward.call(p, batch, gradient, ...rest),
    }),
    /backward gives d distribution \/ d .* as 0.000, finite differences of evaluate give -?\d/,
    "this part is missing in backward",
  ],
  [
    "a temperature that is left out",
    (p) => ({ sample: (histories, rngs) => right.sample.call(p, histories, rngs) }),
    /at temperature 0\.5 sample stored -\d.* for token \d, which has -/,
    "divide the logits by the temperature, and store the log-probs of what was drawn from",
  ],
  [
    "one generator for all turns",
    (p) => ({
      sample: (histories, rngs, o) =>
        right.sample.call(
          p,
          histories,
          histories.map(() => rngs[0]!),
          o,
        ),
    }),
    /sample gave \[\d, \d\] for a history alone and \[\d, \d\] for it beside others/,
    "draw turn i from rngs[i] only",
  ],
  [
    "turns of one token where there are two",
    (p) => ({
      sample: (...a: Arguments<"sample">) =>
        right.sample
          .apply(p, a)
          .map((one) => ({ ...one, tokens: one.tokens.slice(0, 1), logProb: one.logProb.slice(0, 1) })),
    }),
    /sample gave the turn \[\d\]/,
    "a turn has 2 tokens",
  ],
  [
    "a context that counts the calls",
    (p) => {
      let calls = 0;
      return { contextOf: (history) => right.contextOf.call(p, history) + 1000 * calls++ };
    },
    /contextOf gave \d+ where sample had \d+, for the same history/,
    "it must depend on the history alone",
  ],
  [
    "a clone with the same parameters",
    (p) => ({
      clone: () => {
        const copy = new LogLinearPolicy(env.spec, options);
        Object.defineProperty(copy, "parameters", { get: () => p.parameters });
        copy.evaluate = (batch, rows, turns) => right.evaluate.call(p, batch, rows, turns);
        return copy;
      },
    }),
    /the original changes when its clone is trained/,
    "clone must copy the parameters",
  ],
  [
    "a gradient of the wrong sign",
    (p) => ({ backward: (...a: Arguments<"backward">) => scaled(right.backward.apply(p, a), -1) }),
    /backward gives d log-prob \/ d parameter \d+ \(place\[\d+\]\) as .*, finite differences of evaluate give/,
    "the sign is wrong",
  ],
  [
    "half a gradient",
    (p) => ({ backward: (...a: Arguments<"backward">) => scaled(right.backward.apply(p, a), 0.5) }),
    /backward gives d log-prob/,
    "backward is 0.500 times what it should be here",
  ],
  [
    "a block of parameters without gradient",
    (p) => ({
      backward: (...a: Arguments<"backward">) => right.backward.apply(p, a).map((x, i) => (i < 12 ? 0 : x)),
    }),
    /backward gives d log-prob \/ d parameter 0 \(place\[0\]\) as 0\.000/,
    "this part is missing in backward",
  ],
  [
    "an evaluation that was kept from before the update",
    (p) => {
      const kept = new Map<string, Evaluated>();
      return {
        evaluate: (batch, rows, turns) => {
          const key = `${batch.token_ntl.join()}${batch.context_nt.join()}${rows ? Array.from(rows).join() : ""}/${turns ? Array.from(turns).join() : ""}`;
          if (!kept.has(key)) kept.set(key, right.evaluate.call(p, batch, rows, turns));
          return kept.get(key)!;
        },
      };
    },
    /finite differences of evaluate give 0\.000/,
    "does evaluate read the parameters again at every call?",
  ],
  [
    "an entropy without gradient",
    (p) => ({
      backward: (batch, { dEntropy_ntl: _, ...rest }, rows, turns) =>
        right.backward.call(p, batch, rest, rows, turns),
    }),
    /backward gives d entropy .* as 0\.000/,
    "this part is missing in backward",
  ],
  [
    "a value without gradient",
    (p) => ({
      backward: (batch, { dValue_nt: _, ...rest }, rows, turns) =>
        right.backward.call(p, batch, rest, rows, turns),
    }),
    /backward gives d value .* as 0\.000/,
    "this part is missing in backward",
  ],
  [
    "rows and turns that are ignored by evaluate",
    (p) => ({ evaluate: (batch) => right.evaluate.call(p, batch) }),
    /evaluate\(batch, rows, turns\) gives the log-prob -.* at trajectory \d+, turn \d, outside of the rows and turns/,
    "look at the given rows and turns only, and leave the other cells 0",
  ],
  [
    "rows and turns that are ignored by backward",
    (p) => ({ backward: (batch, gradient) => right.backward.call(p, batch, gradient) }),
    /backward\(batch, gradient, rows, turns\) differs by \d.* from that of the same cells alone/,
    "leave out what lies outside of the rows and turns",
  ],
  [
    "numbers in masked cells",
    (p) => ({
      evaluate: (batch, rows, turns) => {
        const e = right.evaluate.call(p, batch, rows, turns);
        if (!rows) batch.mask_ntl.forEach((mask, cell) => mask || (e.logProb_ntl[cell] = -1));
        return e;
      },
    }),
    /evaluate gives the log-prob -1 in a masked cell, trajectory 0, turn 0, token 1/,
    "masked cells hold 0",
  ],
  [
    "a gradient that adds masked cells",
    (p) => ({
      backward: (batch, gradient, rows, turns) => {
        const result = right.backward.call(p, batch, gradient, rows, turns);
        result[0]! += 0 * gradient.dLogProb_ntl.reduce((sum, x) => sum + x, 0);
        return result;
      },
    }),
    /backward changes with what masked cells hold, such as NaN/,
    "skip cells with mask 0",
  ],
  [
    "a restore that does nothing",
    () => ({ restore: () => undefined }),
    /restore\(state\(\)\) evaluates differently/,
    "state must be plain JSON data that says everything, and restore must read it",
  ],
  [
    "a restore that takes any state",
    (p) => ({ restore: (state) => right.restore.call(p, { ...state, name: "logLinear" }) }),
    /restore takes the state of a policy named "logLinear\?"/,
    "throw a TypeError unless the names agree",
  ],
  [
    "a table that forgets a block",
    (p) => ({ parameterTable: () => right.parameterTable.call(p).slice(1) }),
    /parameterTable counts \d+ of \d+ parameters/,
    "list every block once",
  ],
];

describe("checkPolicy()", function () {
  this.timeout(60_000);

  const kinds: PolicyOptions[] = [
    {},
    { memory: "turnObservation" },
    { kind: "logLinear" },
    { kind: "logLinear", perTurn: true },
    ...(["mlp", "gru", "transformer"] as const).flatMap((kind) =>
      (["float64", "wasm"] as const).map((compute) => ({ kind, compute, width: 8 })),
    ),
  ];
  for (const kind of kinds) {
    for (const valueHead of [false, true]) {
      it(`passes ${JSON.stringify({ ...kind, valueHead })}`, () => {
        const card = checkPolicy({ ...kind, valueHead });
        assert.ok(card.ok);
        const value = card.rows.find(({ name }) => name === "gradient of the value");
        assert.equal(value!.ok, valueHead ? true : null);
      });
    }
  }

  it("passes the tables, where turns end early and observations have several tokens", () => {
    assert.ok(checkPolicy({ valueHead: true }, "Codebreaker-v0").ok);
    assert.ok(checkPolicy({ kind: "mlp", width: 8, compute: "wasm" }, "Sokoban-v0").ok);
  });

  it("passes a policy by its forward pass, and prints a card of what it saw", () => {
    const linear = autodiffPolicy({
      name: "linear",
      parameters: (s) => ({ W: [s.features, s.vocabulary], v: [s.features] }),
      logits: (tf, { W }, x) => tf.matMul(x.features, W),
      value: (tf, { v }, x) => tf.sum(tf.mul(x.features, v), 1),
    });
    const card = checkPolicy(linear);
    const lines = String(card[displaySymbol]()["text/plain"]).split("\n");
    assert.deepEqual(lines.slice(0, 2), ["Policy linear: 18 checks passed", "16 episodes of LookUp-v0"]);
    assert.match(lines[3]!, /^✓ probabilities sum to 1 {2,}off by/);
    assert.match(lines.at(-1)!, /^✓ table of parameters +W 156 x 6, v 156$/);
    assert.equal(card.rows.length, 18);
  });

  it("passes a block of attention with embeddings and layer norm, and custom features", () => {
    const attention = autodiffPolicy({
      name: "attention",
      parameters: (s) => ({
        E: [s.tokens + 1, 8],
        place: [s.window, 8],
        Q: [8, 8],
        K: [8, 8],
        V: [8, 8],
        out: [8, s.vocabulary],
      }),
      logits(tf, p, x) {
        const B = x.tokens.shape[0];
        const h = tf.add(tf.gather(p.E, tf.add(x.tokens, tf.scalar(1, "int32"))), p.place);
        const last = tf.slice(h, [0, x.sizes.window - 1], [-1, 1]);
        const times = (a: typeof h, W: typeof h): typeof h =>
          tf.reshape(tf.matMul(tf.reshape(a, [-1, 8]), W), [B, -1, 8]);
        const scores = tf.div(tf.matMul(times(last, p.Q), times(h, p.K), false, true), Math.sqrt(8));
        const read = tf.reshape(tf.matMul(tf.softmax(scores), times(h, p.V)), [B, 8]);
        const centered = tf.sub(read, tf.mean(read, 1, true));
        const scale = tf.sqrt(tf.add(tf.mean(tf.square(centered), 1, true), 1e-5));
        return tf.matMul(tf.relu(tf.div(centered, scale)), p.out);
      },
    });
    assert.ok(checkPolicy(attention, "LookUp-v0").ok);
    const counted = autodiffPolicy({
      parameters: (s) => ({ W: [s.features, s.vocabulary] }),
      features: ({ observations, actions }) => [1, actions.length, observations.at(-1)!.tokens.length],
      logits: (tf, { W }, x) => tf.matMul(x.features, W),
    });
    assert.ok(checkPolicy(counted, "Codebreaker-v0").ok); // turns of up to four tokens, which end early
  });

  it("leaves a ready policy as it is", () => {
    const policy = createPolicy(env.spec, { kind: "mlp", width: 4 });
    const before = policy.parameters.slice();
    assert.ok(checkPolicy(policy, env).ok);
    assert.deepEqual(policy.parameters, before);
  });

  it("finds that a ready policy shares its parameters with its clones, and leaves them as they were", () => {
    const policy = createPolicy(env.spec, { kind: "mlp", width: 4 });
    policy.clone = () => policy;
    const before = policy.parameters.slice();
    assert.throws(() => checkPolicy(policy, env), {
      name: "PolicyContractError",
      message: "mlp: the original changes when its clone is trained (clone must copy the parameters)",
    });
    assert.deepEqual(policy.parameters, before);
  });

  it("asks for the environment of a ready policy", () => {
    assert.throws(() => checkPolicy(createPolicy(env.spec)), {
      name: "TypeError",
      message:
        'Cannot check a ready policy: it must be followed by the environment that it was made for.\ncheckPolicy(policy, "LookUp-v0")',
    });
  });

  it("passes the policy into which the faults are planted", () => {
    assert.ok(checkPolicy(new Faulty(() => ({})), env).ok);
  });

  for (const [title, fault, problem, hint] of faults) {
    it(`finds ${title}`, () => {
      assert.throws(
        () => checkPolicy(() => new Faulty(fault), env),
        (error: Error) => {
          assert.equal(error.name, "PolicyContractError");
          assert.match(error.message, problem);
          assert.ok(error.message.endsWith(`(${hint})`), error.message);
          return true;
        },
      );
    });
  }

  it("finds a turn that goes on after its end token", () => {
    const world = make("Codebreaker-v0");
    const { endToken, maxTokens } = world.spec;
    class GoesOn extends TabularPolicy {
      override sample(...a: Arguments<"sample">): ReturnType<Policy["sample"]> {
        return super.sample(...a).map((one) => ({
          ...one,
          tokens: Array<number>(maxTokens).fill(endToken!),
          logProb: Array<number>(maxTokens).fill(-1),
        }));
      }
    }
    assert.throws(() => checkPolicy(() => new GoesOn(world.spec), world), {
      name: "PolicyContractError",
      message: `tabular: sample gave the turn [${Array<number>(maxTokens).fill(endToken!).join(", ")}] (a turn ends after token ${endToken} and has at most ${maxTokens} tokens)`,
    });
  });
});
