import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { KernelClient } from "turnwise-kernel";
import { descendants } from "turnwise-kernel/dist/process/descendants.js";
import { patient } from "../support/patient.js";
import { startForTrials, tryRow, type Way } from "./interrupts/battery.js";
import { accepted, runawayCallback } from "./interrupts/held.js";
import { rows, type Row } from "./interrupts/rows.js";
import { plain, resultText, sharedKernel, started, streamText, temporaryFolder } from "./with-kernel.js";

/** Each row is interrupted in each of these ways, after so many milliseconds. */
const rounds: readonly [Way, afterMs: number][] = [
  ["message", 0],
  ["message", 10],
  ["SIGINT", 20],
];

/** What the table of rows does not have. */
const more: readonly Row[] = [
  {
    title: "a loop of promise callbacks without await",
    code: "await new Promise(() => { const f = (): any => { ticks++; return Promise.resolve().then(f) }; f() })",
    step: "mark",
  },
  {
    title: "deep recursion without loops",
    code: "function fib(n: number): number { return n < 2 ? n : fib(n - 1) + fib(n - 2) }\nfib(60)",
    step: "termination",
  },
  {
    title: "a child process that ends by itself when it is told",
    code: "require('node:child_process').execSync('trap \"exit 3\" INT; while :; do sleep .05; done')",
    step: "signal",
  },
  {
    title: "an async generator",
    code: "async function* g() { for (;;) { ticks++; yield await new Promise(r => setTimeout(r, 1)) } }\nfor await (const _ of g()) ;",
    step: "mark",
  },
  {
    title: "several loops at once",
    code: "await Promise.all([1, 2, 3].map(async () => { for (;;) { ticks++; await new Promise(r => setTimeout(r, 1)) } }))",
    step: "mark",
  },
  {
    title: "a cell behind a callback over an array that does not return",
    code: "await new Promise(() => {})",
    step: "mark",
    hold: runawayCallback("for (let i = 0; i < 1e15; i++) z[i & 7] = i"),
  },
  {
    title: "a matMul inside scopes, a gradient and an await",
    code: "await 0; tf.tidy(() => tf.grads((x: any) => tf.sum(tf.matMul(big, big)).mul(x))([tf.scalar(1)]))",
    step: "termination",
  },
];

describe("interrupt", function () {
  this.timeout(120_000);
  let client: KernelClient | undefined;
  const kernel = (): KernelClient => client!;
  const folder = temporaryFolder();
  before(async () => {
    client = await startForTrials();
  });
  after(() => client?.shutdown());

  for (const row of [...rows, ...more]) {
    it(`stops ${row.title}, by message and by SIGINT; variables, the next cell and the next gradient are right`, async () => {
      for (const [way, afterMs] of rounds) {
        const { faults } = await tryRow(kernel(), row, afterMs, way);
        assert.deepEqual(faults, [], `by ${way} after ${afterMs} ms`);
      }
    });
  }

  it("says which step stopped the cell", async () => {
    const said = async (code: string): Promise<string> => {
      const { result } = await started(kernel(), code);
      await kernel().interrupt();
      return (await result).error!.evalue;
    };
    assert.equal(await said("await new Promise(() => {})"), "The cell was interrupted");
    assert.match(
      await said("/^(a+)+$/.test('a'.repeat(40) + 'b')"),
      /^The cell was terminated, since it did not/,
    );
    assert.match(
      await said("tf.tidy(() => tf.matMul(big, big))"),
      /if it misbehaves, restart the kernel\. TensorFlow\.js was reset$/,
    );
  });

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

  it("leaves scopes of TensorFlow.js alone that an earlier cell has opened", async () => {
    await kernel().execute("tf.engine().startScope(); const mine = tf.tensor1d([7])");
    const { result } = await started(kernel(), "tf.tidy(() => tf.matMul(big, big))");
    await kernel().interrupt();
    await result;
    const after = await kernel().execute(
      "const open = (tf.engine() as any).state.scopeStack.length; const seven = mine.dataSync()[0]!; tf.engine().endScope(); [open, seven, mine.isDisposed].join()",
    );
    assert.equal(resultText(after), "'1,7,true'", plain(after.error?.traceback));
  });

  it("counts as a second interrupt only for the same cell: the next one gets its time to stop by itself", async () => {
    for (let i = 0; i < 5; i++) {
      const { result } = await started(kernel(), "try { for (;;) Math.sin(1) } finally { log.push('tidy') }");
      await kernel().interrupt();
      await result;
    }
    assert.equal(resultText(await kernel().execute("log.splice(0).length")), "5");
  });

  it("is an exception that the cell can catch, and finally blocks run", async () => {
    const { result: running } = await started(kernel(), `log.length = 0; ${rows[1]!.code}`);
    await sleep(20);
    await kernel().interrupt();
    assert.equal((await running).error!.ename, "KernelInterrupt");
    assert.equal(resultText(await kernel().execute("log.join()")), "'caught,finally'");
  });

  it("ends well when the cell handles it", async () => {
    const { result: running } = await started(
      kernel(),
      "let steps = 0\ntry { for (;;) { steps++; await new Promise(r => setTimeout(r, 2)) } } catch (e) { if (!(e instanceof KernelInterrupt)) throw e }\nsteps > 0",
    );
    await sleep(20);
    await kernel().interrupt();
    const result = await running;
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    assert.equal(resultText(result), "true");
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
        /^started\nThe cell waits for a process that does not heed the interrupt: .*sh -c trap .* \(\d+\)\. Interrupt once more to end it; all variables are kept\.\n$/,
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
      await sleep(patient(400));
      assert.equal(resultText(await kernel().execute("later")), "true", `beside "${also}"`);
      // A cell whose start the termination has met was started again; the next interrupt means what it says.
      const { result: running } = await started(kernel(), "await new Promise(() => {})");
      await kernel().interrupt();
      assert.equal((await running).error!.evalue, "The cell was interrupted");
    }
  });

  it("while nothing runs stops what earlier cells left behind, and harms nothing", async () => {
    const earlier = await kernel().execute("let beats = 0; setInterval(() => beats++, 5); 0");
    // Timers run in the order in which they are due: if the other one still runs, it does so within these 50 ms.
    const more = async (): Promise<string | undefined> =>
      resultText(
        await kernel().execute(
          "await (async (before) => { await new Promise((r) => setTimeout(r, 50)); return beats - before })(beats)",
        ),
      );
    assert.ok(Number(await more()) > 0);
    await kernel().interrupt();
    // The session may be slow to hear of it, but none of these cells is what it stops.
    let later = await more();
    for (let tries = 0; tries < 20 && later !== "0"; tries++) {
      assert.notEqual(later, undefined, "a cell that came after the interrupt was stopped");
      later = await more();
    }
    assert.equal(later, "0");
    assert.equal(streamText(earlier, "stderr"), "");
  });
});

describe("a kernel whose loop blocks", function () {
  this.timeout(90_000);
  const kernel = sharedKernel();

  it("answers on heartbeat, control and shell, and completes", async () => {
    await kernel().execute("let kept = 42");
    const { result: running } = await started(kernel(), "while (true) {}");
    await kernel().heartbeat(patient(20_000));
    const reply = await kernel().request("shell", "kernel_info_request", {}, { timeoutMs: patient(20_000) });
    assert.equal(reply.content.status, "ok");
    const matches = await kernel().request(
      "shell",
      "complete_request",
      { code: "kep", cursor_pos: 3 },
      { timeoutMs: patient(20_000) },
    );
    assert.deepEqual(matches.content.matches, ["kept"]);
    await kernel().interrupt();
    await running;
  });
});
