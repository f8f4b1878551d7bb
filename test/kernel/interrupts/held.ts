import { spawnSync } from "node:child_process";
import type { ExecuteOptions, ExecuteResult, KernelClient } from "turnwise-kernel";
import { descendants } from "turnwise-kernel/dist/process/descendants.js";

/** Sends a cell and waits until the kernel says that it has it, whether it runs or not. */
export async function accepted(
  kernel: KernelClient,
  code: string,
  o: ExecuteOptions = {},
): Promise<{ result: Promise<ExecuteResult> }> {
  let seen: () => void = () => undefined;
  const input = new Promise<void>((resolve) => (seen = resolve));
  const result = kernel.execute(code, {
    ...o,
    onMessage: (message) => {
      if (message.header.msg_type === "execute_input") seen();
      o.onMessage?.(message);
    },
  });
  await Promise.race([input, result]);
  return { result };
}

/** An earlier cell ends, and leaves a callback that runs for ever; `also` stands beside it in the cell. */
export const runawayCallback =
  (loop: string, also = "") =>
  async (kernel: KernelClient): Promise<void> => {
    let seen: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (seen = resolve));
    const { error } = await kernel.execute(
      `var z = new Float64Array(8); setTimeout(() => { console.log("begun"); ${loop} }, 1); ${also} 0`,
      {
        onMessage: ({ header }) => {
          if (header.msg_type === "stream") seen();
        },
      },
    );
    if (error) throw new Error(error.evalue);
    await begun;
  };

// Empty when the process has ended since it was listed.
const argsOf = (pid: number): string =>
  spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout;

/** Whether a process is a type service: another may be making a snapshot for the next kernel. */
export const checksTypes = (pid: number): boolean => {
  const args = argsOf(pid);
  return /types[/\\]main|snapshot-blob/.test(args) && !/build-snapshot|snapshot-make/.test(args);
};

/** The process that checks types stands still, as a check that takes for ever would. */
export async function hangingCheck(kernel: KernelClient): Promise<void> {
  // Asked first, so that it is there.
  await kernel.request("shell", "is_complete_request", { code: "1" });
  process.kill(descendants(kernel.pid).find(checksTypes)!, "SIGSTOP");
}
