import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  startKernel as startNodeKernel,
  type ExecuteOptions,
  type ExecuteResult,
  type KernelClient,
  type StartOptions,
} from "turnwise-kernel";
import { closeSite, startBrowserKernel } from "../support/browserKernel.js";
import { patient } from "../support/patient.js";

/** The root of the repository, seen from the compiled tests. */
export const repository = resolve(__dirname, "../../..");

/** Where cells run in these tests: a process of Node, or a worker of a page (`TURNWISE_HOST=browser`). */
export const host = process.env.TURNWISE_HOST === "browser" ? "browser" : "node";

/** Starts a kernel of the host under test. */
export const startKernel = (o: StartOptions): Promise<KernelClient> =>
  host === "browser" ? startBrowserKernel(o) : startNodeKernel(o);

if (host === "browser") after(closeSite);

/**
 * A kernel that all tests of a `describe` share; it runs in the kernel's package, where imports resolve. A function is asked for
 * the options when the kernel starts.
 */
export function sharedKernel(
  o: Partial<StartOptions> | (() => Partial<StartOptions>) = {},
): () => KernelClient {
  let kernel: KernelClient | undefined;
  before(async function () {
    this.timeout(host === "browser" ? 180_000 : 60_000);
    const given = typeof o === "function" ? o() : o;
    kernel = await startKernel({
      cwd: join(repository, "kernel"),
      startTimeoutMs: patient(30_000),
      ...given,
    });
  });
  after(async function () {
    this.timeout(20_000);
    await kernel?.shutdown();
  });
  return () => kernel!;
}

/** Runs a cell that must end well. */
export const runIn =
  (kernel: () => KernelClient) =>
  async (code: string): Promise<ExecuteResult> => {
    const result = await kernel().execute(code);
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    return result;
  };

/** A new empty folder; removed after the tests of a `describe`. */
export function temporaryFolder(): () => string {
  let folder: string | undefined;
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "turnwise-test-")));
  });
  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  return () => folder!;
}

/** The text of all streams of one name. */
export function streamText(result: ExecuteResult, name: "stdout" | "stderr" = "stdout"): string {
  return result.outputs
    .map((output) => (output.output_type === "stream" && output.name === name ? output.text : ""))
    .join("");
}

/** The `text/plain` of a cell's result; undefined without one. */
export function resultText(result: ExecuteResult): string | undefined {
  const output = result.outputs.find((one) => one.output_type === "execute_result");
  return output?.output_type === "execute_result" ? String(output.data["text/plain"]) : undefined;
}

/** A traceback without its colors. */
export function plain(traceback: readonly string[] | undefined): string {
  // eslint-disable-next-line no-control-regex
  return (traceback ?? []).join("\n").replace(/\u001b\[\d+m/g, "");
}

/** Starts a cell and resolves when it runs; the cell's own result comes in `result`. */
export async function started(
  kernel: KernelClient,
  code: string,
  o: ExecuteOptions = {},
): Promise<{ result: Promise<ExecuteResult> }> {
  let seen: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const result = kernel.execute(`console.log("started");${code}`, {
    ...o,
    onMessage: (message) => {
      if (message.header.msg_type === "stream") seen();
      o.onMessage?.(message);
    },
  });
  await Promise.race([running, result]);
  return { result };
}
