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
    // Long enough for Node to start twice: how long that is depends on the machine.
    let [grandchild, timeoutMs] = [0, 250];
    for (; grandchild === 0 && timeoutMs < patient(8000); timeoutMs *= 2) {
      const { timedOut, output } = await run(node, ["-e", script], { timeoutMs });
      assert.equal(timedOut, true);
      grandchild = Number(output.trim());
    }
    assert.ok(grandchild > 0);
    await until("the end of the grandchild", () => !isRunning(grandchild));
  });

  it("rejects when there is no such program", async () => {
    await assert.rejects(run("turnwise-no-such-program", []), { code: "ENOENT" });
  });
});
