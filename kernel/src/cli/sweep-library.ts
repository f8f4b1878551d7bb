import { createRequire } from "node:module";
import path from "node:path";
import { Complaint } from "../../bootstrap/steps.cjs";

/** What the library brings for the command line; it reads its own options and prints its own help. */
interface SweepCommands {
  sweepCommand(args: string[], context: { program: readonly string[] }): Promise<number>;
  mergeCommand(args: string[]): number;
}

/** The library of the folder, or the one that was installed with this command. */
export function sweepCommands(root: string): SweepCommands {
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

/** Turns the refusal of a plan or a results file into a sentence without a stack; a defect keeps its stack. */
export async function told(run: () => number | Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const { name, message } = error as Error;
    if (!["RangeError", "TypeError"].includes(name) || !message.startsWith("Cannot ")) throw error;
    throw new Complaint(message);
  }
}
