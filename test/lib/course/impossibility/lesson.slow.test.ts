import assert from "node:assert/strict";
import { decreaseRate, exactRule, games, monotonicityGrid, regimes } from "turnwise/exact";
import { claims, drawPath, drawReturn, exactTraining } from "turnwise-course";
import {
  drawDrift,
  drawFalls,
  drawOffset,
  drawOneSweep,
  drawPush,
  drawSuspects,
  drawToolField,
  impossibilityClaims,
  wrongPushes,
} from "turnwise-course/impossibility-theorem";
import { expectedPush } from "turnwise-course/internal/02-impossibility-theorem/push";
import { measureImpossibility } from "turnwise-course/internal/02-impossibility-theorem/measure";
import { storedLedger } from "../../../notebooks/storedLedger";

describe("the lesson on the impossibility theorem", () => {
  it("measures the whole ledger as the appendix stores it", () => {
    const full = impossibilityClaims(measureImpossibility());
    const stored = storedLedger("appendix/02-impossibility-theorem");
    const told = full.map(({ claim, measured, verdict }) => [claim, measured, String(verdict)]);
    assert.deepEqual(
      told,
      stored.map(({ claim, measured, verdict }) => [claim, measured, String(verdict)]),
    );
  }).timeout(30_000);

  it("retells six of its rows, with their verdicts, and without tags of evidence", () => {
    const verdicts = impossibilityClaims(measureImpossibility()).map(({ verdict }) => String(verdict));
    assert.equal(claims.impossibility.length, 6);
    for (const { claim, verdict, measured, source } of claims.impossibility) {
      assert.ok(verdicts.includes(String(verdict)), claim);
      assert.doesNotMatch(`${claim} ${measured} ${source ?? ""}`, /\[[A-Z]|NaN|undefined/);
    }
    const kinds = claims.impossibility.map(({ verdict }) => String(verdict).split(" ")[0]);
    assert.deepEqual(kinds, ["holds", "holds", "holds", "holds", "refuted", "refuted"]);
  }).timeout(30_000);

  // In a pair of both kinds the machine gets +1 in one case out of four and -1 in three: (1 - 3) / 4 = -1/2. Its partner took
  // the salary with 1 - p, so E[A | machine] = -(1 - p) / 2, and E[A | salary] = p / 2: the difference is -1/2 at every p.
  it("pushes a pair by -1/2 away from the machine, whatever it pays", () => {
    for (const prize of [1, 100, 1e6]) {
      for (const p of [0.1, 0.5, 0.9]) {
        const push = expectedPush(p, { groupSize: 2, divideByStd: true, prize });
        assert.ok(Math.abs(push + 0.5) < 1e-9, `${push}`);
      }
    }
  });

  // Without the division: (G - 1) / G x (.25 - .15), here 7/8 x .1 = .0875.
  it("pushes by the difference of what the two are worth if nothing is divided", () => {
    const push = expectedPush(0.3, { groupSize: 8, divideByStd: false });
    assert.ok(Math.abs(push - 0.0875) < 1e-12, `${push}`);
  });

  it("finds the push right at every policy without the division or without a salary, and in no other way", () => {
    const isRight = (o: Partial<Parameters<typeof drawPush>[0]>): boolean =>
      /right at every policy/.test(title(drawPush({ groupSize: 8, divideByStd: true, ...o })));
    assert.deepEqual([{}, { groupSize: 64 }, { prize: 100 }, { divideByStd: false }].map(isRight), [
      false,
      false,
      false,
      true,
    ]);
    for (const groupSize of [2, 4, 8, 16, 32, 64]) {
      assert.ok(isRight({ groupSize, salary: 0 }), `G = ${groupSize}`);
    }
    assert.match(title(drawPush({ groupSize: 8, divideByStd: true })), /wrong at 39 of 39/);
  });

  it("draws the push on one axis, so that a knob moves the line and not what lies under it", () => {
    for (const move of [{}, { divideByStd: false }, { groupSize: 64 }, { prize: 100 }, { salary: 0 }]) {
      const text = JSON.stringify(drawPush({ groupSize: 8, divideByStd: true, ...move }).spec);
      assert.match(text, /"domain":\[-1,1\]/, JSON.stringify(move));
    }
  });

  it("counts the policies at which the push is wrong, as the chart does", () => {
    const start = { groupSize: 8, divideByStd: true };
    const moves = [{}, { divideByStd: false }, { groupSize: 64 }, { prize: 100 }, { salary: 0 }];
    const counts = moves.map((move) => wrongPushes({ ...start, ...move }));
    assert.deepEqual(counts, [39, 0, 3, 22, 0]);
    assert.match(title(drawPush({ ...start, groupSize: 64 })), /wrong at 3 of 39/);
  });

  it("lowers the return in 48 of 200 games with SeeUPO where all turns share parameters, and in none where they do not", () => {
    const step = { kind: "clip", clipLow: 0.2, clipHigh: 0.2 } as const;
    const rule = exactRule({ baseline: "mean", order: "reverse", carry: "exact", step });
    const falls = ({ shared }: { shared: boolean }): number =>
      decreaseRate(rule, { ...regimes[1]!.tree, shared, trees: 200, seed: 7 }).decreases;
    assert.deepEqual([falls({ shared: true }), falls({ shared: false })], [48, 0]);
  });

  it("unlearns the machine and the noisy tool with the division, and learns both without", () => {
    for (const [game, watch] of [
      [games.slotMachine(), "machine"],
      [games.guessOrLookUp({ pays: 0.4 }), "lookup"],
    ] as const) {
      const end = (rule: "grpo" | "drGrpo"): number => {
        const { policies } = exactTraining(game, { rule, groupSize: 8, updates: 200 });
        return policies.at(-1)![0]![game.infoStates[0]!.actions.indexOf(watch)]!;
      };
      assert.ok(end("grpo") < 0.01 && end("drGrpo") > 0.95, `${end("grpo")}, ${end("drGrpo")}`);
    }
  });

  it("names the nearest action or rule where there is none of that name", () => {
    const run = exactTraining(games.slotMachine(), { updates: 1 });
    assert.throws(() => drawPath(run, { watch: "machin" }), {
      name: "RangeError",
      message:
        "Cannot draw a path: watch must be an action of the game, salary, machine, " +
        'got "machin".\nDid you mean "machine"?',
    });
    assert.throws(() => exactTraining(games.slotMachine(), { rule: "grop" as "grpo", updates: 1 }), {
      name: "RangeError",
      message: /^Cannot train exactly: rule must be grpo, drGrpo, seeUpo, got "grop"/,
    });
  });

  it("draws as many falls for the group's mean as for a perfect critic, in every kind of game", () => {
    const cells = (drawFalls({ games: 200 }).spec.data as { values: { row: string; label: string }[] })
      .values;
    const row = (name: string): string[] => cells.filter((c) => c.row === name).map((c) => c.label);
    for (const step of ["as far as the clip allows", "small step"]) {
      assert.deepEqual(row(`group's mean alone, ${step}`), row(`perfect critic, ${step}`));
    }
    assert.deepEqual(row("perfect critic, small step"), ["0 of 200", "0 of 200", "0 of 200"]);
    assert.equal(row("grpo, as far as the clip allows")[0], "0 of 200");
    const grid = monotonicityGrid({ trees: 200, seed: 7 });
    const heavy = grid.find(
      (c) => c.advantage === "GRAE, group std" && c.update === "PPU" && c.regime.startsWith("heavy"),
    )!;
    assert.equal(row("grpo, as far as the clip allows")[1], `${heavy.decreases} of 200`);
  });

  it("draws one and the same difference for all actions of the last rung", () => {
    const cells = (drawOffset().spec.data as { values: { row: string; value: number }[] }).values;
    const offsets = cells.filter(({ row }) => row === "difference").map(({ value }) => value.toFixed(12));
    assert.equal(offsets.length, 3);
    assert.equal(new Set(offsets).size, 1);
  });

  it("draws a drift below 0 for the ratio normalized by length alone", () => {
    const points = (drawDrift().spec.data as { values: { series: string; y: number }[] }).values;
    const least = (rule: string): number =>
      Math.min(...points.filter(({ series }) => series.startsWith(rule)).map(({ y }) => y));
    assert.ok(least("gspo") < -0.01 && least("grpo") > -1e-12, `${least("gspo")}, ${least("grpo")}`);
  });

  it("draws SeeUPO at every optimum, and the update of all turns at once below most of them", () => {
    const points = (drawOneSweep({ games: 300 }).spec.data as { values: { series: string; y: number }[] })
      .values;
    const missed = (rule: string): number =>
      points.filter(({ series, y }) => series.startsWith(rule) && y < 1 - 1e-9).length;
    assert.equal(missed("seeUpo"), 0);
    assert.ok(missed("drGrpo") > 150, `${missed("drGrpo")} of 300`);
  });

  it("states in the titles what the figures show", () => {
    const run = exactTraining(games.slotMachine(), { rule: "grpo", groupSize: 8, updates: 200 });
    assert.equal(
      title(drawPath(run, { watch: "machine" })),
      'Probability of "machine" at the end: grpo 0.00098',
    );
    assert.match(
      title(drawReturn({ grpo: run, "grpo, again": run })),
      /^Return at the end: 0\.\d\d on all lines$/,
    );
    assert.equal(
      title(drawFalls({ games: 200 })),
      "Large steps fall in 122 games with grpo, 6 with the mean alone, 6 with a critic",
    );
    assert.equal(title(drawOffset()), "The group's mean is off by 0.215 for every action");
    assert.match(title(drawDrift()), /^The lowest drift is 0 for grpo and -0\.\d\d for gspo$/);
    assert.match(
      title(drawOneSweep({ games: 300 })),
      /^Optima missed by one greedy update: 0 by seeUpo, [12]\d\d by drGrpo$/,
    );
  });

  it("draws no fall of the tool's field without the division, and some with it", () => {
    const falls = (divideByStd: boolean): number =>
      Number(/: (\d+) of 121 arrows/.exec(title(drawToolField({ groupSize: 4, divideByStd })))![1]);
    assert.equal(falls(false), 0);
    assert.ok(falls(true) > 50, `${falls(true)}`);
  });

  it("ends with a slide that a terminal can read", () => {
    assert.match(drawSuspects().toString(), /✗ Dividing by the group's std: /);
    assert.match(drawSuspects().toString(), /✓ No critic: /);
  });
});

const title = ({ spec }: { readonly spec: unknown }): string =>
  (spec as { readonly title: { readonly text: string } }).title.text;
