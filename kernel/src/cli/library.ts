import { createRequire } from "node:module";
import path from "node:path";
import { Complaint } from "../../bootstrap/steps.cjs";
import { printable } from "./printable.js";

/**
 * Loads a module of a package: the one of the folder, or the one that was installed with this command.
 *
 * @param specifier as an import names it, such as "turnwise-practice/serve"
 * @throws {Complaint} if the package is not installed
 */
export function requireLibrary(root: string, specifier: string): unknown {
  for (const from of [path.join(root, "package.json"), __filename]) {
    const require = createRequire(from);
    let file: string;
    try {
      file = require.resolve(specifier);
    } catch {
      continue;
    }
    return require(file) as unknown;
  }
  const [name] = specifier.split("/");
  throw new Complaint(
    `Cannot load the library ${name} as it must be installed: it is not in ${root}`,
    `To fix it: npm install ${name}`,
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
