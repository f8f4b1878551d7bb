import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { KernelClient } from "turnwise-kernel";
import { descendants } from "turnwise-kernel/dist/process/descendants.js";
import { until } from "../support/process.js";
import { startForTrials } from "./interrupts/battery.js";
import { accepted, runawayCallback } from "./interrupts/held.js";
import { more, rows, typical } from "./interrupts/rows.js";
import { tryEach } from "./interrupts/trials.js";
import { resultText, started, temporaryFolder } from "./with-kernel.js";

describe("interrupt", function () {
  this.timeout(120_000);
  let client: KernelClient | undefined;
  const kernel = (): KernelClient => client!;
  const folder = temporaryFolder();
  before(async () => {
    client = await startForTrials();
  });
  after(() => client?.shutdown());

  tryEach(
    [...rows, ...more].filter((row) => !typical.includes(row)),
    kernel,
  );

  it("resets a library after a termination, even if that takes long", async () => {
    // The clean-up takes 4 times as long as an unheard termination waits before it is repeated.
    await kernel().execute(
      "const engine = (globalThis as any)._tfengine; const endScope = engine.endScope\n" +
        "engine.endScope = function () { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400); endScope.call(this) }",
    );
    const { result } = await started(kernel(), "engine.startScope(); /^(a+)+$/.test('a'.repeat(40) + 'b')");
    await kernel().interrupt();
    assert.match((await result).error!.evalue, /TensorFlow\.js was reset$/);
    assert.equal(
      resultText(
        await kernel().execute(
          "engine.endScope = endScope; [kept, (tf.engine() as any).state.scopeStack.length].join()",
        ),
      ),
      "'42,0'",
    );
  });

  it("gives a finally block time to clean up", async () => {
    const { result: running } = await started(
      kernel(),
      "try { for (;;) Math.cos(1) } finally { await new Promise(r => setTimeout(r, 500)); log.push('saved') }",
    );
    await sleep(20);
    await kernel().interrupt();
    await running;
    assert.equal(resultText(await kernel().execute("log.at(-1)")), "'saved'");
  });

  it("stops a loop of a library, in which no marks stand and which V8 would unroll", async () => {
    const file = join(folder(), "endless.cjs");
    writeFileSync(
      file,
      "exports.fill = (x) => { let kept; while (x) kept = new Array(1000).fill(0); return kept; };\n",
    );
    const { result } = await started(kernel(), `require(${JSON.stringify(file)}).fill(1)`);
    // By then the loop has been compiled.
    await sleep(1_000);
    await kernel().interrupt();
    assert.match((await result).error!.evalue, /^The cell was terminated, since it did not/);
    assert.equal(resultText(await kernel().execute("kept")), "42");
  });

  it("also stops a cell that swallows every exception", async () => {
    const { result: running } = await started(kernel(), "for (;;) { try { for (;;) Math.sin(2) } catch {} }");
    await sleep(20);
    await kernel().interrupt();
    assert.equal((await running).status, "error");
    assert.equal(resultText(await kernel().execute("kept")), "42");
  });

  it("ends a child process that ignores its signal by the second interrupt, says so at the first, and keeps all variables", async () => {
    const deaf = "trap '' INT; while :; do sleep .05; done";
    for (const call of [
      `execSync(${JSON.stringify(deaf)})`,
      `spawnSync("sh", ["-c", ${JSON.stringify(deaf)}])`,
    ]) {
      let said: () => void = () => undefined;
      const told = new Promise<void>((resolve) => (said = resolve));
      const { result } = await started(kernel(), `require("node:child_process").${call}`, {
        onMessage: ({ content }) => {
          if (content.name === "stderr") said();
        },
      });
      await kernel().interrupt();
      await told;
      await kernel().interrupt();
      const { error, outputs } = await result;
      assert.equal(error!.ename, "KernelInterrupt", error!.evalue);
      const text = outputs.map((one) => (one.output_type === "stream" ? one.text : "")).join("");
      assert.match(
        text,
        /^started\nThe cell waits for a process that ignores the interrupt: .*sh -c trap .* \(\d+\)\. Interrupt once more to end it; all variables are kept\.\n$/,
      );
      assert.equal(resultText(await kernel().execute("kept")), "42");
    }
    const left = descendants(kernel().pid).map((pid) =>
      execFileSync("ps", ["-o", "args=", "-p", String(pid)]),
    );
    assert.deepEqual(
      left.filter((one) => one.includes("trap ''")),
      [],
    );
  });

  it("leaves alone what is begun right after a callback of an earlier cell was terminated", async () => {
    const busy = "require('node:crypto').pbkdf2Sync('a', 'b', 400_000, 64, 'sha512')";
    // The second callback is one that V8 cannot end: the main thread hears of the termination late, and of more than one.
    for (const also of ["", `setTimeout(() => ${busy}, 2);`]) {
      await runawayCallback("for (let i = 0; i < 1e15; i++) z[i & 7] = i", also)(kernel());
      const { result: waiting } = await accepted(kernel(), "await new Promise(() => {})");
      await kernel().interrupt();
      await waiting;
      await kernel().execute("var later = false; setTimeout(() => (later = true), 100); 0");
      await until(
        `the timer beside "${also}"`,
        async () => resultText(await kernel().execute("later")) === "true",
      );
      // A cell whose start the termination has met was started again; the next interrupt means what it says.
      const { result: running } = await started(kernel(), "await new Promise(() => {})");
      await kernel().interrupt();
      assert.equal((await running).error!.evalue, "The cell was interrupted");
    }
  });
});
