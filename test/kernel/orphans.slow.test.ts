import assert from "node:assert/strict";
import { startKernel, type KernelClient } from "turnwise-kernel";
import { patient } from "../support/patient.js";
import { argumentsOf, until, withMark } from "../support/process.js";
import { checksTypes, hangingCheck } from "./interrupts/held.js";
import { processorMs } from "./soak/run.js";
import { temporaryFolder } from "./with-kernel.js";

/** Ignores SIGTERM, and so does what it starts. */
const stubborn = `["-c", "trap '' TERM HUP INT; sleep 600"]`;
const cell = `import { spawn } from "node:child_process"
import { Worker } from "node:worker_threads"
for (const detached of [false, true]) {
  spawn("sh", ${stubborn}, { detached, stdio: "ignore" })
  spawn("sh", ["-c", "sleep 600 & wait"], { detached, stdio: "ignore" })
}
spawn("sh", ["-c", "sleep 600 &"], { stdio: "ignore" })
new Worker("setInterval(() => {}, 1000)", { eval: true })
spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" })
0`;

describe("processes that a kernel has started", function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let count = 0;

  /** A kernel, and all processes of it whoever their parent is. */
  async function marked(): Promise<{ kernel: KernelClient; all: () => number[] }> {
    const [name, value] = ["TURNWISE_TEST_ORPHANS", `${process.pid}-${++count}`];
    const env = { ...process.env, [name]: value };
    const kernel = await startKernel({ cwd: folder(), env, startTimeoutMs: patient(60_000) });
    return { kernel, all: () => withMark(`${name}=${value}`) };
  }
  const gone = (all: () => number[]): Promise<void> =>
    until("the end of all", () => all().length === 0, 15_000).catch((error: Error) => {
      const left = all().map(argumentsOf);
      for (const pid of all()) process.kill(pid, "SIGKILL");
      assert.fail(`${error.message}: ${left.join("; ")}`);
    });
  const sleeping = (all: () => number[]): number =>
    all().filter((pid) => argumentsOf(pid) === "sleep 600").length;

  it("end with a front that is killed while a loop runs", async () => {
    const { kernel, all } = await marked();
    void kernel.execute(`${cell}\nfor (;;) {}`).catch(() => undefined);
    await until("its processes", () => sleeping(all) === 5);
    await kernel.kill();
    await gone(all);
  });

  it("end with a front that is killed: session, spare, type service, and what cells have started", async () => {
    const { kernel, all } = await marked();
    const result = await kernel.execute(cell);
    assert.equal(result.status, "ok", result.error?.evalue);
    await until("its processes", () => sleeping(all) === 5);
    const sessions = (): number =>
      all().filter((pid) => argumentsOf(pid).includes("session/node/main.js")).length;
    await until("the spare", () => sessions() === 2);
    await kernel.kill();
    await gone(all);
  });

  it("end with a kernel that is shut down, also those that ignore SIGTERM", async () => {
    const { kernel, all } = await marked();
    await kernel.execute(cell);
    await until("its processes", () => sleeping(all) === 5);
    await kernel.shutdown();
    await gone(all);
  });

  it("end with a kernel that is shut down while its type service is halted", async () => {
    const { kernel, all } = await marked();
    await kernel.execute("1");
    await hangingCheck(kernel);
    await kernel.shutdown();
    await gone(all);
  });

  it("end with a front that is killed while the types of a cell are checked", async () => {
    const { kernel, all } = await marked();
    await kernel.execute("1");
    // Each of the functions takes the checker some 20 ms.
    const slow = Array.from(
      { length: 4_000 },
      (_, i) =>
        `function f${i}() { type P${i}<T extends string> = T extends \`\${infer A}\${infer B}\` ? A | P${i}<B> : ${i}; let x: P${i}<"${"abcdefghijklmnopqrstuvwxyz".repeat(20)}">; return [x!, ${i}] as const }`,
    ).join("\n");
    const types = all().find((pid) => checksTypes(pid))!;
    const before = processorMs(types);
    void kernel.execute(slow).catch(() => undefined);
    await until("the check", () => processorMs(types) >= before + 200);
    await kernel.kill();
    await gone(all);
  });
});
