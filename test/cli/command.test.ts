import assert from "node:assert/strict";
import { run } from "turnwise-kernel/bootstrap/command.cjs";
import { patient } from "../support/patient.js";
import { isRunning, until } from "../support/process.js";

const node = process.execPath;

describe("running a command", () => {
  it("resolves with the exit code and all output, line by line", async () => {
    const lines: string[] = [];
    const script = `process.stdout.write("one\\ntwo\\n"); console.error("three"); process.exitCode = 3;`;
    const result = await run(node, ["-e", script], { onLine: (line) => lines.push(line) });
    assert.equal(result.code, 3);
    assert.deepEqual([...lines].sort(), ["one", "three", "two"]);
    assert.equal(result.timedOut, false);
  });

  it("also ends what the command has started when its time is up", async () => {
    const script = `const child = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
      console.log(child.pid); setInterval(() => {}, 1000);`;
    // Time for Node to start, on a busy machine as well.
    const result = await run(node, ["-e", script], { timeoutMs: patient(4000) });
    assert.equal(result.timedOut, true);
    const grandchild = Number(result.output.trim());
    assert.ok(grandchild > 0, result.output);
    await until("the end of the grandchild", () => !isRunning(grandchild));
  });

  it("rejects when there is no such program", async () => {
    await assert.rejects(run("turnwise-no-such-program", []), { code: "ENOENT" });
  });
});
