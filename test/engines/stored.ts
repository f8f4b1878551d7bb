import fs from "node:fs";
import path from "node:path";
import { root } from "../support/paths.js";
import type { Digests } from "./digests.js";

interface Stored {
  /** By the number of arguments. */
  readonly functions: Readonly<Record<string, Digests["functions"]>>;
  readonly runs: Readonly<Record<string, string>>;
}

const file = path.join(root, "test", "fixtures", "engines.json");
export const read = (): Stored => JSON.parse(fs.readFileSync(file, "utf8")) as Stored;

/** What is stored of the runs. */
export const runsOf = (own: Digests): Record<string, string> =>
  Object.fromEntries(Object.entries(own.runs).map(([name, { run }]) => [name, run]));

/** With TURNWISE_RENEW, what this engine answers becomes what all are compared with. */
export function renew(own: Digests, count: number): void {
  const functions = { ...read().functions, [count]: own.functions };
  fs.writeFileSync(file, `${JSON.stringify({ functions, runs: runsOf(own) }, undefined, 2)}\n`);
}
