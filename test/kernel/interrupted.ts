import assert from "node:assert/strict";
import type { ExecuteResult, KernelClient } from "turnwise-kernel";
import type { Message } from "turnwise-kernel";
import { plain, runIn } from "./with-kernel.js";

/** Imports names of the library before the tests of a `describe`. */
export function importIn(kernel: () => KernelClient, ...names: string[]): void {
  before(() => runIn(kernel)(`import { ${names.join(", ")} } from "turnwise";`));
}

/** Interrupts a cell at the first of its messages that is enough, which is unless told otherwise what it prints. */
export async function interruptedIn(
  kernel: KernelClient,
  code: string,
  isEnough: (message: Message) => boolean = ({ header }) => header.msg_type === "stream",
): Promise<ExecuteResult> {
  let heard: () => void = () => undefined;
  const working = new Promise<void>((resolve) => (heard = resolve));
  const cell = kernel.execute(code, {
    onMessage: (message) => {
      if (isEnough(message)) heard();
    },
  });
  await Promise.race([working, cell]);
  await kernel.interrupt();
  const result = await cell;
  assert.equal(result.error?.ename, "KernelInterrupt", plain(result.error?.traceback));
  return result;
}
