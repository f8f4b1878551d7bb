import assert from "node:assert/strict";
import { sweep } from "turnwise";
import { orderStudy, orderTask, type OrderResult } from "turnwise-course/update-order-ablation";
import { claimOf, storedLedger } from "./storedLedger";
import { measuredRows } from "./updateOrderTable";

describe("the stored study of update orders", () => {
  const all = measuredRows();

  it("every part of the stored study has twenty seeds an arm, and a run of each is what threads compute now", async () => {
    for (const part of Object.keys(orderStudy) as (keyof typeof orderStudy)[]) {
      const grid: Readonly<Record<string, unknown>> = orderStudy[part];
      const count = Object.values(grid).reduce<number>((n, x) => n * (Array.isArray(x) ? x.length : 1), 20);
      const stored = all.filter((r) => r.part === part);
      assert.equal(stored.length, count, part);
      const last = stored.filter((r) => r.seed === 0).at(-1)!;
      const one = {
        ...orderStudy[part],
        arm: last.arm,
        ...("scale" in grid ? { scale: last.scale } : {}),
        ...("beta" in grid ? { beta: last.beta } : {}),
      };
      const { results } = await sweep<OrderResult>({ task: orderTask, grid: one, seeds: 1, workers: 1 });
      const { value } = results[0]!;
      assert.deepEqual(
        [value.success, value.reward, value.optimizerSteps],
        [last.success, last.reward, last.steps],
        part,
      );
    }
    assert.match(
      claimOf(storedLedger("appendix/03-update-order-ablation"), "Stored runs").measured,
      /^4 of 4 live runs/,
    );
  }).timeout(180_000);
});
