// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import type { Claim } from "turnwise";
import { claims } from "turnwise-course";
import { wholeStepCredit } from "turnwise-course/step-credit";
import { nextStateClaims } from "turnwise-course/systems";
import { equalPairs } from "turnwise-course/internal/08-step-credit/falseStepClaims";
import { storedLedger, storedLedgers } from "./storedLedger";
import { of, stored } from "./storedTables";

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
describe("what lesson 08 says and shows", () => {
  const turns = stored("step-turns");
  const reading = stored("step-reading");
  const [judged, outcome] = [stored("step-judges"), stored("step-outcome")];

  it("its ledger is computed from the stored tables", () => {
    const told = (own: readonly Claim[]): string[] =>
      own.map(({ claim, measured, verdict }) => [claim, measured, String(verdict)].join("; "));
    assert.deepEqual(told(claims.stepCredit), told(storedLedger("08-step-credit")));
  });

  it("its tables hold forty seeds of every setting, the first ones", () => {
    const seeds = Array.from({ length: 40 }, (_, k) => k);
    assert.deepEqual(of(turns, { method: "whole return" }, "seed"), seeds);
    for (const level of [0, 0.5, 1, 2])
      assert.deepEqual(of(reading, { arm: "information gain", paid: "with", reading: level }, "seed"), seeds);
    assert.deepEqual(of(judged, { arm: "votes", judge: "distrusts answers" }, "seed"), seeds);
  });

  it("four tries from every turn cost about twenty steps, and looks at the policy one a turn", () => {
    const tries = mean(of(turns, { method: "Monte Carlo: four tries" }, "steps"));
    assert.ok(tries > 15 && tries < 25, `${tries}`);
    for (const method of ["IGPO: information gain", "iStar: implicit reward"]) {
      const looks = mean(of(turns, { method }, "evaluations"));
      assert.ok(looks > 2 && looks <= 3, `${method} ${looks}`);
    }
  });

  it("three methods stay low however many batches there are, and the whole return does not", () => {
    const direction = (method: string): number => mean(of(turns, { method }, "direction"));
    for (const method of ["MT-GRPO: first turn paid", "FSPO: sign by verdict", "RLAnything: votes"])
      assert.ok(direction(method) < 0.65, method);
    assert.ok(direction("whole return") > 0.85);
  });

  it("even the exact advantage leaves one batch far from straight, and four tries lie between", () => {
    const batch = (method: string): number => mean(of(turns, { method }, "oneBatch"));
    assert.ok(batch("exact advantage") < 0.85);
    assert.ok(batch("Monte Carlo: four tries") > batch("whole return"));
    assert.ok(batch("Monte Carlo: four tries") < batch("exact advantage"));
  });

  it("information gain teaches looking to those who can read a little, and to nobody else", () => {
    const score = (paid: string, level: number): number =>
      mean(of(reading, { arm: "information gain", paid, reading: level }));
    assert.ok(score("with", 0) < 0.4 && score("without", 0) < 0.3);
    assert.ok(score("with", 0.5) > 0.8 && score("with", 0.5) > score("without", 0.5) + 0.3);
  });

  it("of forty seeds, one learns to look that reads nothing, and most are left blind by the outcome", () => {
    const looking = (arm: string, paid: string, level: number): number =>
      of(reading, { arm, paid, reading: level }).filter((score) => score > 0.9).length;
    assert.equal(looking("information gain", "with", 0), 1);
    assert.equal(looking("information gain", "without", 0) + looking("implicit reward", "without", 0), 0);
    assert.ok(looking("information gain", "without", 0.5) < 10);
    for (const level of [0.5, 1]) {
      const implicit = looking("implicit reward", "with", level);
      assert.ok(implicit > looking("implicit reward", "without", level), `${implicit}`);
      assert.ok(implicit < looking("information gain", "with", level) - 10, `${implicit}`);
    }
  });

  it("the judge who distrusts answers does the most harm, and random errors hardly any", () => {
    const votes = (judge: string): number => mean(of(judged, { arm: "votes", judge }));
    assert.ok(mean(of(outcome, { arm: "votes" })) < 0.4);
    const signs = (judge: string): number => mean(of(judged, { arm: "verdict on the sign", judge }));
    assert.ok(votes("distrusts answers") < 0.3 && signs("distrusts answers") < 0.01);
    // They look, so that nearly all episodes have two turns, and hardly ever answer wrongly.
    const distrusted = { arm: "votes", judge: "distrusts answers" };
    assert.ok(mean(of(judged, distrusted, "steps")) > 1.95 * 200 * 64);
    assert.ok(mean(of(judged, distrusted, "falseSteps")) < 0.02);
    // One verifier decides a sign alone, and its errors cost; judges who vote are averaged.
    assert.ok(signs("never errs") > 0.95 && signs("errs at random, 20 %") < 0.9);
    assert.ok(votes("errs at random, 20 %") > 0.9 && votes("errs at random, 40 %") > 0.9);
  });

  it("at the same success fewer steps are false, but where the agent can read from the start", () => {
    const falses = stored("step-false");
    const at = (setting: string, side: number): number =>
      mean(equalPairs(falses, setting).map(({ falseSteps }) => falseSteps[side]!));
    for (const setting of ["LookUp", "Calculator"]) assert.ok(at(setting, 0) < at(setting, 1) - 0.2, setting);
    assert.ok(Math.abs(at("LookUp, can read", 0) - at("LookUp, can read", 1)) < 0.02);
    // The price in the Calculator: agents that make hardly a false step, and succeed less often than those without a judge.
    const score = (setting: string, paid: string, column = "score"): number =>
      mean(of(falses, { setting, paid }, column));
    assert.ok(score("Calculator", "with") < score("Calculator", "without") - 0.2);
    assert.ok(score("Calculator, votes", "with") < score("Calculator, votes", "without"));
    assert.ok(score("Calculator", "with", "falseSteps") < 0.1);
  });

  it("in the mazes votes do nearly everything, in the Calculator they do harm, and nothing is shown of moved tasks", () => {
    const anything = stored("step-anything");
    const [mazes, calculator] = ["TMaze-v0", "Calculator-v0"] as const;
    const success = (world: string, arm: string, column = "bySteps"): number =>
      mean(of(anything, { world, arm }, column));
    for (const arm of ["all parts", "judge fixed", "tasks fixed"]) {
      assert.ok(success(mazes, arm) > 0.9 && success(calculator, arm) < 0.08, arm);
    }
    assert.ok(success(mazes, "no votes") > success(mazes, "outcome alone"));
    assert.ok(success(mazes, "no votes") < 0.7);
    const [adapted] = wholeStepCredit().anything.filter(({ claim }) => claim.startsWith("Adapted tasks"));
    assert.equal(adapted!.verdict.text, "not shown");
    // Tasks that look alike have four different answers at the first level and eight at the others: (1/4 + 1/8 + 1/8) / 3 = 1/6.
    for (const arm of ["no votes", "outcome alone"]) assert.ok(success(calculator, arm) < 1 / 6, arm);
    assert.ok(success(mazes, "all parts", "judge") > success(mazes, "judge fixed", "judge") + 0.1);
  });

  it("the appendix shows each claim of the whole ledger", () => {
    const whole = wholeStepCredit();
    const shown = storedLedgers("appendix/08-step-credit").map((rows) => rows.map(({ claim }) => claim));
    const nextStates = nextStateClaims(stored("systems-enumerated"));
    const order = [whole.anything, whole.falseSteps, whole.judges, whole.reading, whole.turns, nextStates];
    assert.deepEqual(
      shown,
      order.map((rows) => rows.map(({ claim }) => claim)),
    );
  });
});
