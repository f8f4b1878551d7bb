import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { plain, resultText, sharedKernel, streamText, temporaryFolder } from "./with-kernel.js";

describe("a cell that removes all listeners of the process", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();

  it("leaves the session's guard against errors that nobody awaits", async () => {
    await kernel().execute("let alive = 6");
    for (const remove of [
      "process.removeAllListeners('uncaughtException')",
      "process.removeAllListeners()",
      "for (const one of process.listeners('uncaughtException')) process.off('uncaughtException', one)",
    ]) {
      const code = `${remove}; setTimeout(() => { throw new Error('stray') }, 1); await new Promise((r) => setTimeout(r, 30))`;
      assert.equal((await kernel().execute(code)).status, "ok");
      assert.equal(resultText(await kernel().execute("alive")), "6", remove);
    }
  });
});

describe("execute_request", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();
  const folder = temporaryFolder();

  it("shows the value of the last expression as execute_result", async () => {
    const result = await kernel().execute("const a = 2;\na + 1");
    assert.equal(result.status, "ok");
    assert.deepEqual(result.outputs, [
      {
        output_type: "execute_result",
        data: { "text/plain": "3" },
        metadata: {},
        execution_count: result.executionCount,
      },
    ]);
  });

  it("shows nothing for undefined and a value for null", async () => {
    assert.deepEqual((await kernel().execute("undefined")).outputs, []);
    assert.deepEqual((await kernel().execute("let unshown = 1")).outputs, []);
    assert.equal(resultText(await kernel().execute("null")), "null");
  });

  it("sends busy, input, output, reply and idle in this order with the request as parent", async () => {
    const types: string[] = [];
    const result = await kernel().execute("console.log('x'); 5", {
      onMessage: ({ header, content }) =>
        types.push(header.msg_type === "status" ? String(content.execution_state) : header.msg_type),
    });
    assert.deepEqual(types, ["busy", "execute_input", "stream", "execute_result", "idle"]);
    assert.equal(result.reply.content.status, "ok");
  });

  it("keeps stdout, stderr and displays in the order in which the cell made them", async () => {
    const result = await kernel().execute(
      "console.log(1); console.error(2); display(html('<b>3</b>')); console.log(4)",
    );
    const kinds = result.outputs.map((output) =>
      output.output_type === "stream" ? `${output.name}:${output.text.trim()}` : output.output_type,
    );
    assert.deepEqual(kinds, ["stdout:1", "stderr:2", "display_data", "stdout:4"]);
  });

  it("delivers each of 10,000 printed lines, in order and before idle, in few messages", async () => {
    let messages = 0;
    const result = await kernel().execute("for (let i = 0; i < 10_000; i++) console.log('line', i)", {
      onMessage: ({ header }) => {
        if (header.msg_type === "stream") messages++;
      },
    });
    const lines = streamText(result).trimEnd().split("\n");
    assert.equal(lines.length, 10_000);
    lines.forEach((line, i) => assert.equal(line, `line ${i}`));
    assert.ok(messages < 200, `${messages} stream messages`);
  });

  it("delivers output while a loop blocks the session", async () => {
    let seen = "";
    // The loop goes on after a line only when that line has arrived here: one held back would hold it up for ever.
    const result = await kernel().execute(
      `const { existsSync } = require("node:fs"); const nap = new Int32Array(new SharedArrayBuffer(4));
for (let i = 0; i < 3; i++) { console.log(i); while (!existsSync(${JSON.stringify(folder())} + "/" + i)) Atomics.wait(nap, 0, 0, 10); }`,
      {
        onMessage: ({ header, content }) => {
          if (header.msg_type !== "stream") return;
          seen += String(content.text);
          for (const line of seen.trimEnd().split("\n")) writeFileSync(join(folder(), line), "");
        },
      },
    );
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    assert.equal(seen, "0\n1\n2\n");
  });

  it("carries output of child processes and of native code, which bypasses console", async () => {
    const result = await kernel().execute(
      "require('node:child_process').execSync('echo from the child', { stdio: 'inherit' }); require('node:fs').writeSync(1, 'raw\\n')",
    );
    assert.match(streamText(result), /from the child\n/);
    assert.match(streamText(result), /raw\n/);
  });

  it("counts cells, but neither silent ones nor those that store no history", async () => {
    const first = await kernel().execute("1");
    const silent = await kernel().execute("2", { silent: true });
    const unstored = await kernel().execute("3", { storeHistory: false });
    const next = await kernel().execute("4");
    assert.equal(silent.executionCount, first.executionCount);
    assert.equal(unstored.executionCount, first.executionCount);
    assert.equal(next.executionCount, first.executionCount + 1);
    assert.deepEqual(silent.outputs, []);
    assert.equal(resultText(unstored), "3");
  });

  it("evaluates user_expressions after the cell", async () => {
    const result = await kernel().execute("const seven = 7", {
      userExpressions: { good: "seven * 6", bad: "nowhere.x" },
    });
    const expressions = result.reply.content.user_expressions as Record<string, Record<string, unknown>>;
    assert.deepEqual(expressions.good, { status: "ok", data: { "text/plain": "42" }, metadata: {} });
    assert.equal(expressions.bad!.status, "error");
    assert.equal(expressions.bad!.ename, "ReferenceError");
  });

  it("reports an exception with name, message and a traceback that points into the cell", async () => {
    const result = await kernel().execute(
      "function deep(n: number): number {\n  throw new RangeError('too deep');\n}\ndeep(1)",
    );
    assert.equal(result.status, "error");
    assert.equal(result.error!.ename, "RangeError");
    assert.equal(result.error!.evalue, "too deep");
    const text = plain(result.error!.traceback);
    const script = `cell_${result.executionCount}.ts`;
    // `throw new` begins at column 3; the error object is made at column 9.
    assert.match(text, new RegExp(`at deep \\(${script}:2:9\\)`));
    assert.match(text, new RegExp(`at ${script}:4:1`));
    assert.match(text, /2 \| {3}throw new RangeError/);
    assert.doesNotMatch(text, /node:|dist\/session/, "no frames of the kernel");
    assert.equal(result.outputs.at(-1)!.output_type, "error");
  });

  it("keeps columns exact after code that the kernel has changed", async () => {
    const result = await kernel().execute(
      "const f = async (x: number): Promise<number> => { await x; throw new Error('e') }\nawait f(1); 0",
    );
    const text = plain(result.error!.traceback);
    // Counted in the cell: "throw" is at column 60, "new" at 66.
    assert.match(text, /cell_\d+\.ts:1:66/);
  });

  it("shows the cause of an error, and thrown values that are not errors", async () => {
    const caused = await kernel().execute("throw new Error('outer', { cause: new TypeError('inner') })");
    assert.match(plain(caused.error!.traceback), /Error: outer[\s\S]*Caused by:[\s\S]*TypeError: inner/);
    const thrown = await kernel().execute("throw { code: 3 }");
    assert.equal(thrown.error!.ename, "Thrown");
    assert.equal(thrown.error!.evalue, "{ code: 3 }");
  });

  it("keeps the variables of a cell that threw", async () => {
    await kernel().execute("let kept = 5; throw new Error('x')");
    assert.equal(resultText(await kernel().execute("kept")), "5");
  });

  it("answers queued cells with aborted after an error, and only those", async () => {
    let go: () => void = () => undefined;
    const sent = new Promise<string>((resolve) => (go = () => resolve("")));
    const failing = kernel().execute("await input('Go?'); throw new Error('stop')", { onInput: () => sent });
    const queued = [kernel().execute("1"), kernel().execute("2")];
    const info = kernel().request("shell", "kernel_info_request", {});
    // Its answer says that what was sent before has come.
    await info;
    go();
    assert.equal((await failing).status, "error");
    assert.deepEqual(
      (await Promise.all(queued)).map(({ status }) => status),
      ["aborted", "aborted"],
    );
    assert.equal((await info).content.status, "ok", "requests that are no cells are not aborted");
    assert.equal((await kernel().execute("3")).status, "ok", "nor are cells that come later");
  });

  it("runs queued cells after an error when stop_on_error is false", async () => {
    const failing = kernel().execute("await 0; throw new Error('go on')", { stopOnError: false });
    const queued = kernel().execute("6 * 7");
    assert.equal((await failing).status, "error");
    assert.equal(resultText(await queued), "42");
  });

  it("survives errors that nobody awaits, and shows them in the cell that caused them", async () => {
    const result = await kernel().execute(
      "setTimeout(() => { throw new Error('in a timer') }, 10); Promise.reject(new Error('unhandled')); 0",
    );
    await kernel().execute("await new Promise(r => setTimeout(r, 100))");
    assert.match(streamText(result, "stderr"), /in a timer/);
    assert.match(streamText(result, "stderr"), /unhandled/);
    assert.equal(resultText(await kernel().execute("1 + 1")), "2");
  });

  it("assigns late output to the cell that started it", async () => {
    const early = await kernel().execute(
      "setTimeout(() => console.log('late'), 150); void (async () => { await new Promise(r => setTimeout(r, 200)); console.log('later') })()",
    );
    const next = await kernel().execute(
      "console.log('mine'); await new Promise(r => setTimeout(r, 400)); console.log('still mine')",
    );
    assert.equal(streamText(early), "late\nlater\n");
    assert.equal(streamText(next), "mine\nstill mine\n");
  });
});
