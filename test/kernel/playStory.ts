import assert from "node:assert/strict";
import type { ExecuteResult, KernelClient } from "turnwise-kernel";
import { twenty, type Story } from "./stories.js";
import { plain, resultText, streamText } from "./with-kernel.js";

/** What a story has shown: the last cell's result, all text of its streams, and the seconds that its cells took. */
export interface Played {
  readonly result: string;
  readonly streams: string;
  readonly seconds: number;
}

/** Runs a cell, and interrupts it as soon as a seed has finished. */
async function interrupted(kernel: KernelClient, code: string): Promise<ExecuteResult> {
  let heard: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (heard = resolve));
  const cell = kernel.execute(code, {
    onMessage: ({ header, content }) => {
      const { data } = content as { data?: Record<string, string> };
      if (
        /display_data$/.test(header.msg_type) &&
        /: [1-9]\d* of 20 seeds/.test(String(data?.["text/plain"]))
      )
        heard();
    },
  });
  await Promise.race([finished, cell]);
  await kernel.interrupt();
  const result = await cell;
  assert.equal(result.error?.ename, "KernelInterrupt", plain(result.error?.traceback));
  return result;
}

/** Plays a story in a kernel, cell by cell; the one that its reader interrupts is interrupted. */
export async function play(kernel: KernelClient, story: Story): Promise<Played> {
  const began = performance.now();
  const results: ExecuteResult[] = [];
  for (const [k, code] of story.cells.entries()) {
    const stopped = story === twenty && k === 1;
    const result = await (stopped ? interrupted(kernel, code) : kernel.execute(code));
    if (!stopped) assert.equal(result.status, "ok", plain(result.error?.traceback));
    results.push(result);
  }
  return {
    result: resultText(results.at(-1)!) ?? "",
    streams: results.map((one) => streamText(one) + streamText(one, "stderr")).join(""),
    seconds: (performance.now() - began) / 1000,
  };
}
