import { createRequire } from "node:module";
import path from "node:path";
import { Complaint } from "../../bootstrap/steps.cjs";

interface SweepCommands {
  sweepCommand(args: string[], context: { program: readonly string[] }): Promise<number>;
  mergeCommand(args: string[]): number;
}

/** The library of the folder, or the one that was installed with this command. */
function commands(root: string): SweepCommands {
  for (const from of [path.join(root, "package.json"), __filename]) {
    const require = createRequire(from);
    let library: string;
    try {
      library = require.resolve("turnwise/package.json");
    } catch {
      continue;
    }
    return require(
      path.join(path.dirname(library), "dist", "sweep", "command", "command.js"),
    ) as SweepCommands;
  }
  throw new Complaint(
    `Cannot sweep as the library turnwise must be installed: it is not in ${root}`,
    "To mend it: npm install turnwise",
  );
}

/** A plan or a results file that cannot be used is told in a sentence; a defect keeps its stack. */
async function told(run: () => number | Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const { name, message } = error as Error;
    if (!["RangeError", "TypeError"].includes(name) || !message.startsWith("Cannot ")) throw error;
    throw new Complaint(message);
  }
}

/** `turnwise sweep`: exit code 0 when every job of the plan is done. */
export function sweep(args: string[], root: string): Promise<number> {
  const program = [process.execPath, path.resolve(__dirname, "..", "..", "bootstrap", "turnwise.cjs")];
  return told(() => commands(root).sweepCommand(args, { program }));
}

/** `turnwise merge`: exit code 0 when no job is missing or there twice. */
export function merge(args: string[], root: string): Promise<number> {
  return told(() => commands(root).mergeCommand(args));
}
