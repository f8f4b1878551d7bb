import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { createRng, difference, bootstrapInterval, type Interval } from "turnwise";
import { storedRuns } from "turnwise-course/echo-trap";
import { shareInterval } from "turnwise/verdict";
import { mean } from "turnwise/internal/base/statistics";
import { root } from "../../support/paths";

/**
 * Final success of the stored runs of the echo trap's grid, a population for each cell: two-peaked where at least a quarter of its
 * runs ended below .5 and a quarter above .75. Samples are drawn from it with replacement, so that its mean is the truth.
 */
function twoPeaked(): readonly (readonly number[])[] {
  const cells = new Map<string, number[]>();
  const csv = fs.readFileSync(path.join(root, "datasets", "measured", "echo-trap.csv"), "utf8");
  for (const { trap, lever, change, final, stoppedAt } of storedRuns(csv)) {
    if (stoppedAt !== null) continue;
    const name = [trap, lever, change.replace(/ ?from=\d+/, "")].join();
    const cell = cells.get(name) ?? [];
    cells.set(name, cell);
    cell.push(final);
  }
  const share = (cell: readonly number[], is: (x: number) => boolean): number =>
    cell.filter(is).length / cell.length;
  return [...cells.values()].filter(
    (cell) =>
      cell.length >= 20 && share(cell, (x) => x < 0.5) >= 0.25 && share(cell, (x) => x > 0.75) >= 0.25,
  );
}

describe("95% intervals over outcomes with two peaks", function () {
  this.timeout(60_000);
  const populations = twoPeaked();
  const rng = createRng(11);
  const sample = (from: readonly number[], n: number): number[] =>
    Array.from({ length: n }, () => from[rng.below(from.length)]!);
  /** How often the interval holds the truth, over `draws` samples of every population. */
  const coverage = (draws: number, one: (i: number) => readonly [Interval, number]): number => {
    let held = 0;
    populations.forEach((_, i) => {
      for (let d = 0; d < draws; d++) {
        const [{ low, high }, truth] = one(i);
        if (low <= truth + 1e-12 && truth <= high + 1e-12) held++;
      }
    });
    return held / (draws * populations.length);
  };
  // With p populations and d draws of each the estimate has a standard error of sqrt(.95 * .05 / (p d)): .003 for 5,000 in all.
  const isNominal = (found: number): void =>
    assert.ok(Math.abs(found - 0.95) <= 0.01, `coverage ${found.toFixed(4)}`);

  it("are judged on enough cells of the stored grid", () => {
    assert.ok(populations.length >= 20, `${populations.length} cells`);
  });

  for (const n of [10, 20, 40]) {
    it(`hold the difference of two means in .95 +- .01 of samples of ${n}`, () => {
      const found = coverage(Math.ceil(5000 / populations.length), (i) => {
        const [a, b] = [populations[i]!, populations[(7 * i + 3) % populations.length]!];
        return [difference(sample(a, n), sample(b, n)), mean(a) - mean(b)];
      });
      isNominal(found);
    });

    it(`hold the mean difference of pairs in .95 +- .01 of samples of ${n}`, () => {
      const found = coverage(Math.ceil(5000 / populations.length), (i) => {
        const [a, b] = [populations[i]!, populations[(7 * i + 3) % populations.length]!];
        return [difference(sample(a, n), sample(b, n), { paired: true }), mean(a) - mean(b)];
      });
      isNominal(found);
    });

    it(`hold a mean in .95 +- .01 of samples of ${n}`, () => {
      const found = coverage(Math.ceil(4000 / populations.length), (i) => {
        const own = populations[i]!;
        return [bootstrapInterval(sample(own, n), { resamples: 400, rng }), mean(own)];
      });
      isNominal(found);
    });

    it(`hold a share of ${n} at least that often, whatever the share`, () => {
      // Exact: sum the binomial probabilities of the counts whose interval holds p.
      for (let p = 0.01; p < 1; p += 0.01) {
        let chance = (1 - p) ** n;
        let held = 0;
        for (let k = 0; k <= n; k++) {
          const { low, high } = shareInterval(k, n);
          if (low <= p && p <= high) held += chance;
          chance *= ((n - k) / (k + 1)) * (p / (1 - p));
        }
        assert.ok(held >= 0.95 - 1e-9, `p = ${p.toFixed(2)}: ${held}`);
      }
    });
  }
});

describe("shareInterval()", () => {
  it("is the one of tables: 0 of 20, 11 of 16 and 4 of 400", () => {
    // 1 - .025^(1/20) = .16843; the others from R's binom.test.
    assert.ok(Math.abs(shareInterval(0, 20).high - 0.1684335) < 1e-6);
    const { low, high } = shareInterval(11, 16);
    assert.deepEqual([low.toFixed(3), high.toFixed(3)], ["0.413", "0.890"]);
    assert.deepEqual(
      [shareInterval(4, 400).low.toFixed(5), shareInterval(4, 400).high.toFixed(5)],
      ["0.00273", "0.02540"],
    );
    assert.equal(shareInterval(20, 20).high, 1);
  });

  it("refuses counts that cannot be", () => {
    for (const [count, of] of [
      [3, 2],
      [-1, 2],
      [0.5, 2],
      [0, 0],
    ] as const) {
      assert.throws(() => shareInterval(count, of), {
        name: "RangeError",
        message: `Cannot compute a share: the count must be an integer from 0 to all, got ${count} of ${of}.`,
      });
    }
  });
});
