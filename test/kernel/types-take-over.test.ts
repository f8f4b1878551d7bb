// Uses internals of turnwise-site/types.
import assert from "node:assert/strict";
import { BrowserTypes, type TypeWorker } from "turnwise-site/internal/types/service";
import { until } from "../support/process.js";

interface Asked {
  readonly id: number;
  readonly kind: string;
}

/** A worker that answers when the test says so. */
class Worker implements TypeWorker {
  readonly asked: Asked[] = [];
  isEnded = false;
  onmessage: TypeWorker["onmessage"] = null;
  onerror: TypeWorker["onerror"] = null;

  postMessage(message: unknown): void {
    if ((message as { t?: string }).t === "request") this.asked.push(message as Asked);
  }

  terminate(): void {
    this.isEnded = true;
  }

  async answer(kind: string, answer: unknown): Promise<void> {
    await until(kind, () => Promise.resolve(this.asked.some((one) => one.kind === kind)));
    const at = this.asked.findIndex((one) => one.kind === kind);
    const [{ id }] = this.asked.splice(at, 1) as [Asked];
    this.onmessage?.({ data: { t: "answer", id, answer } });
  }
}

describe("the worker that first prepares the cells of a page", () => {
  it("answers what it was asked before the types came, and only then ends", async () => {
    const workers: Record<string, Worker> = {};
    const types = new BrowserTypes(
      { first: "first.js", full: "full.js" },
      { base: "", location: "notebooks" },
      undefined,
      (url) => (workers[url] = new Worker()),
    );
    const prepared = types.ask("prepare", { code: "1", name: "cell_1.ts", expressions: {} });
    const loaded = types.load();
    await workers["full.js"]!.answer("isComplete", { status: "complete" });
    await loaded;
    assert.equal(workers["first.js"]!.isEnded, false);
    await workers["first.js"]!.answer("prepare", { ok: true, code: "1" });
    // What it has prepared is told to the one that checks.
    await workers["full.js"]!.answer("restore", undefined);
    assert.deepEqual(await prepared, { ok: true, code: "1" });
    assert.equal(workers["first.js"]!.isEnded, true);
  });
});
