import assert from "node:assert/strict";
import {
  make,
  optionsTable,
  recipe,
  register,
  TabularPolicy,
  train,
  type EnumerableEnv,
  type Env,
} from "turnwise";
import { displaySymbol } from "turnwise/plot";

const small = { env: "LookUp-v0", recipe: "grpo", groups: 1, groupSize: 2 } as const;
const over = { done: true, value: undefined };

describe("a run", () => {
  it("says why it ended, and stays ended", async () => {
    const run = train({ ...small, updates: 1 });
    assert.equal(run.stopReason, undefined);
    assert.equal((await run.next()).done, false);
    assert.deepEqual(await run.next(), over);
    assert.equal(run.stopReason, "finished");
    assert.deepEqual(await run.next(), over);
    assert.deepEqual(await run.return(), over);
    assert.equal(run.stopReason, "finished", "the first reason counts");
  });

  it("trains no further once it was left, even when another update had been asked for", async () => {
    const run = train({ ...small, updates: 5 });
    await run.next();
    const asked = [run.return(), run.next()];
    assert.deepEqual(await Promise.all(asked), [over, over]);
    assert.equal(run.stopReason, "returned");
    assert.equal(run.checkpoint().update, 1);
  });

  it("fails with the error that is thrown into it, whatever is thrown", async () => {
    const error = new TypeError("enough");
    const run = train({ ...small, updates: 1 });
    await assert.rejects(run.throw(error), (thrown) => thrown === error);
    assert.equal(run.stopReason, "failed");
    await assert.rejects(train({ ...small, updates: 1 }).throw("text"), { name: "Error", message: "text" });
  });

  it("says once, and on its card, where exact evaluation takes most of its time, and what makes it rarer", async () => {
    // A clock that only the world moves: 1 ms for each turn that is played, and as much as wanted where the world is listed, which is once.
    let now = 0;
    const world = (listingMs: number): Env => {
      const env = make("LookUp-v0") as EnumerableEnv;
      const [step, start] = [env.step.bind(env), env.start.bind(env)];
      return Object.assign(env, {
        step: (action: never) => ((now += 1), step(action)),
        start: () => ((now += listingMs), start()),
        fork: undefined,
      });
    };
    const said: unknown[] = [];
    const original = { now: performance.now.bind(performance), warn: console.warn };
    performance.now = () => now;
    console.warn = (text: unknown) => void said.push(text);
    const cards: string[] = [];
    try {
      for (const [listingMs, exactEvery] of [
        [0.5, 1],
        [40_000, 0],
        [40_000, 2],
        [40_000, 1],
      ] as const) {
        const run = train({ ...small, env: world(listingMs), updates: 8, exactEvery });
        for await (const record of run) assert.ok(record);
        cards.push(run[displaySymbol]()["text/plain"] as string);
      }
    } finally {
      performance.now = original.now;
      console.warn = original.warn;
    }
    const sentence =
      "Exact evaluation takes 100 % of this run's time. For less, train with exactEvery: 20, which evaluates every 20th update, " +
      "or with evalEvery, which plays episodes instead.";
    assert.deepEqual(said, [sentence]);
    assert.deepEqual(
      cards.map((card) => /Exact evaluation .*/.exec(card)?.[0]),
      [undefined, undefined, sentence, sentence.replaceAll("20", "10")],
    );
  });

  it("counts the time of its updates", async () => {
    let before = 0;
    for await (const { seconds } of train({ ...small, updates: 3 })) {
      assert.ok(seconds > before && seconds < 60, `${seconds}`);
      before = seconds;
    }
  });

  it("gives an environment its state back when an update fails, and keeps the last good checkpoint", async () => {
    const inner = make("LookUp-v0");
    const given: unknown[] = [];
    const env = Object.assign(Object.create(inner) as Env, {
      state: () => ({ level: 3 }),
      restore: (state: unknown) => given.push(state),
    });
    const policy = new TabularPolicy(inner.spec);
    const run = train({ ...small, env, policy, updates: 2 });
    await run.next();
    policy.sample = () => {
      throw new Error("no sample");
    };
    await assert.rejects(run.next(), { message: "no sample" });
    assert.deepEqual(given, [{ level: 3 }]);
    assert.equal(run.stopReason, "failed");
    assert.equal(run.checkpoint().update, 1);
  });

  it("names what is missing, and what cannot come with an environment that is ready", () => {
    assert.throws(() => train({ env: "LookUp-v0", updates: 1 }), {
      name: "TypeError",
      message: "Cannot train: recipe must be a rule or the name of one, got none.",
    });
    assert.throws(() => train({ recipe: "grpo", updates: 1 }), {
      name: "TypeError",
      message: "Cannot train: env must be an id or an environment, got none.",
    });
    const ready = { ...small, env: make("LookUp-v0"), envOptions: { facts: 2 }, updates: 1 };
    assert.throws(() => train(ready), {
      name: "TypeError",
      message: "Cannot train: envOptions must come with an id, but env is already an environment.",
    });
  });

  it("trains on what the environment wrote only where whole trajectories are credited at once", () => {
    const said =
      /^Cannot train on retrieved tokens: the rule must credit whole trajectories .*, got advantage /;
    for (const row of ["ppo", "seeUpo", "gigpo"] as const) {
      assert.throws(
        () => train({ ...small, recipe: row, observationTokens: "trained", updates: 1 }),
        { message: said },
        row,
      );
    }
    assert.equal(train({ ...small, observationTokens: "trained", updates: 1 }).recipe.name, "grpo");
  });

  it("gives a policy that it makes its own seed, unless the options have one, and a value where the rule wants one", () => {
    const start = (o: object): number[] => {
      const run = train({ ...small, updates: 1, seed: 4, ...o });
      return [...run.policy.parameters];
    };
    const mlp = { kind: "mlp", width: 2, window: 4 } as const;
    assert.deepEqual(start({ policy: mlp }), start({ policy: { ...mlp, seed: 4 } }));
    assert.notDeepEqual(start({ policy: mlp }), start({ policy: { ...mlp, seed: 5 } }));
    // A value head of width 2 has two weights more.
    assert.equal(start({ policy: mlp, recipe: "ppo" }).length, start({ policy: mlp }).length + 2);
  });
});

