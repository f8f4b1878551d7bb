import assert from "node:assert/strict";
import {
  checkEnv,
  collect,
  createPolicy,
  createRng,
  GameEnv,
  make,
  type Batch,
  type EnumerableEnv,
} from "turnwise";
import { exactTurns } from "turnwise/exact";
import { distrustingAnswers, judges } from "turnwise-course/internal/08-step-credit/biasedJudge";
import { flipBias } from "turnwise-course/internal/08-step-credit/flipBias";
import { monteCarloCredit } from "turnwise-course/internal/08-step-credit/monteCarloCredit";
import { readingPolicy } from "turnwise-course/internal/08-step-credit/readingPolicy";
import { stepRow, stepWorld } from "turnwise-course/internal/08-step-credit/stepRun";
import {
  drawCredit,
  drawFlip,
  drawStepCredit,
  flipPoints,
  creditExample,
  stepRun,
} from "turnwise-course/step-credit";
import { assertClose } from "../../rule/support";

const lookUp = stepWorld("LookUp-v0");

describe("readingPolicy()", () => {
  it("makes the answer that a result shows so many nats likelier, and leaves looking to chance", () => {
    const [blind, reader] = [readingPolicy(lookUp, 0), readingPolicy(lookUp, 2)];
    const batch = collect(lookUp, reader, { groups: 32, groupSize: 8, rng: createRng(1) });
    let seen = 0;
    batch.info_nt!.forEach((turns, n) => {
      const { gold } = turns[0] as { gold: { before: number[]; answer: number[] } };
      batch.context_nt[n]!.forEach((context, t) => {
        const odds = (policy: typeof reader): number => {
          const logProb = policy.nextTokenLogProb(context, gold.before);
          return logProb[gold.answer[0]!]! - logProb[((gold.answer[0]! + 1) % 4) + 2]!;
        };
        const told = t > 0 && turns[t - 1]!["verdict"] === 1;
        if (told) seen++;
        assertClose([odds(reader) - odds(blind)], [told ? 2 : 0], 1e-9, `trajectory ${n}, turn ${t}`);
      });
    });
    assert.ok(seen > 10);
  });
});

describe("a judge who distrusts answers", () => {
  it("calls every answer false, and leaves the world and its reward as they were", () => {
    const env = distrustingAnswers(lookUp as EnumerableEnv);
    checkEnv(env);
    const [state] = env.start();
    const answer = [0, 2];
    const [own] = env.transition(state!.state, answer);
    const [honest] = (lookUp as EnumerableEnv).transition(state!.state, answer);
    assert.deepEqual([own!.reward, own!.info!.success, own!.info!.verdict], [1, true, -1]);
    assert.equal(honest!.info!.verdict, 1);
  });
});

describe("monteCarloCredit()", () => {
  it("comes near the exact advantage with many tries, and counts every step", () => {
    const env = make("LookUp-v0");
    const policy = createPolicy(env.spec, { memory: "turnObservation", syntaxPrior: 3 });
    const rng = createRng(2);
    const batch: Batch = collect(env, policy, { groups: 2, groupSize: 2, rng });
    const { credit_nt, steps } = monteCarloCredit(env, policy, batch, rng, 3000);
    // A try's return has a deviation below 2/3, so a difference of two means of 3000 has one below .018.
    const exact = exactTurns(env, policy);
    const value_nt = exact.value_nt(batch);
    const [N, T] = batch.shape;
    for (let n = 0; n < N; n++) {
      for (let t = 0; t < batch.turnCount_n[n]!; t++) {
        // What the world drew after the turn is known to the tries: r + V(h') - V(h), not Q - V.
        const after = t + 1 < batch.turnCount_n[n]! ? value_nt[n * T + t + 1]! : 0;
        const truth = batch.reward_nt[n * T + t]! + after - value_nt[n * T + t]!;
        assert.ok(
          Math.abs(credit_nt[n * T + t]! - truth) < 0.08,
          `${credit_nt[n * T + t]!} against ${truth}`,
        );
      }
    }
    const turns = batch.turnCount_n.reduce((a, b) => a + b, 0);
    assert.ok(steps >= 3000 * turns && steps <= 3000 * turns * 2, `${steps}`);
  });

  it("refuses a world that cannot be branched", () => {
    const env = make("LookUp-v0");
    const policy = createPolicy(env.spec);
    const rng = createRng(2);
    const batch = collect(env, policy, { groups: 1, groupSize: 2, rng });
    const single = new Proxy(env, {
      get: (of, name) => {
        if (name === "branch") return () => undefined;
        const value: unknown = Reflect.get(of, name, of);
        return typeof value === "function" ? (value.bind(of) as unknown) : value;
      },
    });
    assert.throws(() => monteCarloCredit(single, policy, batch, rng, 1), {
      name: "TypeError",
      message: "Cannot try on from a turn: the world must have branch, but LookUp-v0 has none.",
    });
  });
});

