import type { ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { descendants } from "../process/descendants.js";
import type { MagicHost } from "./contract.js";

/** End of a command. */
export interface CommandEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The end of what it has written. */
  lastWords: string;
}

const keptWords = 16_384;
const patienceMs = 1_000;

/** Runs a command of the shell in the current folder, and prints what it writes. An interrupt ends it and what it has started. */
export async function runCommand(
  command: string,
  host: MagicHost,
  o: { cwd?: string } = {},
): Promise<CommandEnd> {
  // Loaded late: the type service knows the magics as well, and runs none.
  const { spawn } = createRequire(__filename)("node:child_process") as typeof import("node:child_process");
  const child = spawn(command, {
    shell: true,
    cwd: o.cwd ?? process.cwd(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let lastWords = "";
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      lastWords = (lastWords + text).slice(-keptWords);
      host.print(text, name);
    });
  }
  const forget = host.onInterrupt(() => end(child));
  try {
    return await new Promise<CommandEnd>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve({ code, signal, lastWords }));
    });
  } finally {
    forget();
  }
}

/** Asks a process and its children to stop, and ends those that do not. */
function end(child: ChildProcess): void {
  // The parents first: a shell whose command has ended would go on with the next one.
  const family = [child.pid!, ...descendants(child.pid!).toReversed()];
  const send = (signal: NodeJS.Signals): void => {
    for (const pid of family) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  };
  send("SIGINT");
  const timer = setTimeout(() => send("SIGKILL"), patienceMs);
  timer.unref();
  child.once("close", () => clearTimeout(timer));
}
