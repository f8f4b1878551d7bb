import assert from "node:assert/strict";
import { games } from "turnwise/exact";
import { claims, exactTraining, measured } from "turnwise-course";
import {
  drawCarry,
  drawLadder,
  drawMatchedRuns,
  drawSharedStep,
  drawStepSizes,
  drawWays,
  drawWhenOrderMatters,
  storedMatchedRuns,
  type MatchedWay,
} from "turnwise-course/update-order-ablation";
import { carriedAdvantage } from "turnwise-course/internal/03-update-order-ablation/drawCarry";
import { exactOrderClaims } from "turnwise-course/internal/03-update-order-ablation/exactClaims";
import { matchedEffectsOf } from "turnwise-course/internal/03-update-order-ablation/matched/claims";
import { matchedQuestions } from "turnwise-course/internal/03-update-order-ablation/matched/questions";
import { measureExactOrders } from "turnwise-course/internal/03-update-order-ablation/measureExact";
import { claimOf, storedLedger } from "../../../notebooks/storedLedger";

describe("the lesson on the order of updates", () => {
  const stored = storedLedger("appendix/03-update-order-ablation");

  it("measures the exact claims of the ledger as the appendix stores them", () => {
    for (const { claim, measured: told, verdict } of Object.values(exactOrderClaims(measureExactOrders()))) {
      const row = claimOf(stored, claim);
      assert.deepEqual([told, String(verdict)], [row.measured, String(row.verdict)], claim);
    }
  }).timeout(30_000);

  it("retells rows of the whole ledger, with their verdicts, and without tags of evidence", () => {
    const whole = stored.map(({ verdict }) => String(verdict).replace(/; Holm over \d+$/, ""));
    for (const { claim, measured: told, verdict, source } of claims.updateOrder) {
      assert.ok(whole.includes(String(verdict)), `${claim}: ${String(verdict)}`);
      assert.doesNotMatch(`${claim} ${told} ${source ?? ""}`, /\[[A-Z]|NaN|undefined/);
    }
  }).timeout(30_000);

  // From the even policy of the order game: turn 2 to y, then turn 1 to R; turn 1 to L; both, to L and y.
  it("draws three ways of greedy steps, to three corners", () => {
    const { summary } = drawWays(games.order(), { step: "greedy" });
    assert.match(summary, /last turn first goes from \(0\.50, 0\.50\) to \(1\.00, 1\.00\) in 2 steps/);
    assert.match(summary, /first turn first goes from \(0\.50, 0\.50\) to \(0\.00, 0\.50\) in 1 steps/);
    assert.match(summary, /all at once goes from \(0\.50, 0\.50\) to \(0\.00, 1\.00\) in 1 steps/);
  });

  it("never lowers the return of that game by a greedy step", () => {
    for (const order of ["reverse", "forward", "simultaneous"] as const) {
      const { J } = exactTraining(games.order(), { order, step: "greedy", updates: 3 });
      for (const [i, later] of J.slice(1).entries()) assert.ok(later >= J[i]!, `${order}: ${J.join(", ")}`);
    }
  });

  // Returns .6, 0 and 1 of L, Rx and Ry with 1/2, 1/4 and 1/4: the mean is .55, the advantages are .05, -.55 and .45.
  // Turn 2 goes from 1/2 to y for sure: the carry is 0 for Rx and 2 for Ry, (0 + .9) / 2 = .45; clipped to [.8, 1.2] it is
  // (1.2 x .45 - .8 x .55) / 2 = .05, just what L has; without it (.45 - .55) / 2 = -.05.
  it("carries what the table of the lesson works out by hand", () => {
    const near = (carry: "exact" | "clipped" | "off", R: number): void => {
      const got = carriedAdvantage(carry, 1);
      assert.ok(
        Math.abs(got.R - R) < 1e-12 && Math.abs(got.L - 0.05) < 1e-12,
        `${carry}: ${got.L}, ${got.R}`,
      );
    };
    near("exact", 0.45);
    near("clipped", 0.05);
    near("off", -0.05);
    assert.match(drawCarry().summary, /clipped to 0\.8 \.\.\. 1\.2 goes from -0\.050 at 0\.5 to 0\.050 at 1/);
  });

  it("climbs without a carry exactly as all turns at once do, and passes the plateau with it first", () => {
    const ladder = games.ladder(4);
    const climb = (o: object): readonly number[] => exactTraining(ladder, { step: 64, updates: 250, ...o }).J;
    const near = (J: readonly number[]): number => J.findIndex((one) => one >= 0.95);
    const carried = near(climb({ order: "reverse" }));
    const clipped = near(climb({ order: "reverse", carry: "clipped" }));
    const uncarried = climb({ order: "reverse", carry: "off" });
    for (const [i, J] of climb({ order: "simultaneous" }).entries())
      assert.ok(Math.abs(J - uncarried[i]!) < 1e-9);
    assert.ok(carried < clipped && clipped < near(uncarried), `${carried}, ${clipped}, ${near(uncarried)}`);
  });

  it("draws the last turn first less than a tenth faster with the smallest step, and two orders stuck with the largest", () => {
    const cells = (drawStepSizes().spec.data as { values: { row: string; column: string; label: string }[] })
      .values;
    const at = (row: string, column: string): string =>
      cells.find((cell) => cell.row === row && cell.column === column)!.label;
    const [own, others] = [Number(at("step 1", "last turn first")), Number(at("step 1", "all at once"))];
    assert.ok(own < others && own > 0.9 * others, `${own} of ${others}`);
    assert.deepEqual(
      ["last turn first", "first turn first", "all at once"].map((order) => at("step 256", order)),
      ["1", "stuck", "stuck"],
    );
  }).timeout(30_000);

  it("climbs in every order from an even start to the right, and in none on six rungs", () => {
    const ends = (o: Parameters<typeof drawLadder>[0]): number[] =>
      [...drawLadder(o).summary.matchAll(/to ([\d.]+) at 151/g)].map(([, J]) => Number(J));
    assert.ok(ends({ rungs: 4, step: 64, right: 0.5 }).every((J) => J > 0.95));
    assert.deepEqual(ends({ rungs: 6, step: 64, right: 0.3 }), [0.55, 0.55, 0.55, 0.55]);
  });

  describe("on the stored runs of the preregistered study", () => {
    const runs = storedMatchedRuns(measured("order-matched"));
    const mean = (world: "ladder" | "keyDoor", way: MatchedWay): number => {
      const { summary } = drawMatchedRuns(runs, world, [way]);
      return Number(new RegExp(`${way}: ([\\d.]+) \\(`).exec(summary)![1]);
    };

    it("closes under a fifth of the ladder's gap by more steps, and none of it by an order without its carry", () => {
      const gap = mean("ladder", "last turn first") - mean("ladder", "all at once");
      const more = mean("ladder", "all at once, more steps") - mean("ladder", "all at once");
      assert.ok(gap > 0.1 && more > 0 && more < gap / 5, `${more} of ${gap}`);
      assert.ok(mean("ladder", "last first, no carry") < mean("ladder", "last turn first") - gap / 2);
    });

    it("ends highest on KeyDoor with all at once and more steps, which do more than any order", () => {
      const ways = ["last turn first", "last first, no carry", "random order", "first turn first"] as const;
      const [few, many] = [mean("keyDoor", "all at once"), mean("keyDoor", "all at once, more steps")];
      for (const way of ways)
        assert.ok(mean("keyDoor", way) < many && mean("keyDoor", way) - few < many - few);
    });

    it("has no run of the ladder where its means are", () => {
      const arms = /exact, equal passes|off, equal passes|all at once/;
      const own = runs.filter(({ world, arm }) => world === "ladder" && arms.test(arm));
      const between = own.filter(({ success }) => success > 0.61 && success < 0.97);
      assert.deepEqual([own.length, between.length], [600, 0]);
    });

    it("leads all at once at equal steps in five of eight settings, ties in two, and loses on KeyDoor", () => {
      const { steps } = matchedQuestions;
      const [ahead, behind] = [[], []] as [string[], string[]];
      for (const { comparison, effect } of matchedEffectsOf(steps, runs)) {
        const { low, high } = effect.at(0.95);
        const setting = Object.values(comparison.setting).join(" ");
        if (low > 0) ahead.push(setting);
        // Of ApiChain's two, one is surely behind, by .003: too little to matter.
        if (high < -steps.smallest) behind.push(setting);
      }
      assert.deepEqual(ahead, [
        "toolChain product",
        "toolChain geometric",
        "toolChainApart product",
        "toolChainApart geometric",
        "ladder either",
      ]);
      assert.deepEqual(behind, ["keyDoor either"]);
    });

    it("gathers on KeyDoor near quarters: as many of the four colors as get through", () => {
      const own = runs.filter(({ world, arm }) => world === "keyDoor" && arm.includes("equal"));
      const near = own.filter(({ success }) => Math.abs(4 * success - Math.round(4 * success)) < 0.32);
      assert.ok(near.length > 0.85 * own.length, `${near.length} of ${own.length}`);
    });
  });

  // p = .6: 2 x .6 x .4 = .48. Turn 2 says b half as often again, .4 to .6, so p = .4 and again .48. Turn 1 says b half as
  // often as at first, .4 to .2, so p = .8 and 2 x .8 x .2 = .32.
  it("draws one update of the shared parameter: .6, .4, .8, where the return is .48, .48, .32", () => {
    assert.equal(
      drawSharedStep().summary,
      "One update takes the return from 0.48 to 0.32. start: p = 0.60, return 0.48; after turn 2: p = 0.40, return 0.48; " +
        "after turn 1: p = 0.80, return 0.32.",
    );
  });

  it("ends with a slide that a terminal can read", () => {
    assert.match(
      drawWhenOrderMatters().toString(),
      /\? One model for all turns: no promise: the order helped in ToolChain, and not in KeyDoor/,
    );
  });
});