describe("flipBias()", () => {
  it("finds the whole return's own direction to be exact, and the turned one not", () => {
    for (const { plain, flipped } of flipPoints([0, 2])) {
      assert.ok(Math.abs(plain - 1) < 1e-9, `${plain}`);
      assert.ok(flipped < 0.99 && flipped > 0.5, `${flipped}`);
    }
  });

  it("changes nothing where every verdict agrees with the outcome", () => {
    // A world of one turn: a right answer earns more than the mean and is called true, a wrong one less and is called false.
    const inner = make("LookUp-v0", { wrongPenalty: 0 }) as EnumerableEnv;
    const env = new GameEnv({
      spec: { ...inner.spec, maxTurns: 1 },
      start: () => inner.start(),
      transition: (state, action) =>
        inner.transition(state, action).map((outcome) => ({
          ...outcome,
          terminated: true,
          info: { ...outcome.info, verdict: outcome.reward === 1 ? 1 : -1 },
        })),
      render: () => "",
    });
    const { plain, flipped } = flipBias(env, createPolicy(env.spec, { initialScale: 1, seed: 1 }));
    assertClose([plain, flipped], [1, 1], 1e-9);
  });
});

describe("stepRun()", () => {
  it("pays the step reward or leaves it out, with a judge that errs as asked", () => {
    const step = (o: Parameters<typeof stepRow>[0]) => stepRow(o).reward.step;
    assert.deepEqual(step({ arm: "votes", paid: "without" }), { kind: "none" });
    assert.deepEqual(step({ arm: "information gain", paid: "with" }), { kind: "informationGain", weight: 1 });
    const judged = step({ arm: "verdict on the sign", paid: "with", judge: "errs at random, 40 %" });
    assert.deepEqual(judged, { kind: "factual", error: judges["errs at random, 40 %"].error });
  });

  it("is the same for a seed, and counts steps and evaluations", async () => {
    const job = { world: "LookUp-v0", arm: "information gain", paid: "with", seed: 1, updates: 10 } as const;
    const first = await stepRun(job);
    assert.deepEqual(await stepRun(job), first);
    assert.equal(first.curve.length, 10);
    // One evaluation for each turn that was taken.
    assert.ok(Math.abs(first.evaluations - first.steps) < 1e-6);
    assert.equal((await stepRun({ ...job, paid: "without" })).evaluations, 0);
  });

  it("judges steps by the world's own verdict, whatever its judge says", async () => {
    const job = { world: "LookUp-v0", arm: "votes", paid: "without", seed: 1, updates: 10 } as const;
    const honest = await stepRun(job);
    const distrusted = await stepRun({ ...job, judge: "distrusts answers" });
    assert.deepEqual(distrusted.curve, honest.curve);
    assert.equal(distrusted.falseSteps, honest.falseSteps);
  });
});

describe("the example of the lesson", () => {
  it("is nonsense, a call and the right answer, with numbers that can be checked by hand", async function () {
    this.timeout(60_000);
    const example = await creditExample();
    const { batch, trajectory, credits } = example;
    const [, T, L] = batch.shape;
    const of = (method: string): number[] =>
      [0, 1, 2].map((t) => credits[method]!.advantage_ntl[(trajectory * T + t) * L]!);
    // Two of the eight in its group are right: 1 - 2/8, and 1 - 1/7 against the others.
    const group = batch.return_n.filter((_, n) => batch.groupId[n] === batch.groupId[trajectory]);
    assert.equal(group.length, 8);
    assertClose(of("whole return"), [0.75, 0.75, 0.75], 1e-12);
    assertClose(of("leave-one-out per turn"), [6 / 7, 6 / 7, 6 / 7], 1e-12);
    const exact = of("exact advantage");
    assert.ok(exact[2]! > 0.5 && Math.abs(exact[1]!) < 0.05 && exact[0]! < 0, exact.join());
    const gain = of("IGPO: information gain");
    assert.ok(gain[1]! > gain[0]! && gain[1]! > gain[2]!, "the call teaches the most");
    assert.ok(
      gain.every((paid) => paid > 0.5),
      "the nonsense shares in what follows",
    );
    const implicit = of("iStar: implicit reward");
    assert.ok(implicit[0]! < implicit[1]! && implicit[1]! < implicit[2]!, "a right order");
    assert.ok(implicit[2]! - implicit[0]! < 0.2, "and small differences");
    assert.ok(
      of("GiGPO: same observation").every((paid) => Math.abs(paid - 1.5) < 0.15),
      "about twice .75",
    );
    assert.equal(of("Monte Carlo: four tries")[1]! < 0, true, "four tries had bad luck after the call");
    assert.match(drawCredit(example, ["whole return"]).summary, /^Credit for each turn\./);
    const compared = ["whole return", "Monte Carlo: four tries", "exact advantage"];
    assert.match(drawCredit(example, compared).summary, /^2 of 2 methods give a turn a wrong sign\./);
    assert.throws(() => drawCredit(example, ["whole"]), {
      name: "RangeError",
      message: /^Cannot draw credit: each method must be one of whole return; .*, got "whole"\.$/,
    });
  });
});

describe("the figures of step credit", () => {
  it("say in words what they show", () => {
    assert.match(drawFlip(flipPoints([0, 1])).summary, /^Signs turned by verdicts: a cosine of 0\.7/);
    assert.match(drawStepCredit().toString(), /Who gets the credit/);
  });
});
