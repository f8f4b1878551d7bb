import assert from "node:assert/strict";
import { measured, storedTable } from "turnwise-course";
import { boundaryRun } from "turnwise-course/internal/teachers/boundaryRun";
import { distilRun } from "turnwise-course/internal/teachers/distilRun";
import { oldCalibrationRun } from "turnwise-course/internal/teachers/oldReferenceRun";
import { betas, calibrationRun, samplerRun } from "turnwise-course/internal/teachers/partitionRun";

const table = (name: string) => storedTable(measured(name));
const round = (x: number): number => Number(x.toPrecision(6));

/** The stored row of a cell has the numbers that its run gives today, to the six digits that are stored. */
function holds(name: string, cell: Readonly<Record<string, string | number>>, run: object): void {
  const row = table(name).find((one) =>
    Object.entries(cell).every(([column, value]) => one[column] === value),
  );
  assert.ok(row, `${name}: ${JSON.stringify(cell)}`);
  for (const [column, value] of Object.entries(run)) assert.equal(row[column], round(Number(value)), column);
}

describe("the stored runs of the study of teachers", () => {
  it("are those of distilRun", async () => {
    const cell = { world: "KeyDoor-v0", arm: "imitation", seed: 7 } as const;
    holds("distil", cell, await distilRun(cell));
    const other = { world: "TMaze-v0", arm: "on-policy distillation", seed: 21 } as const;
    holds("distil", other, await distilRun(other));
  }).timeout(20_000);

  it("are those of boundaryRun", async () => {
    const cell = { world: "LookUp", arm: "RL-PLUS", seed: 33 } as const;
    holds("boundary", cell, await boundaryRun(cell));
  }).timeout(20_000);

  it("are those of calibrationRun and samplerRun", async () => {
    const points = await calibrationRun({ beta: betas[1], seed: 5 });
    for (const point of points)
      holds("calibration", { beta: betas[1], seed: 5, update: point.update }, point);
    holds("samplers", { arm: "partition", seed: 2 }, await samplerRun({ arm: "partition", seed: 2 }));
  }).timeout(30_000);

  it("are those of oldCalibrationRun and of samplerRun with the reference that samples", async () => {
    const points = await oldCalibrationRun({ beta: betas[0], seed: 5 });
    for (const { update, accuracy, plainError, stepError } of points) {
      const cell = { beta: round(betas[0]), seed: 5, update };
      holds("calibration-old", cell, { accuracy, plainError, stepError });
    }
    const arm = "partition, old reference";
    holds("samplers-old", { arm, seed: 2 }, await samplerRun({ arm, seed: 2 }));
  }).timeout(30_000);

  it("have every seed once", () => {
    const seeds = (name: string, per: number): void => {
      const count = new Map<number, number>();
      for (const row of table(name))
        count.set(Number(row["seed"]), (count.get(Number(row["seed"])) ?? 0) + 1);
      assert.deepEqual(
        [...count].sort(([a], [b]) => a - b),
        Array.from({ length: 40 }, (_, seed) => [seed, per]),
      );
    };
    seeds("distil", 9);
    seeds("boundary", 12);
    seeds("calibration", 12);
    seeds("samplers", 3);
    seeds("calibration-old", 12);
    seeds("samplers-old", 2);
  });
});
