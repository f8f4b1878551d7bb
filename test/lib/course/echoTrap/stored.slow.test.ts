import assert from "node:assert/strict";
import {
  changeName,
  echoTrapPartNames,
  echoTrapParts,
  echoTrapSeeds,
  traps,
} from "turnwise-course/echo-trap";
import { holdsAgain, ofCell, runs } from "./storedCells.js";

describe("the stored runs of the echo trap", () => {
  it("are those of the grid: each cell with all its seeds, and nothing else", () => {
    const cells = echoTrapPartNames.flatMap((part) => echoTrapParts[part]);
    for (const cell of cells) {
      const seeds = ofCell(cell).map(({ seed }) => seed);
      assert.deepEqual(
        seeds.sort((a, b) => a - b),
        Array.from({ length: echoTrapSeeds }, (_, seed) => seed),
        `${cell.trap}, ${cell.lever}, ${changeName(cell)}`,
      );
    }
    assert.equal(runs.length, cells.length * echoTrapSeeds);
  });

  it("have the samples and the steps of the setting, unless the lever's name says another number of steps", () => {
    for (const part of echoTrapPartNames) {
      for (const cell of echoTrapParts[part].filter(({ lever }) => !lever.includes("1 step"))) {
        const t = { ...traps[cell.trap], ...cell.change };
        for (const { samples, optimizerSteps, stoppedAt, seed } of ofCell(cell)) {
          const made = stoppedAt === null ? t.updates : stoppedAt - 1;
          assert.deepEqual(
            [samples, optimizerSteps],
            [made * t.groups * t.groupSize, made * t.epochs * t.minibatches],
            `${cell.trap}, ${cell.lever}, ${changeName(cell)}, seed ${seed}`,
          );
        }
      }
    }
  });

  // The first cell of each part with one seed, and one penalty in trap C.
  for (const part of echoTrapPartNames) {
    const cells = echoTrapParts[part];
    const penalty = cells.findIndex(({ lever }) => part === "mismatch" && lever === "KL to reference .1");
    it(`are what the library computes now, to the last digit stored: ${part}`, () =>
      holdsAgain(part, penalty < 0 ? [0] : [0, penalty])).timeout(120_000);
  }
});
