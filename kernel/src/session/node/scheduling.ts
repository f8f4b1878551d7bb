import { readFileSync } from "node:fs";

/** Facts from the system about this process's main thread. */
export interface MainThread {
  /** True while it computes or waits for a processor; false while it sleeps or waits for something else. */
  runnable: boolean;
  /** The processor time it has had, in milliseconds. */
  ranMs: number;
}

/** Asks Linux; undefined elsewhere. */
export function mainThread(): MainThread | undefined {
  try {
    const folder = `/proc/self/task/${process.pid}`;
    const stat = readFileSync(`${folder}/stat`, "latin1");
    const ranNs = Number(readFileSync(`${folder}/schedstat`, "latin1").split(" ")[0]);
    // The second field is the command in parentheses, which may contain any character.
    return { runnable: stat.slice(stat.lastIndexOf(")") + 2).startsWith("R"), ranMs: ranNs / 1e6 };
  } catch {
    return undefined;
  }
}

/** Whether a thread that could have run since `before` has been given next to no time on a processor. */
export function isStarved(before: MainThread | undefined, now: MainThread | undefined): boolean {
  return before !== undefined && now !== undefined && now.runnable && now.ranMs - before.ranMs < leastMs;
}

/** Cell code reaches a mark much sooner, once it runs. */
const leastMs = 20;
