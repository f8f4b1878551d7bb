import { readFileSync } from "node:fs";

/** What the system tells of this process's main thread. */
export interface MainThread {
  /** It computes or waits for a processor; false when it sleeps or waits for something else. */
  runnable: boolean;
  /** For how long it has had a processor, in milliseconds. */
  ranMs: number;
}

/** Asks Linux; undefined elsewhere. */
export function mainThread(): MainThread | undefined {
  try {
    const folder = `/proc/self/task/${process.pid}`;
    const stat = readFileSync(`${folder}/stat`, "latin1");
    const ranNs = Number(readFileSync(`${folder}/schedstat`, "latin1").split(" ")[0]);
    // The second field is the command in parentheses and may itself hold any character.
    return { runnable: stat.slice(stat.lastIndexOf(")") + 2).startsWith("R"), ranMs: ranNs / 1e6 };
  } catch {
    return undefined;
  }
}

/** Whether a thread that could have run since `before` has been given next to no time on a processor. */
export function isStarved(before: MainThread | undefined, now: MainThread | undefined): boolean {
  return before !== undefined && now !== undefined && now.runnable && now.ranMs - before.ranMs < leastMs;
}

/** Cell code comes by a mark much sooner, once it runs. */
const leastMs = 20;
