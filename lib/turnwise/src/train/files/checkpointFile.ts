import { checksum } from "../../base/checksum";
import { bytesOf } from "../../base/host/files/store";
import { replaceFile } from "../../base/host/files/replaceFile";
import { files } from "#files";
import { path as paths } from "#path";
import { expectCheckpoint, formerCheckpointKeys, type Checkpoint } from "../checkpoint";
import type { KeptCheckpoint, RunStart } from "./keptCheckpoint";

/** The checkpoint's name in a folder of `trainInFolder`. */
export const CHECKPOINT = "checkpoint.json";
const fs = files.promises;

/**
 * Writes a checkpoint into a folder, whole or not at all: if the process is killed half-way, the previous one is still there.
 *
 * The file begins with a checksum of the rest, by which `loadCheckpoint` notices damage.
 *
 * @returns the path of the file
 * @throws {RangeError} if the file cannot be written; the previous one is then still there
 * @example
 * import { loadCheckpoint, saveCheckpoint, train } from "turnwise";
 * const run = train({ env: "LookUp-v0", recipe: "grpo", updates: 4 });
 * for await (const { update } of run) if (update === 2) break;
 * await saveCheckpoint("runs/lookup", run.checkpoint());
 * const resume = await loadCheckpoint("runs/lookup");
 * resume?.update; // => 2
 */
export async function saveCheckpoint(folder: string, checkpoint: Checkpoint): Promise<string> {
  return writeCheckpoint(folder, { checkpoint, run: undefined });
}

export async function writeCheckpoint(folder: string, { checkpoint, run }: KeptCheckpoint): Promise<string> {
  await fs.mkdir(folder, { recursive: true });
  const path = paths.join(folder, CHECKPOINT);
  const rest = JSON.stringify({ ...(run && { run }), ...checkpoint }).slice(1);
  replaceFile(path, `{"checksum":"${checksum(bytesOf(rest))}",${rest}`);
  // A page keeps what is written a little later: this waits for it.
  await fs.stat(path);
  return path;
}

/**
 * Reads the checkpoint of a folder; undefined if there is none.
 *
 * @throws {RangeError} if the file is damaged or cannot be read
 * @throws {TypeError} if the file is not a checkpoint of this version
 * @example
 * import { loadCheckpoint } from "turnwise";
 * await loadCheckpoint("runs/nowhere"); // => undefined
 */
export async function loadCheckpoint(folder: string): Promise<Checkpoint | undefined> {
  return (await readCheckpoint(folder))?.checkpoint;
}

export async function readCheckpoint(folder: string): Promise<KeptCheckpoint | undefined> {
  const path = paths.join(folder, CHECKPOINT);
  let bytes: Uint8Array;
  try {
    bytes = await fs.readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new RangeError(`Cannot read the checkpoint ${path}: ${(error as Error).message}`, { cause: error });
  }
  const text = new TextDecoder().decode(bytes);
  const [start, stored] = /^\{"checksum":"([0-9a-f]{8})",/.exec(text) ?? [];
  if (start !== undefined && checksum(bytes.subarray(start.length)) !== stored) {
    throw damaged(path, "its checksum is another than when it was written");
  }
  const value = parsed(path, text);
  const { checksum: _, run, ...rest } = value as { checksum?: string; run?: RunStart };
  const found = rest as Partial<Checkpoint>;
  // Checkpoints had no checksum once. A damaged one must not pass for one of these, so every key has to be known.
  const strange =
    start === undefined
      ? Object.keys(value).find((key) => !known.has(key) && !Object.hasOwn(formerCheckpointKeys, key))
      : undefined;
  if (found.format === "turnwise-checkpoint" && strange !== undefined) {
    throw damaged(
      path,
      `it has neither a checksum nor only keys of a checkpoint, but ${JSON.stringify(strange)}`,
    );
  }
  try {
    return { checkpoint: expectCheckpoint(found), run };
  } catch (error) {
    throw new TypeError(`${(error as Error).message} (${path})`, { cause: error });
  }
}

const known: ReadonlySet<string> = new Set<keyof Checkpoint>([
  "format",
  "version",
  "env",
  "recipe",
  "settings",
  "rng",
  "update",
  "samples",
  "optimizerSteps",
  "policy",
  "compute",
  "kernels",
  "reference",
  "teacher",
  "demonstrator",
  "optimizer",
  "past",
  "envState",
  "stepReward",
  "entropy",
]);

function parsed(path: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(path, `it is no complete JSON (${(error as Error).message})`, error);
  }
  if (typeof value === "object" && value !== null) return value;
  throw damaged(path, "it holds no JSON object");
}

function damaged(path: string, why: string, cause?: unknown): RangeError {
  return new RangeError(
    `Cannot go on from ${path}: ${why}. Put back a copy of the file, or start over: ` +
      "trainInFolder(folder, options, { again: true }) keeps the old files in a folder next to it.",
    { cause },
  );
}