describe("an option that train() does not know", () => {
  const refusal = (o: object): string => {
    try {
      train({ ...small, updates: 1, ...o } as never);
    } catch (error) {
      return (error as Error).message.split("unknown option ")[1]!;
    }
    return "accepted";
  };

  it("is looked for in the row that was given, by its name or whole, before all rows", () => {
    // REINFORCE scales no advantage: the only epsilon of its row is Adam's. GRPO has one in its scale.
    const adam = `"epsilon".\nIt belongs to the rule: recipe("reinforce", { update: { optimizer: { epsilon: 1 } } })`;
    assert.equal(refusal({ recipe: "reinforce", epsilon: 1 }), adam);
    assert.equal(refusal({ recipe: recipe("reinforce"), epsilon: 1 }), adam);
    assert.equal(
      refusal({ epsilon: 1 }),
      `"epsilon".\nIt belongs to the rule: recipe("grpo", { scale: { epsilon: 1 } })`,
    );
  });

  it("is looked for in all rows where none was given, or where the given one lacks it", () => {
    const said = (row: string): string =>
      `"dualClip".\nIt belongs to the rule: recipe("${row}", { gate: { dualClip: 3 } })`;
    assert.equal(refusal({ recipe: undefined, dualClip: 3 }), said("grpo"));
    assert.equal(refusal({ recipe: "rloo", dualClip: 3 }), said("rloo"));
  });

  it("is nobody's where neither row nor world has it", () => {
    assert.match(refusal({ name: "x" }), /^"name"\.\nThe options may have only /);
    assert.match(
      refusal({ env: make("Tiger-v0"), accuracy: 0.7 }),
      /^"accuracy"\.\nThe options may have only /,
    );
    assert.match(refusal({ env: "Nowhere-v0", accuracy: 0.7 }), /^"accuracy"\.\nThe options may have only /);
    register("NoFacts-v0", () => make("LookUp-v0"));
    assert.match(refusal({ env: "NoFacts-v0", accuracy: 0.7 }), /^"accuracy"\.\nThe options may have only /);
    assert.deepEqual(optionsTable("NoFacts-v0"), []);
  });

  it("is told apart from what a checkpoint fixes", () => {
    const resume = train({ ...small, updates: 1 }).checkpoint();
    const fixed = (o: object): (() => unknown) => {
      return () => train({ resume, updates: 1, ...o });
    };
    assert.throws(fixed({ seed: 1 }), {
      message: "Cannot resume: the checkpoint fixes seed. Leave it out.",
    });
    assert.throws(fixed({ seed: 1, groups: 2 }), {
      message: "Cannot resume: the checkpoint fixes seed, groups. Leave them out.",
    });
    assert.doesNotThrow(fixed({ seed: undefined }));
    assert.throws(fixed({ gropus: 2 }), {
      message: /^Cannot resume: unknown option "gropus"\.\nDid you mean "groups"\?$/,
    });
  });

  it("is none of those that optionsTable() lists, of train() unless told", () => {
    assert.deepEqual(optionsTable(), optionsTable("train"));
  });
});
