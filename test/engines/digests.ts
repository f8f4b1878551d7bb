import { functionDigest, functionNames } from "./functionDigests.js";
import { runDigest, runNames, type RunDigest } from "./runDigests.js";

/** What an engine answers, to be compared with what all others have answered. */
export interface Digests {
  /** Of a function's values at all arguments or a share of them. */
  readonly functions: Readonly<Record<string, string>>;
  /** Of the records and parameters of chaotic training runs. */
  readonly runs: Readonly<Record<string, RunDigest>>;
}

/** What this engine answers, with the functions at `count` arguments, and some or all of the runs. */
export async function digests(count: number, names = runNames): Promise<Digests> {
  const functions = Object.fromEntries(functionNames.map((name) => [name, functionDigest(name, count)]));
  const runs: Record<string, RunDigest> = {};
  for (const name of names) runs[name] = await runDigest(name);
  return { functions, runs };
}
