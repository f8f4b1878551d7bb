// Uses internals of turnwise-kernel/front.
import assert from "node:assert/strict";
import { History } from "turnwise-kernel/internal/front/history";
import type { QueueHost, Session } from "turnwise-kernel/internal/front/host";
import { CellQueue } from "turnwise-kernel/internal/front/queue";
import { until } from "../support/process.js";

type Request = Parameters<CellQueue["add"]>[0];

describe("the queue of cells", () => {
  it("ends a cell whose plan cannot be made with an error, and goes on with the next", async () => {
    const session: Session = {
      send: () => undefined,
      interrupt: () => undefined,
      debug: () => Promise.resolve({}),
      members: () => Promise.resolve([]),
      stop: () => Promise.resolve(),
    };
    const host: QueueHost = {
      sessions: { open: () => session, spare: false },
      // A service gone wrong: it answers, but with nothing.
      types: { ask: () => Promise.resolve(undefined as never), abandonCheck: () => undefined },
      printed: { begin: () => undefined, add: () => undefined, cut: () => undefined, end: () => undefined },
      log: () => undefined,
    };
    const replies: unknown[] = [];
    const queue = new CellQueue(host, new History(), {
      publish: () => undefined,
      reply: (_request, content) => replies.push(content.evalue ?? content.status),
      askInput: () => undefined,
    });
    const cell = (msg_id: string, code: string): Request =>
      ({ header: { msg_id }, content: { code, stop_on_error: false }, buffers: [] }) as unknown as Request;
    queue.add(cell("a", "1 + 1"));
    queue.add(cell("b", ""));
    await until("both cells to end", () => Promise.resolve(replies.length === 2));
    assert.match(String(replies[0]), /^Cannot run the cell: preparing it failed: Cannot destructure/);
    // Nothing has to be prepared for an empty cell.
    assert.equal(replies[1], "ok");
    await queue.stop();
  });
});
