import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import * as zmq from "zeromq";
import * as turnwise from "turnwise-kernel";
import type { KernelClient, StartOptions } from "turnwise-kernel";
import { descendants } from "turnwise-kernel/dist/process/descendants.js";
import { patient } from "../support/patient.js";
import { argumentsOf, isRunning, until } from "../support/process.js";
import { repository, resultText, started, streamText } from "./with-kernel.js";

const cwd = join(repository, "kernel");

// Without type checks a kernel is up at once, and these tests start many.
const unchecked = { ...process.env, TURNWISE_TYPES: "off" };
const startKernel = (o: StartOptions): Promise<KernelClient> =>
  turnwise.startKernel({ env: unchecked, startTimeoutMs: patient(30_000), ...o });

/** Waits for the end of processes; how long that takes is for the machine to say. */
async function gone(...pids: number[]): Promise<void> {
  await until(`the end of ${pids.join(", ")}`, () => !pids.some(isRunning));
}

/** The letter by which the system names a process's state: T for one that is stopped. */
function stateOf(pid: number): string | undefined {
  return /^\d+ \(.*\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1];
}

async function sessionPid(kernel: KernelClient): Promise<number> {
  return Number(resultText(await kernel.execute("process.pid")));
}

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

  it("restarts behind the same client with a clean slate", async () => {
    const kernel = await startKernel({ cwd });
    await kernel.execute("let before = 1");
    await kernel.shutdown({ restart: true });
    const result = await kernel.execute("typeof globalThis");
    assert.equal(result.executionCount, 1);
    assert.equal((await kernel.execute("before")).status, "error");
    await kernel.shutdown();
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

  it("leaves no orphan when it is killed with SIGKILL in the middle of a blocking cell", async () => {
    const kernel = await startKernel({ cwd });
    const session = await sessionPid(kernel);
    const { result } = await started(kernel, "while (true) {}");
    void result.catch(() => undefined);
    await kernel.kill();
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

  it("says what is wrong with a connection file", async () => {
    for (const [argument, message] of [
      ["", /the path of a connection file must be given: no argument/],
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
