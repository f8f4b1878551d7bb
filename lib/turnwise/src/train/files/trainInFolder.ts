import { expectKnown, expectWhole } from "../../base/expect";
import { lock, unlock } from "../../base/host/files/lock";
import { show } from "../../base/show";
import { files } from "#files";
import { path as paths } from "#path";
import { CHECKPOINT, readCheckpoint, writeCheckpoint } from "./checkpointFile";
import { keepAside } from "./keepAside";
import type { KeptCheckpoint, RunStart } from "./keptCheckpoint";
import { readRecordLines, RECORDS, RecordWriter } from "./recordLines";
import { expectSameRun, runStartOf } from "./runStart";
import type { TrainRecord } from "../records";
import { withCheckpoint, type TrainOptions } from "../options";
import { hasOwnFunctions } from "../resumedRecipe";
import type { TrainRun } from "../run";
import { train } from "../train";

const fs = files.promises;
const action = "train in a folder";

/** The training runs of this thread by their folders. */
const running = new Map<string, FolderRun>();

/**
 * Trains with records and checkpoints in a folder, and continues from the folder's checkpoint if it has one.
 *
 * `records.jsonl` gets one record per line. A checkpoint is written at the start, every `checkpointEvery` updates and at the end,
 * whole or not at all. After a crash, the records beyond the checkpoint are dropped and made again, bit for bit.
 * Yields the records of this call only; `readRecords` returns all of them.
 *
 * One process at a time trains in a folder. The options must be those with which the run began, but for `updates` and `signal`;
 * `again: true` starts another run and keeps the old one.
 *
 * @throws {RangeError} if another process trains in the folder; if the folder holds another run, with every setting that differs; if a
 * file of it is damaged or missing; or if `checkpointEvery` is not an integer of at least 1
 * @example
 * import { readRecords, trainInFolder } from "turnwise";
 * const options = { env: "LookUp-v0", recipe: "grpo", updates: 4, seed: 1 } as const;
 * for await (const { update } of trainInFolder("runs/in-folder", options)) console.log(update);
 * (await readRecords("runs/in-folder")).length; // => 4
 */
export async function* trainInFolder(
  folder: string,
  options: TrainOptions,
  o: {
    /** Updates from one checkpoint to the next. Default: 10. */
    readonly checkpointEvery?: number;
    /** Starts over, and keeps what the folder holds in a new folder next to it, `<folder>.<time>`. Default: false. */
    readonly again?: boolean;
  } = {},
): AsyncGenerator<TrainRecord, void, undefined> {
  expectKnown(action, o, ["checkpointEvery", "again"]);
  const { checkpointEvery = 10, again = false } = o;
  expectWhole(action, "checkpointEvery", checkpointEvery, 1);
  if (typeof again !== "boolean") {
    throw new TypeError(`Cannot ${action}: again must be true or false, got ${show(again)}.`);
  }
  await fs.mkdir(folder, { recursive: true });
  const home = paths.resolve(folder);
  // A generator that nobody asks any more, as a cell that was stopped may leave it, gives the folder back.
  await running.get(home)?.leave();
  lock(paths.join(home, RECORDS));
  let kept: FolderRun | undefined;
  try {
    // Options that are refused leave the folder as it is.
    const fresh = again ? train(options) : undefined;
    if (fresh) keepAside(home, [CHECKPOINT, RECORDS]);
    kept = await beginRun(folder, options, checkpointEvery, fresh);
    running.set(home, kept);
    for await (const record of kept.run) {
      await kept.add(record);
      kept.idle = true;
      yield record;
      kept.idle = false;
      kept.expectHeld();
    }
  } finally {
    if (kept) await kept.close();
    else unlock(paths.join(home, RECORDS));
  }
}

/**
 * Checks what the folder holds before anything in it is changed.
 *
 * @param fresh the new run, where there is one already: a function that makes a policy is called once
 */
async function beginRun(
  folder: string,
  options: TrainOptions,
  every: number,
  fresh?: TrainRun,
): Promise<FolderRun> {
  const found = await readCheckpoint(folder);
  const lines = await readRecordLines(folder);
  const file = paths.join(folder, RECORDS);
  if (!found) {
    const last = lines.records.at(-1);
    if (last) {
      throw new RangeError(
        `Cannot go on in ${folder}: ${RECORDS} ends with update ${last.update}, and there is no ${CHECKPOINT} to go on from. ` +
          `Put it back, or start over: { again: true } as third argument of trainInFolder keeps the old files in a folder next to it.`,
      );
    }
    const start = runStartOf(options);
    const run = fresh ?? train(options);
    await writeCheckpoint(folder, { checkpoint: run.checkpoint(), run: start });
    return new FolderRun(folder, run, start, new RecordWriter(file, 0), every);
  }
  const { checkpoint } = found;
  expectSameRun(paths.join(folder, CHECKPOINT), found, options);
  const start = startOf(found, options, lines.records);
  lines.expectComplete(start.from, checkpoint.update);
  const { env, ...others } = withCheckpoint(options);
  const run = train({
    ...others,
    // The checkpoint names the environment itself, unless a curriculum has to be handed in.
    ...(typeof env === "object" && { env }),
    ...(hasOwnFunctions(checkpoint.recipe) && { recipe: options.recipe }),
    resume: checkpoint,
  });
  return new FolderRun(
    folder,
    run,
    start,
    new RecordWriter(file, lines.endOf(checkpoint.update - start.from)),
    every,
  );
}

/** An earlier version stored no start: its records tell where they begin. */
function startOf({ run }: KeptCheckpoint, options: TrainOptions, records: readonly TrainRecord[]): RunStart {
  return run ?? { ...runStartOf(options), from: (records[0]?.update ?? 1) - 1 };
}

/** A run with its files. */
class FolderRun {
  /** Whether its records wait to be asked for. */
  idle = false;
  #held = true;
  #saved: number;
  #last: number;

  constructor(
    private readonly folder: string,
    readonly run: TrainRun,
    private readonly start: RunStart,
    private readonly records: RecordWriter,
    private readonly every: number,
  ) {
    this.#saved = this.#last = run.checkpoint().update;
  }

  async add(record: TrainRecord): Promise<void> {
    this.records.append(record);
    this.#last = record.update;
    if (this.#last - this.#saved >= this.every) await this.#save();
  }

  /** @throws {RangeError} if a later call trains in the folder */
  expectHeld(): void {
    if (this.#held) return;
    throw new RangeError(
      `Cannot go on in ${this.folder}: a later call of trainInFolder in this program has gone on there.`,
    );
  }

  /** Gives the folder to a later call, unless an update is under way. */
  async leave(): Promise<void> {
    if (this.idle) await this.close();
  }

  async close(): Promise<void> {
    if (!this.#held) return;
    this.#held = false;
    const home = paths.resolve(this.folder);
    try {
      // After a failure to write, the run is ahead of its records.
      const { update } = this.run.checkpoint();
      if (update > this.#saved && update === this.#last) await this.#save();
    } finally {
      running.delete(home);
      this.records.close();
      unlock(paths.join(home, RECORDS));
    }
  }

  /** The records first: a checkpoint whose records are gone is worth less than one that is older. */
  async #save(): Promise<void> {
    this.records.sync();
    await writeCheckpoint(this.folder, { checkpoint: this.run.checkpoint(), run: this.start });
    this.#saved = this.#last;
  }
}

/**
 * All records of a folder, oldest first. A last line that was cut off is left out.
 *
 * @throws {RangeError} if another line is no record
 */
export async function readRecords(folder: string): Promise<TrainRecord[]> {
  return [...(await readRecordLines(folder)).records];
}
