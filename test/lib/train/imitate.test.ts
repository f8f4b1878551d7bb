import assert from "node:assert/strict";
import { createPolicy, createRng, imitate, make, NeuralPolicy, type Env, type Policy } from "turnwise";
import { demonstrator } from "turnwise-course/language-model";
import type { ImitateOptions } from "turnwise/internal/train/imitate/options";

const calculator = (): Env => make("Calculator-v0", { syntax: "digits" });
const network = (env: Env): Policy =>
  new NeuralPolicy(env.spec, { kind: "transformer", width: 4, layers: 1, heads: 1, window: 40, seed: 3 });

/** A policy that goes on as `own`, with another `evaluate`. */
function watched(own: Policy, evaluate: (ask: Policy["evaluate"]) => Policy["evaluate"]): Policy {
  const ask: Policy["evaluate"] = (...given) => own.evaluate(...given);
  return new Proxy(own, {
    get: (of, name) => {
      if (name === "evaluate") return evaluate(ask);
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === "function" ? (value.bind(of) as unknown) : value;
    },
  });
}

describe("imitate", () => {
  it("lowers the cross-entropy as worked out by hand: two arms, one step of gradient descent", async () => {
    const env = make("BiArmBandit-v0");
    const policy = createPolicy(env.spec);
    const teacher = (): number[] => [0];
    const { losses, turns, tokens } = await imitate(env, policy, {
      ...{ teacher, episodes: 1, steps: 2, learningRate: 1 },
    });
    // p = (1/2, 1/2), loss log 2. d loss / d logits = p - (1, 0) = (-1/2, 1/2), so that the logits become (1/2, -1/2):
    // p = 1 / (1 + e^-1), loss log(1 + e^-1).
    assert.ok(Math.abs(losses[0]! - Math.log(2)) < 1e-12, `${losses[0]}`);
    assert.ok(Math.abs(losses[1]! - Math.log(1 + Math.exp(-1))) < 1e-12, `${losses[1]}`);
    assert.deepEqual([turns, tokens], [1, 1]);
  });

  it("takes the optimizer that it is told, by default Adam at .01, worked out by hand on two arms", async () => {
    const env = make("BiArmBandit-v0");
    const secondLoss = async (options: Pick<ImitateOptions, "optimizer">): Promise<number> => {
      const once = { teacher: () => [0], episodes: 1, steps: 2 };
      return (await imitate(env, createPolicy(env.spec), { ...once, ...options })).losses[1]!;
    };
    // Adam's first step moves each logit by its rate: they become (rate, -rate), and the loss log(1 + e^(-2 rate)).
    const after = (rate: number): number => Math.log(1 + Math.exp(-2 * rate));
    assert.ok(
      Math.abs((await secondLoss({ optimizer: { kind: "adam", learningRate: 0.1 } })) - after(0.1)) < 1e-8,
    );
    assert.ok(Math.abs((await secondLoss({})) - after(0.01)) < 1e-8);
    // Plain gradient descent moves them by half its rate.
    assert.ok(
      Math.abs((await secondLoss({ optimizer: { kind: "sgd", learningRate: 0.5 } })) - after(0.25)) < 1e-12,
    );
  });

  it("takes the policy to its teacher, and the loss towards 0 where the teacher is sure", async () => {
    const env = make("KeyDoor-v0");
    const policy = createPolicy(env.spec, { kind: "tabular" });
    const { losses } = await imitate(env, policy, {
      teacher: ({ observations }) => [observations[0]!.tokens[0]! - 5],
      episodes: 40,
      steps: 200,
      learningRate: 20,
      rng: createRng(0),
    });
    // The first loss is that of the uniform policy: log 5.
    assert.ok(Math.abs(losses[0]! - Math.log(5)) < 1e-12);
    assert.ok(losses.at(-1)! < 0.05, `${losses.at(-1)}`);
  });

  it("moves a network down the slope of its loss, as central differences give it", async () => {
    const env = calculator();
    const teacher = demonstrator(env, { skill: 0.5 });
    const once = { teacher, episodes: 4, steps: 1, seed: 2 };
    const lossOf = async (policy: Policy): Promise<number> =>
      (await imitate(env, policy.clone(), { ...once, learningRate: 1e-9 })).losses[0]!;
    const policy = network(env);
    const moved = policy.clone();
    await imitate(env, moved, { ...once, learningRate: 0.1 });
    const h = 1e-5;
    for (let i = 7; i < policy.parameters.length; i += 97) {
      const [up, down] = [policy.clone(), policy.clone()];
      up.parameters[i]! += h;
      down.parameters[i]! -= h;
      const slope = ((await lossOf(up)) - (await lossOf(down))) / (2 * h);
      const step = policy.parameters[i]! - moved.parameters[i]!;
      assert.ok(Math.abs(step - 0.1 * slope) < 1e-8, `weight ${i}: ${step} and ${0.1 * slope}`);
    }
  });

  it("looks at the teacher's tokens alone: numbers that are not finite outside of the mask change nothing", async () => {
    const env = calculator();
    const options = { teacher: demonstrator(env, { skill: 0.5 }), episodes: 6, steps: 3, seed: 1 };
    const planted: Policy = watched(network(env), (ask) => (batch, ...rest) => {
      const found = ask(batch, ...rest);
      const logProb_ntl = found.logProb_ntl.map((x, i) => (batch.mask_ntl[i] === 1 ? x : NaN));
      return { ...found, logProb_ntl };
    });
    const plain = network(env);
    const [a, b] = [await imitate(env, planted, options), await imitate(env, plain, options)];
    assert.deepEqual(a.losses, b.losses);
    assert.deepEqual(planted.parameters, plain.parameters);
  });

  it("sees every turn once before it sees one again", async () => {
    const env = calculator();
    const seen: unknown[] = [];
    const policy = watched(network(env), (ask) => (batch, ...rest) => {
      seen.push(
        ...batch.context_nt.flat().map((context, n) => JSON.stringify([context, batch.token_ntl[n]])),
      );
      return ask(batch, ...rest);
    });
    const teacher = demonstrator(env, { skill: 0.5 });
    const { turns } = await imitate(env, policy, { teacher, episodes: 9, steps: 40, turnsPerStep: 4 });
    const pass = (k: number): unknown[] => seen.slice(k * turns, (k + 1) * turns);
    assert.ok(seen.length >= 2 * turns);
    assert.notDeepEqual(pass(0), pass(1));
    assert.deepEqual(contextsOf(pass(0)), contextsOf(pass(1)));
  });

  it("keeps what the policy has learned when it is stopped: as many steps as were taken, and no more", async () => {
    const env = calculator();
    const options = { teacher: demonstrator(env, { skill: 0.5 }), episodes: 6, seed: 1 };
    const three = network(env);
    await imitate(env, three, { ...options, steps: 3 });
    const stop = new AbortController();
    let steps = 0;
    const policy = watched(network(env), (ask) => (...given) => {
      if (++steps === 3) stop.abort();
      return ask(...given);
    });
    const found = await imitate(env, policy, { ...options, steps: 50, signal: stop.signal });
    assert.equal(found.losses.length, 3);
    assert.ok(found.stopped);
    assert.match(found.toString(), /3 of 50, then stopped/);
    assert.deepEqual(policy.parameters, three.parameters);
  });

  it("ends at a cell's interrupt, and says what is left", async () => {
    const env = calculator();
    const session = Symbol.for("turnwise.session");
    const place = globalThis as Record<symbol, unknown>;
    const listeners: (() => void)[] = [];
    let unlistened = 0;
    const notes: string[] = [];
    const warn = console.warn;
    console.warn = (note: string) => notes.push(note);
    place[session] = {
      display: () => undefined,
      onInterrupt: (run: () => void) => {
        listeners.push(run);
        return () => unlistened++;
      },
    };
    try {
      let steps = 0;
      const policy = watched(network(env), (ask) => (...given) => {
        if (++steps === 2) for (const interrupt of listeners) interrupt();
        return ask(...given);
      });
      const teacher = demonstrator(env, { skill: 0.5 });
      const { losses } = await imitate(env, policy, { teacher, episodes: 6, steps: 50 });
      assert.equal(losses.length, 2);
    } finally {
      Reflect.deleteProperty(place, session);
      console.warn = warn;
    }
    assert.deepEqual(notes, [
      "Interrupted: 2 of 50 steps are taken, and the policy keeps what it has learned.",
    ]);
    assert.equal(unlistened, 1);
  });

  it("refuses what it cannot learn from, and leaves the policy as it was", async () => {
    const env = make("KeyDoor-v0");
    const policy = createPolicy(env.spec);
    const options = { teacher: () => [0], episodes: 1, steps: 1 };
    await assert.rejects(imitate(env, policy, { ...options, episodes: 0 }), {
      message: "Cannot imitate: episodes must be an integer of at least 1, got 0.",
    });
    await assert.rejects(imitate(env, policy, { ...options, teacher: () => [0, 1] }), {
      name: "RangeError",
      message:
        /^Cannot imitate: each turn of the teacher must be in TokenSequence\(.*\), but after ".*" it is \[0,1\]\.$/,
    });
    await assert.rejects(imitate(env, policy, { ...options, learningRate: 1, optimizer: "sgd" }), {
      name: "TypeError",
      message:
        "Cannot imitate: learningRate belongs to plain gradient descent and must come without optimizer, " +
        'got 1 and "sgd".',
    });
    await assert.rejects(imitate(env, policy, { ...options, step: 1 } as never), {
      name: "RangeError",
      message: /unknown option "step"\.\nDid you mean "steps"\?$/,
    });
    await assert.rejects(imitate(env, policy, { ...options, teacher: 3 } as never), {
      name: "TypeError",
      message: "Cannot imitate: teacher must be a function, got 3.",
    });
    const broken = watched(network(calculator()), (ask) => (...given) => {
      const found = ask(...given);
      return { ...found, logProb_ntl: found.logProb_ntl.map(() => NaN) };
    });
    const before = broken.parameters.slice();
    const teacher = demonstrator(calculator(), { skill: 0 });
    await assert.rejects(imitate(calculator(), broken, { ...options, teacher }), {
      name: "RangeError",
      message: "Cannot imitate: the loss must be finite, but it is NaN at step 1. Try a lower learning rate.",
    });
    assert.deepEqual(broken.parameters, before);
  });
});

const contextsOf = (pass: readonly unknown[]): unknown[] =>
  pass.map((one) => JSON.stringify((JSON.parse(one as string) as unknown[])[0])).sort();
