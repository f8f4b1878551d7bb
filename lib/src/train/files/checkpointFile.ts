import { files } from "#files";
import { path as paths } from "#path";
import { expectCheckpoint, type Checkpoint } from "../checkpoint";

const NAME = "checkpoint.json";
const fs = files.promises;

/**
 * Writes a checkpoint into a folder, whole or not at all: if the process is killed half-way, the previous one is still there.
 *
 * @returns the path of the file
 * @example
 * import { loadCheckpoint, saveCheckpoint, train } from "turnwise";
 * const run = train({ env: "LookUp-v0", recipe: "grpo", updates: 4 });
 * for await (const { update } of run) if (update === 2) break;
 * await saveCheckpoint("runs/lookup", run.checkpoint());
 * const resume = await loadCheckpoint("runs/lookup");
 * resume?.update; // => 2
 */
export async function saveCheckpoint(folder: string, checkpoint: Checkpoint): Promise<string> {
  await fs.mkdir(folder, { recursive: true });
  const path = paths.join(folder, NAME);
  const part = `${path}.part`;
  await fs.writeFile(part, JSON.stringify(checkpoint));
  await fs.rename(part, path);
  return path;
}

/**
 * Reads the checkpoint of a folder; undefined if there is none.
 *
 * @throws {TypeError} if the file is not a checkpoint of this version
 * @example
 * import { loadCheckpoint } from "turnwise";
 * await loadCheckpoint("runs/nowhere"); // => undefined
 */
export async function loadCheckpoint(folder: string): Promise<Checkpoint | undefined> {
  let text: string;
  try {
    text = await fs.readFile(paths.join(folder, NAME), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return expectCheckpoint(JSON.parse(text));
}
