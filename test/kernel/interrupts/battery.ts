import { setTimeout as sleep } from "node:timers/promises";
import { startKernel, type ExecuteResult, type KernelClient, type Message } from "turnwise-kernel";
import { join } from "node:path";
import { patient } from "../../support/patient.js";
import { plain, repository, resultText, started, streamText } from "../with-kernel.js";
import { accepted } from "./held.js";
import { setupWith, type Row, type Step } from "./rows.js";

/** What came of interrupting one cell once. */
export interface Trial {
  /** Undefined when the cell was not stopped by a step of the ladder. */
  step: Step | undefined;
  /** From the interrupt to the end of the cell, in milliseconds. */
  took: number;
  /** What did not hold, in words; empty when all did. */
  faults: string[];
}

const setup = setupWith("turnwise/internal/tensor/backend");

/** A kernel on Node in which rows can be tried; the type check, which runs before a cell, plays no part here. */
export async function startForTrials(): Promise<KernelClient> {
  const kernel = await startKernel({
    cwd: join(repository, "kernel"),
    env: { ...process.env, TURNWISE_TYPES: "off" },
    startTimeoutMs: patient(60_000),
  });
  await setUp(kernel, setup);
  return kernel;
}

/** Runs what comes before the rows. */
export async function setUp(kernel: KernelClient, code: string): Promise<void> {
  const result = await kernel.execute(code);
  if (result.status !== "ok") throw new Error(plain(result.error?.traceback));
}

/** The step that a cell's error message names. */
export function stepOf({ error }: ExecuteResult): Step | undefined {
  if (error?.ename === "SessionEnded") return "new session";
  if (error?.ename !== "KernelInterrupt") return undefined;
  if (error.evalue.startsWith("The cell was terminated")) return "termination";
  if (error.evalue.startsWith("The cell was interrupted before it ran")) return "check";
  return error.evalue.startsWith("The cell was interrupted in a child process") ? "signal" : "mark";
}

/** How a front end asks for an interrupt. */
export type Way = "message" | "SIGINT";

/** Said of a cell that no interrupt stops: the next one costs the variables. */
const offer = /^The cell does not stop\. Interrupt once more to replace its session/;

/**
 * Runs a row's cell, interrupts it after `afterMs` of running, by a message or by a signal, and looks at what is left: the error, the variables,
 * whether anything goes on, and whether the next cell and the next gradient are right. A second interrupt follows where the kernel warns
 * that it costs the variables; then they must be gone, and `again` makes them again.
 */
export async function tryRow(
  kernel: KernelClient,
  row: Row,
  afterMs: number,
  way: Way = "message",
  again = setup,
): Promise<Trial> {
  const code = `ticks = 0; log.length = 0;\n${row.code}`;
  await row.hold?.(kernel);
  const onMessage = ({ content }: Message): void => {
    if (offer.test(String(content.text))) void kernel.interrupt();
  };
  const { result: running } = await (row.hold ? accepted : started)(kernel, code, { onMessage });
  await sleep(afterMs);
  const start = performance.now();
  if (way === "SIGINT") process.kill(kernel.pid, "SIGINT");
  else await kernel.interrupt();
  const result = await running;
  const took = performance.now() - start;
  const step = stepOf(result);
  const faults: string[] = [];
  const told = streamText(result, "stderr");
  if (step === undefined) faults.push(`the cell ended with ${result.error?.ename ?? result.status}`);
  else if (step === "new session" ? !offer.test(told) : told !== "")
    faults.push(`it said ${told || "nothing"}`);
  else if (![row.step, "termination", ...(row.hold ? ["check"] : [])].includes(step))
    faults.push(`it took the ${step}`);

  if (step === "new session") {
    const gone = await kernel.execute("typeof kept");
    if (resultText(gone) !== "'undefined'") faults.push(`after the warning: ${said(gone)}`);
    await setUp(kernel, again);
  }
  // Two cells, since a loop that goes on needs a turn of the event loop between them to be seen.
  const first = await kernel.execute("const seen = ticks; kept");
  if (resultText(first) !== "42") faults.push(`variables: ${said(first)}`);
  const second = await kernel.execute(
    "await new Promise(r => setTimeout(r, 5)); const engine = tf.engine() as any;\n" +
      "const gradient = tf.grads((x: any) => tf.sum(tf.square(x)))([tf.tensor1d([1, 2, 3])])[0]!.dataSync();\n" +
      "const next = optimizer.minimize(loss, true)!.dataSync()[0]!;\n" +
      "[ticks - seen, [...gradient].join('/'), Number.isFinite(next), engine.state.scopeStack.length, engine.state.kernelDepth].join()",
  );
  // The gradient of a sum of squares at (1, 2, 3) is (2, 4, 6).
  if (resultText(second) !== "'0,2/4/6,true,0,0'") faults.push(`afterwards: ${said(second)}`);
  return { step, took, faults };
}

function said(result: ExecuteResult): string {
  return resultText(result) ?? result.error?.evalue ?? "nothing";
}
