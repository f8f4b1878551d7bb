import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as zmq from "zeromq";
import { descendants } from "turnwise-kernel/dist/process/descendants.js";
import { patient } from "../support/patient.js";
import { argumentsOf, until } from "../support/process.js";
import { cwd, gone, sessionPid, startKernel, stateOf, unchecked } from "./lives.js";
import { resultText, started, streamText } from "./with-kernel.js";

describe("the life of a kernel", function () {
  this.timeout(60_000);

  it("has a spare session ready, which takes over immediately and ends with the kernel", async () => {
    const kernel = await startKernel({ cwd });
    let spare: number | undefined;
    try {
      const first = await sessionPid(kernel);
      const sessions = (): number[] =>
        descendants(kernel.pid).filter((pid) => argumentsOf(pid).includes("session/node/main.js"));
      await until("the spare session", () => sessions().length >= 2);
      spare = sessions().find((pid) => pid !== first)!;
      assert.equal((await kernel.execute("process.exit(0)")).error!.ename, "SessionEnded");
      assert.equal(await sessionPid(kernel), spare);
      assert.equal(resultText(await kernel.execute("const fresh = [1]; fresh.length")), "1");
    } finally {
      await kernel.shutdown();
    }
    await gone(spare);
  });

  it("survives a session that runs out of memory", async () => {
    const kernel = await startKernel({
      cwd,
      env: { ...unchecked, TURNWISE_NODE_FLAGS: "--max-old-space-size=60" },
    });
    try {
      const result = await kernel.execute(
        "const hoard: number[][] = []; for (;;) hoard.push(new Array(10_000).fill(1.5))",
      );
      assert.equal(result.error!.ename, "SessionEnded");
      assert.match(
        result.error!.evalue,
        /it ran out of memory\. TURNWISE_NODE_FLAGS=--max-old-space-size=8192, set before the kernel starts, gives it 8 GB/,
      );
      assert.equal(resultText(await kernel.execute("2 + 2")), "4");
    } finally {
      await kernel.shutdown();
    }
  });

  it("offers a fresh session after 3 s to a cell that cannot be stopped, and starts it at the next interrupt", async () => {
    const kernel = await startKernel({ cwd });
    try {
      const session = await sessionPid(kernel);
      let offer: () => void = () => undefined;
      const offered = new Promise<void>((resolve) => (offer = resolve));
      // A stopped process has no thread left that could take a step of the ladder.
      const { result: running } = await started(
        kernel,
        "setTimeout(() => process.kill(process.pid, 'SIGSTOP'), 100); await new Promise(() => {})",
        {
          onMessage: ({ content }) => /Interrupt once more to replace/.test(String(content.text)) && offer(),
        },
      );
      await until("the stop of the session", () => stateOf(session) === "T");
      const asked = performance.now();
      await kernel.interrupt();
      await offered;
      assert.ok(performance.now() - asked >= 2_900, "not before 3 s have passed");
      await kernel.interrupt();
      const result = await running;
      assert.equal(result.error!.ename, "SessionEnded");
      assert.equal(resultText(await kernel.execute("3 + 3")), "6");
    } finally {
      await kernel.shutdown();
    }
  });

  it("restarts behind the same client with a clean slate", async () => {
    const kernel = await startKernel({ cwd });
    await kernel.execute("let before = 1");
    await kernel.shutdown({ restart: true });
    const result = await kernel.execute("typeof globalThis");
    assert.equal(result.executionCount, 1);
    assert.equal((await kernel.execute("before")).status, "error");
    await kernel.shutdown();
  });

  it("leaves no orphan when it is killed with SIGKILL in the middle of a blocking cell", async () => {
    const kernel = await startKernel({ cwd });
    const session = await sessionPid(kernel);
    const { result } = await started(kernel, "while (true) {}");
    void result.catch(() => undefined);
    await kernel.kill();
    await gone(session);
  });

  it("works over TCP, and leaves no port open", async () => {
    const kernel = await startKernel({ cwd, transport: "tcp" });
    assert.equal(resultText(await kernel.execute("5 * 5")), "25");
    const port = kernel.process.info.shell_port;
    await kernel.shutdown();
    const hex = port.toString(16).toUpperCase().padStart(4, "0");
    const listening = readFileSync("/proc/net/tcp", "latin1")
      .split("\n")
      .some((row) => row.includes(`:${hex} `) && / 0A /.test(row));
    assert.equal(listening, false);
  });

  it("encrypts all its sockets when the connection file has CurveZMQ keys", async () => {
    const kernel = await startKernel({ cwd, transport: "tcp", encrypted: true });
    const stranger = new zmq.Request({ linger: 0, receiveTimeout: 1_000 });
    try {
      const seen = await kernel.execute("console.log('secret'); const name = await input('who? '); name", {
        onInput: () => "ada",
      });
      assert.equal(streamText(seen), "secret\n");
      assert.equal(resultText(seen), "'ada'");
      assert.ok((await kernel.heartbeat(patient(5_000))) >= 0);
      stranger.connect(`tcp://127.0.0.1:${kernel.process.info.hb_port}`);
      await stranger.send("ping");
      await assert.rejects(stranger.receive(), { code: "EAGAIN" }, "who has no keys hears nothing");
    } finally {
      stranger.close();
      await kernel.shutdown();
    }
  });
});
