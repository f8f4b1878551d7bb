import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { KernelClient } from "turnwise-kernel";
import { patient } from "../support/patient.js";
import { until } from "../support/process.js";
import { startForTrials } from "./interrupts/battery.js";
import { rows, typical } from "./interrupts/rows.js";
import { tryEach } from "./interrupts/trials.js";
import { plain, resultText, sharedKernel, started, streamText } from "./with-kernel.js";

describe("interrupt", function () {
  this.timeout(120_000);
  let client: KernelClient | undefined;
  const kernel = (): KernelClient => client!;
  before(async () => {
    client = await startForTrials();
  });
  after(() => client?.shutdown());

  tryEach(typical, kernel);

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

  it("lets a timer of an earlier cell finish that runs while the cell waits, with marks in its code or without", async () => {
    await kernel().execute(
      // Code that is made of a text has no marks.
      "var handled = 0; const spin = new Function('ms', 'const end = Date.now() + ms; while (Date.now() < end);');\n" +
        "const marked = (ms: number) => { const end = Date.now() + ms; while (Date.now() < end) Math.sin(1) }",
    );
    for (const work of ["spin(700)", "marked(700)"]) {
      await kernel().execute(
        `handled = 0; setTimeout(() => { console.log("at it"); ${work}; handled++ }, 50); 0`,
      );
      const { result } = await started(kernel(), "await new Promise(() => {})");
      await sleep(150);
      await kernel().interrupt();
      assert.equal((await result).error!.evalue, "The cell was interrupted");
      assert.equal(resultText(await kernel().execute("handled")), "1", work);
    }
  });

  it("ends a timer of an earlier cell that does not return while the cell waits", async () => {
    for (const work of ["spin(1e9)", "marked(1e9)"]) {
      await kernel().execute(`setTimeout(() => { ${work} }, 50); 0`);
      const { result } = await started(kernel(), "await new Promise(() => {})");
      await sleep(150);
      await kernel().interrupt();
      assert.equal((await result).error!.ename, "KernelInterrupt", work);
      assert.equal(resultText(await kernel().execute("kept")), "42");
    }
  });

  it("sent before a cell was never meets that cell, however soon it comes", async () => {
    const cells = [
      "1",
      "let sum = 0; for (let i = 0; i < 20_000; i++) sum += i; sum",
      "await new Promise((r) => setTimeout(r, 1)); 2",
      "await input('?')",
      "require('node:child_process').execFileSync('true')",
    ];
    let state = 7;
    // Lehmer's generator.
    const random = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
    for (let round = 0; round < 150; round++) {
      await kernel().interrupt();
      if (random() < 0.5) await sleep(random() * 3);
      const code = cells[Math.floor(random() * cells.length)]!;
      const { error } = await kernel().execute(code, { allowStdin: true, onInput: () => "answer" });
      assert.equal(error, undefined, `round ${round}, ${code}: ${error?.evalue}`);
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
    await until("the end of the timer", async () => {
      const later = await more();
      assert.notEqual(later, undefined, "a cell that came after the interrupt was stopped");
      return later === "0";
    });
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
