import assert from "node:assert/strict";
import type { KernelClient } from "turnwise-kernel";
import { plain } from "./with-kernel.js";

/** What the reader of a refused cell sees. */
export const refusalIn =
  (kernel: () => KernelClient) =>
  async (code: string): Promise<string> => {
    const { status, error } = await kernel().execute(code);
    assert.equal(status, "error", code);
    return plain(error?.traceback);
  };

/** What Tab offers at the bar, and the text that it would replace. */
export const offeredIn =
  (kernel: () => KernelClient) =>
  async (text: string): Promise<{ matches: string[]; replaced: string }> => {
    const [before, after = ""] = text.split("|") as [string, string?];
    const code = before + after;
    const { content } = await kernel().request("shell", "complete_request", {
      code,
      cursor_pos: before.length,
    });
    const {
      matches,
      cursor_start: start,
      cursor_end: end,
    } = content as {
      matches: string[];
      cursor_start: number;
      cursor_end: number;
    };
    return { matches, replaced: code.slice(start, end) };
  };
