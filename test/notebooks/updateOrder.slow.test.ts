import assert from "node:assert/strict";
import { sweep } from "turnwise";
import { measured } from "turnwise-course";
import {
  matchedWorldNames,
  storedMatchedRuns,
  storedTuning,
  studyPlan,
  type MatchedRun,
} from "turnwise-course/update-order-ablation";
import { claimOf, storedLedger } from "./storedLedger";

describe("the stored study of update orders", () => {
  it("has a run in each world that threads compute again, in all six digits", async () => {
    const runs = storedMatchedRuns(measured("order-matched"));
    const tuning = storedTuning(measured("order-matched-rates"));
    const six = (value: number | string): number | string =>
      typeof value === "string" ? value : Number(value.toPrecision(6));
    for (const world of matchedWorldNames) {
      const plan = studyPlan(world, tuning);
      const [cell] = plan.grid.cell;
      const [seed] = plan.seeds;
      const one = { ...plan, grid: { cell: [{ ...cell! }] }, seeds: [seed!], workers: 1 };
      const { results } = await sweep<MatchedRun>(one);
      const computed = Object.entries(results[0]!.value).map(([name, value]) => [name, six(value)]);
      const stored = runs.find((run) => run.world === world && run.arm === cell!.arm && run.seed === seed);
      assert.deepEqual(Object.fromEntries(computed), stored, world);
    }
    assert.match(
      claimOf(storedLedger("appendix/03-update-order-ablation"), "Stored runs").measured,
      /^4 of 4 live runs/,
    );
  }).timeout(180_000);
});
