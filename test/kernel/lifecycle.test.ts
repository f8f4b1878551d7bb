import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { cwd, gone, sessionPid, startKernel } from "./lives.js";
import { repository, resultText, started } from "./with-kernel.js";

describe("the life of a kernel", function () {
  this.timeout(60_000);

  it("survives the death of its session, says so once, and goes on with a fresh one", async () => {
    const kernel = await startKernel({ cwd, env: process.env });
    try {
      for (const [code, reason] of [
        ["let lost = 1; process.exit(3)", "it ended with exit code 3"],
        ["process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})", "it was ended by SIGKILL"],
        ["process.abort()", "it was ended by SIGABRT"],
      ]) {
        const queued = [kernel.execute(code!), kernel.execute("'queued'")];
        const [died, aborted] = await Promise.all(queued);
        assert.equal(died!.status, "error");
        assert.equal(died!.error!.ename, "SessionEnded");
        assert.match(
          died!.error!.evalue,
          new RegExp(`^The session that runs the cells has ended: ${reason}`),
        );
        assert.equal(died!.outputs.filter((output) => output.output_type === "error").length, 1);
        assert.equal(aborted!.status, "aborted");
      }
      const fresh = await kernel.execute("typeof lost");
      assert.equal(fresh.error!.ename, "TypeScriptError", "the type checker has forgotten the name as well");
      assert.equal(resultText(await kernel.execute("1 + 1")), "2");
    } finally {
      await kernel.shutdown();
    }
  });

  it("echoes restart in its shutdown reply and ends with everything it started", async () => {
    const kernel = await startKernel({ cwd });
    const session = await sessionPid(kernel);
    const child = Number(
      resultText(await kernel.execute("require('node:child_process').spawn('sleep', ['60']).pid")),
    );
    const reply = await kernel.request("control", "shutdown_request", { restart: true });
    assert.deepEqual(reply.content, { status: "ok", restart: true });
    assert.equal(reply.header.msg_type, "shutdown_reply");
    await gone(kernel.pid, session, child);
    await kernel.kill();
  });

  it("ends while a cell blocks its session", async () => {
    const kernel = await startKernel({ cwd });
    const session = await sessionPid(kernel);
    const { result } = await started(kernel, "while (true) {}");
    const running = result.catch(() => undefined);
    await kernel.shutdown();
    await running;
    await gone(session);
  });

  it("dies with the process that started it", async () => {
    const script = `
      const { startKernel } = require(${JSON.stringify(join(repository, "kernel/dist/index.js"))});
      startKernel({ cwd: ${JSON.stringify(cwd)} }).then(async (kernel) => {
        const result = await kernel.execute("process.pid");
        console.log(kernel.pid, result.outputs[0].data["text/plain"], kernel.process.connectionFile);
        setInterval(() => {}, 1000);
      });`;
    const parent = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(createInterface(parent.stdout), "line")) as [string];
    const [kernelPid, session, file] = line.split(" ");
    parent.kill("SIGKILL");
    await gone(Number(kernelPid), Number(session));
    if (existsSync(dirname(file!))) {
      const sockets = readdirSync(dirname(file!)).filter((name) => name.startsWith("k-"));
      assert.deepEqual(sockets, [], "no socket is left open");
    }
  });

  it("says what is wrong with a connection file", async () => {
    for (const [argument, message] of [
      ["", /the path of a connection file must be given, got no argument\./],
      ["/nowhere/file.json", /ENOENT/],
    ] as const) {
      const argv = argument === "" ? [] : [argument];
      const child = spawn(process.execPath, [join(cwd, "dist/front/main.js"), ...argv], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      let stderr = "";
      child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
      const [code] = (await once(child, "close")) as [number];
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
  });
});
