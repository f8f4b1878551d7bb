import { createRequire } from "node:module";
import path from "node:path";
import { Complaint } from "../../bootstrap/steps.cjs";
import { printable } from "./printable.js";

/**
 * Loads a module of the library turnwise: the one of the folder, or the one that was installed with this command.
 *
 * @param file its path below the package, such as "dist/env/index.js"
 * @throws {Complaint} if the library is not installed
 */
export function requireLibrary(root: string, file: string): unknown {
  for (const from of [path.join(root, "package.json"), __filename]) {
    const require = createRequire(from);
    let library: string;
    try {
      library = require.resolve("turnwise/package.json");
    } catch {
      continue;
    }
    return require(path.join(path.dirname(library), file)) as unknown;
  }
  throw new Complaint(
    `Cannot load the library turnwise as it must be installed: it is not in ${root}`,
    "To fix it: npm install turnwise",
  );
}

/** Turns a refusal of the library into a sentence without a stack; a defect keeps its stack. */
export async function told(run: () => number | Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const { name, message } = error as Error;
    if (!["RangeError", "TypeError"].includes(name) || !message.startsWith("Cannot ")) throw error;
    throw new Complaint(printable(message));
  }
}
