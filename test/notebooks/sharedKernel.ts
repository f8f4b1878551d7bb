// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import fs from "node:fs";
import { startKernel, type KernelClient, type StartOptions } from "turnwise-kernel";
import { executeNotebook, type ExecutedNotebook } from "turnwise-kernel/dist/runner/execute.js";
import type { Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { patient } from "../support/patient.js";

/**
 * A kernel that runs notebooks one after another, each in a new session: a new process, in which no name is declared. What a kernel
 * spends most of its start on, reading the types of the library, it does once.
 */
export interface SharedKernel {
  /** Runs the code cells in order; `budgetMs` is four times as long in CI. */
  run(notebook: Notebook, o: { budgetMs: number }): Promise<ExecutedNotebook>;
}

/** A kernel for all tests of a `describe`; it starts with the first notebook that it runs. */
export function sharedKernel(o: StartOptions): SharedKernel {
  let kernel: KernelClient | undefined;
  after(async function () {
    this.timeout(20_000);
    await kernel?.shutdown();
  });

  /** The kernel as `executeNotebook` has it: to shut it down only ends the session. */
  async function borrow(): Promise<KernelClient> {
    const client = (kernel ??= await startKernel({ startTimeoutMs: patient(30_000), ...o }));
    const end: Partial<KernelClient> = {
      async shutdown() {
        const { status } = await client.execute("process.exit(0)", { stopOnError: false });
        assert.equal(status, "error", "the session must end");
      },
      async kill() {
        kernel = undefined;
        await client.kill();
      },
    };
    return new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(name in end ? end : target, name);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  }

  return {
    async run(notebook, { budgetMs }) {
      const before = new Set(fs.readdirSync(o.cwd));
      try {
        return await executeNotebook(notebook, { cwd: o.cwd, budgetMs: patient(budgetMs), start: borrow });
      } finally {
        // What its cells have written beside it; files of a reader who ran it before stay.
        for (const one of fs.readdirSync(o.cwd))
          if (!before.has(one)) fs.rmSync(`${o.cwd}/${one}`, { recursive: true });
      }
    },
  };
}
