import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {
  changeName,
  echoTrapParts,
  echoTrapRun,
  echoTrapSeeds,
  runsToCsv,
  storedRuns,
  type StoredRun,
} from "turnwise-course/echo-trap";
import type { EchoTrapCell } from "turnwise-course/internal/04-echo-trap/echoTrapRun";
import { leverNames } from "turnwise-course/internal/shared/echoTrap/levers";
import { root } from "../../../support/paths.js";

export const runs: readonly StoredRun[] = storedRuns(
  fs.readFileSync(path.join(root, "datasets", "measured", "echo-trap.csv"), "utf8"),
);
export const ofCell = (cell: EchoTrapCell): StoredRun[] =>
  runs.filter((r) => r.trap === cell.trap && r.lever === cell.lever && r.change === changeName(cell));

/** Runs some cells of a part, each with another seed, and compares what is stored of them. */
export async function holdsAgain(part: keyof typeof echoTrapParts, which: readonly number[]): Promise<void> {
  for (const [i, cell] of which.map((k) => echoTrapParts[part][k]!).entries()) {
    const { trap, lever } = cell;
    const seed = (7 * i + leverNames.indexOf(lever)) % echoTrapSeeds;
    const stored = ofCell(cell).find((run) => run.seed === seed)!;
    const now = await echoTrapRun({ ...cell, seed });
    assert.equal(
      runsToCsv([{ part, trap, lever, change: changeName(cell), seed, ...now }]),
      runsToCsv([stored]),
    );
  }
}
