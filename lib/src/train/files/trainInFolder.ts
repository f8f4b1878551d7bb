import { expectWhole } from "../../base/expect";
import { files } from "#files";
import { path as paths } from "#path";
import { loadCheckpoint, saveCheckpoint } from "./checkpointFile";
import type { TrainRecord } from "../records";
import { withCheckpoint, type TrainOptions } from "../options";
import { hasOwnFunctions } from "../resumedRecipe";
import { train } from "../train";

const RECORDS = "records.jsonl";
const fs = files.promises;

/**
 * Trains with records and checkpoints in a folder, and continues from the folder's checkpoint if it has one.
 *
 * `records.jsonl` gets one record per line. A checkpoint is written every `checkpointEvery` updates and at the end,
 * whole or not at all. After a crash, the records beyond the checkpoint are dropped and made again, bit for bit.
 * Yields the records of this call only; `readRecords` returns all of them.
 *
 * Options that a checkpoint fixes (recipe, seed ...) are taken from the checkpoint; functions of your own in a row, which no
 * file can hold, are taken from the options.
 *
 * @throws {RangeError} if `checkpointEvery` is not a whole number of at least 1
 * @example
 * import { readRecords, trainInFolder } from "turnwise";
 * const options = { env: "LookUp-v0", recipe: "grpo", updates: 4, seed: 1 } as const;
 * for await (const { update } of trainInFolder("runs/in-folder", options)) console.log(update);
 * (await readRecords("runs/in-folder")).length; // => 4
 */
export async function* trainInFolder(
  folder: string,
  options: TrainOptions,
  o: { readonly checkpointEvery?: number } = {},
): AsyncGenerator<TrainRecord, void, undefined> {
  const every = o.checkpointEvery ?? 10;
  expectWhole("train in a folder", "checkpointEvery", every, 1);
  await fs.mkdir(folder, { recursive: true });
  const resume = await loadCheckpoint(folder);
  await keepRecords(folder, resume?.update ?? 0);
  const { env, ...others } = withCheckpoint(options);
  // The checkpoint names the environment itself, unless a curriculum has to be handed in.
  const again = {
    ...others,
    ...(typeof env === "object" && { env }),
    ...(resume && hasOwnFunctions(resume.recipe) && { recipe: options.recipe }),
  };
  const run = train(resume ? { ...again, resume } : options);
  let saved = resume?.update ?? 0;
  let last = saved;
  try {
    for await (const record of run) {
      await fs.appendFile(paths.join(folder, RECORDS), JSON.stringify(record) + "\n");
      last = record.update;
      if (last - saved >= every) {
        await saveCheckpoint(folder, run.checkpoint());
        saved = last;
      }
      yield record;
    }
  } finally {
    if (last > saved) await saveCheckpoint(folder, run.checkpoint());
  }
}

/** All records of a folder, oldest first. A last line that was cut off is left out. */
export async function readRecords(folder: string): Promise<TrainRecord[]> {
  let text: string;
  try {
    text = await fs.readFile(paths.join(folder, RECORDS), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TrainRecord);
}

/** Drops the records after an update: their state was lost with the process that made them. */
async function keepRecords(folder: string, update: number): Promise<void> {
  const kept = (await readRecords(folder)).filter((record) => record.update <= update);
  const path = paths.join(folder, RECORDS);
  await fs.writeFile(`${path}.part`, kept.map((record) => JSON.stringify(record) + "\n").join(""));
  await fs.rename(`${path}.part`, path);
}
