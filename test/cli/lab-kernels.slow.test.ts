import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { startTestLab, stopTestLab, type TestLab } from "../support/jupyter.js";
import { skip } from "../support/needs.js";
import { root } from "../support/paths.js";
import { isRunning, until } from "../support/process.js";

const runtime = path.join(root, ".turnwise", "runtime");

/** The processes whose command line names the given text. */
function processesNaming(text: string): number[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The children of a process, and theirs. */
function descendants(pid: number): number[] {
  const file = `/proc/${String(pid)}/task/${String(pid)}/children`;
  const children = fs.existsSync(file)
    ? fs.readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number)
    : [];
  return children.flatMap((child) => [child, ...descendants(child)]);
}

describe("a real JupyterLab", function () {
  this.timeout(180_000);
  this.slow(30_000);
  let lab: TestLab | undefined;

  before(async function () {
    this.timeout(300_000);
    if (!fs.existsSync("/proc/self/cmdline")) skip(this, "needs Linux");
    lab = await startTestLab(this);
  });
  after(() => stopTestLab(lab));

  async function api(method: string, name: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(new URL(`/api/${name}`, lab!.url), {
      method,
      headers: { Authorization: `token ${lab!.token}` },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    assert.ok(response.ok, `${method} ${name}: ${String(response.status)}`);
    return (await response.json()) as Record<string, unknown>;
  }

  it("knows the kernel turnwise with its logos, from the project's own folder", async () => {
    const { kernelspecs } = (await api("GET", "kernelspecs")) as {
      kernelspecs: Record<string, { spec: { interrupt_mode: string }; resources: Record<string, string> }>;
    };
    assert.equal(kernelspecs.turnwise.spec.interrupt_mode, "message");
    assert.deepEqual(Object.keys(kernelspecs.turnwise.resources).sort(), [
      "logo-32x32",
      "logo-64x64",
      "logo-svg",
    ]);
  });

  it("takes its kernels with it when it is stopped: no process stays behind", async () => {
    const kernel = await api("POST", "kernels", { name: "turnwise" });
    const file = path.join(runtime, `kernel-${String(kernel.id)}.json`);
    await until("the kernel's process", () => processesNaming(file).length > 0, 60_000);
    const [front] = processesNaming(file);
    await until("the process of the cells", () => descendants(front).length > 0, 60_000);
    const all = [lab!.pid, front, ...descendants(front)];
    assert.ok(all.every(isRunning));
    await lab!.stop();
    await until("the end of all of them", () => !all.some(isRunning), 20_000);
    assert.deepEqual(processesNaming(file), []);
    assert.equal(fs.existsSync(path.join(runtime, `jpserver-${String(lab!.pid)}.json`)), false);
  });
});
