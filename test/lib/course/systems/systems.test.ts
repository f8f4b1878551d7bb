import assert from "node:assert/strict";
import { checkEnv, enumerateReturn, type Policy } from "turnwise";
import { optimalReturn, randomReturn } from "turnwise/exact";
import { claims } from "turnwise-course";
import { lostByPay, optimalCalls, systemClaims } from "turnwise-course/internal/systems/claims";
import { kindsClaim } from "turnwise-course/internal/systems/kindsClaim";
import {
  systemArms,
  systemRun,
  systemSeeds,
  tunedSystemRate,
  type SystemRun,
} from "turnwise-course/internal/systems/run";
import { toolCallsEnv, toolPayEnv } from "turnwise-course/internal/systems/toolPay";
import { trustEnv } from "turnwise-course/internal/systems/trust";

const close = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

/** A policy that says one word in each context, by the last observation's text. */
function saying(world: ReturnType<typeof trustEnv>, word: (text: string) => number): Policy {
  const size = world.spec.vocabulary.length;
  return {
    contextOf: ({ observations }: { observations: readonly { text: string }[] }) => observations.at(-1)!.text,
    nextTokenLogProb: (context: string) =>
      Float64Array.from({ length: size }, (_, token) => (token === word(context) ? 0 : -Infinity)),
  } as unknown as Policy;
}

describe("the world that pays for tools", () => {
  it("keeps the contract of environments, whatever it pays", () => {
    for (const when of ["never", "eachCall", "ifRight"] as const) checkEnv(toolPayEnv({ pay: 0.1, when }));
    checkEnv(toolCallsEnv());
  });

  it("has the returns that one works out by hand", () => {
    // Look until it is revealed, at most three times, then answer. Calls: 1 + .4 + .16 = 1.56. Unrevealed with .064, then one guess of four:
    // 1 - .064 * 3/4 - .05 * 1.56 = .874.
    close(optimalCalls(), 1.56);
    close(optimalReturn(toolPayEnv()).J, 0.874);
    // One look fewer at random than at the start: the answer has 4 of 5 words, right with 1 of 4; J = .8 * .25 + .2 * (J' - .05), J_4 = .19.
    const last = 0.8 * 0.25 - 0.2 * 0.05;
    const random = [3, 2, 1].reduce((later) => 0.8 * 0.25 + 0.2 * (later - 0.05), last);
    close(randomReturn(toolPayEnv()), random);
  });

  it("moves the optimum once a call is paid more than it costs: then three looks are taken, revealed or not", () => {
    close(lostByPay(0.03, "eachCall"), 0);
    // Three looks always: .05 * (3 - 1.56) = .072 is lost.
    close(lostByPay(0.1, "eachCall"), 0.072);
    close(lostByPay(0.1, "ifRight"), 0.072);
  });
});

describe("the team with a compromised agent", () => {
  it("keeps the contract of environments", () => {
    for (const share of [0, 0.3, 1]) checkEnv(trustEnv(share));
  });

  it("earns what one works out by hand, trusting or auditing marked words", () => {
    const number = (text: string): number => Number(text.at(-1)) - 1;
    const trusting = (text: string): number => number(text);
    const auditing = (text: string): number => (text.startsWith("marked") ? 3 : number(text));
    const J = (share: number, word: (text: string) => number): number => {
      const world = trustEnv(share);
      return enumerateReturn(world, saying(world, word), { gradient: false }).J;
    };
    close(J(0, trusting), 1);
    close(J(1, trusting), 0);
    close(J(0.3, trusting), 0.7);
    close(J(0, auditing), 1 - 0.1 * 0.1);
    close(J(1, auditing), 0.8 * 0.9);
    // .7 * (.9 + .1 * .9) + .3 * .8 * .9
    close(J(0.3, auditing), 0.909);
  });
});

describe("the study of both systems", () => {
  it("takes the rate that earns most where the arm trains", () => {
    const run = (rate: number, trained: number): SystemRun =>
      ({ arm: "no pay for tools", rate, trained }) as SystemRun;
    const runs = [run(0.025, 0), run(0.05, 0.4), run(0.05, 0.6), run(0.1, 0.5), run(0.2, 0.1)];
    assert.equal(tunedSystemRate(runs, "no pay for tools"), 0.05);
    assert.equal(systemSeeds.study.filter((seed) => systemSeeds.tuning.includes(seed)).length, 0);
  });

  it("judges pay by the return without it, and a team with and without an attack", async () => {
    const run = await systemRun({ cell: { arm: "pay for each call", rate: 0.1 }, seed: 9000 });
    assert.equal(run.samples, 80 * 64);
    assert.equal(run.optimizerSteps, 320);
    // What it is paid is .1 for each call more than it earns.
    close(run.trained, run.honest + 0.1 * run.calls);
  });

  it("finds an effect that is there in both halves, and none where the arms are alike", () => {
    const made = (honest: (arm: string) => number, attacked: (arm: string) => number): SystemRun[] =>
      Object.keys(systemArms).flatMap((arm) =>
        systemSeeds.study.map(
          (seed) =>
            ({
              arm,
              rate: 0.1,
              seed,
              honest: honest(arm) + 0.001 * (seed % 3),
              attacked: attacked(arm) + 0.001 * (seed % 3),
              calls: 0.5,
            }) as SystemRun,
        ),
      );
    const texts = systemClaims(
      made(
        () => 0.8,
        (arm) => (arm.includes("three") ? 0.7 : 0.1),
      ),
    ).map(({ verdict }) => verdict.text);
    assert.deepEqual(texts, [
      "holds",
      "no effect that matters",
      "no effect that matters",
      "holds if pay = .03 of {.03, .1, .3}",
      "holds if pay = .03 of {.03, .1, .3}",
      "holds",
      "holds",
      "holds",
    ]);
  });

  it("decides whether kinds of action are whitened apart at each learning rate, in both halves", () => {
    const runs = (whitened: (seed: number) => number) =>
      [0.01, 0.1].flatMap((learningRate) =>
        Array.from({ length: 40 }, (_, seed) => [
          { arm: "segments and roles", learningRate, seed, average: whitened(seed) + 0.001 * (seed % 3) },
          { arm: "segments and roles, not whitened", learningRate, seed, average: 0.5 + 0.001 * (seed % 3) },
        ]).flat(),
      );
    assert.equal(kindsClaim(runs(() => 0.8)).verdict.text, "holds");
    assert.equal(kindsClaim(runs(() => 0.2)).verdict.text, "refuted");
    assert.equal(kindsClaim(runs((seed) => (seed < 20 ? 0.8 : 0.2))).verdict.text, "not shown");
  });

  it("has a verdict for every claim of the stored runs", () => {
    assert.equal(claims.systems.length, 41);
  });
});
