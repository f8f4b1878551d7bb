import assert from "node:assert/strict";
import { trainSeeds } from "turnwise";
import { grpoArms } from "turnwise-course/grpo-from-scratch";
import { measured } from "turnwise-course";
import { startHereArms } from "turnwise-course/start-here";
import { storedStartHereRuns } from "turnwise-course/internal/00-start-here/runs";
import { storedGrpoRuns } from "turnwise-course/internal/01-grpo-from-scratch/runs";

const world = { env: "LookUp-v0", updates: 100, exactEvery: 20 } as const;
const settings = {
  grpo: Object.entries(grpoArms).map(([arm, recipe]) => ({
    arm,
    options: { ...world, policy: { syntaxPrior: 3 }, recipe },
  })),
  "start-here": Object.entries(startHereArms).map(([arm, setting]) => ({
    arm,
    options: { ...world, ...setting, recipe: "grpo" as const },
  })),
};
const stored = {
  grpo: storedGrpoRuns(measured("grpo")),
  "start-here": storedStartHereRuns(measured("start-here")),
};

describe("the stored runs of the first lessons", function () {
  this.timeout(60_000);
  for (const table of ["grpo", "start-here"] as const) {
    for (const { arm, options } of settings[table]) {
      it(`${table}: "${arm}" has seeds 0 to 39, and seed 0 comes out the same again`, async () => {
        const own = stored[table].filter((run) => run.arm === arm);
        assert.deepEqual(
          own.map(({ seed }) => seed),
          Array.from({ length: 40 }, (_, seed) => seed),
        );
        const { runs } = await trainSeeds(options, 1);
        const at = (update: number): number =>
          Number(runs[0]![update - 1]!.metrics["return/exact"]!.toPrecision(6));
        assert.deepEqual([at(40), at(100)], [own[0]!.at40, own[0]!.at100]);
      });
    }
  }
});
