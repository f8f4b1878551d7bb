import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const farewellMs = 300;

/** The ids of all processes below this one, children first; empty where there is no /proc. */
export function descendants(root: number): number[] {
  let entries: string[];
  try {
    entries = readdirSync("/proc");
  } catch {
    return [];
  }
  const children = new Map<number, number[]>();
  for (const entry of entries) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const parent = parentOf(pid);
    if (parent === undefined) continue;
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  const visit = (pid: number): void => {
    for (const child of children.get(pid) ?? []) {
      found.push(child);
      visit(child);
    }
  };
  visit(root);
  return found;
}

/** The process that has started this one, or has taken it over. */
export function parentOf(pid: number): number | undefined {
  try {
    // The second field is the command in parentheses, which may contain any character.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

/** Asks processes to end, and ends those that have not a moment later. */
export async function endAll(pids: readonly number[]): Promise<void> {
  let left = pids.filter((pid) => reaches(pid, "SIGTERM"));
  const deadline = performance.now() + farewellMs;
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(10);
    left = left.filter((pid) => reaches(pid, 0));
  }
  for (const pid of left) reaches(pid, "SIGKILL");
}

/** Sends a signal; false if the process has ended. */
function reaches(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
