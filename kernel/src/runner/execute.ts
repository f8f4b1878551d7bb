import { startKernel, type KernelClient, type StartOptions } from "../client/client.js";
import type { JsonObject } from "../protocol/message.js";
import { tagsOf, type Cell, type Notebook } from "./notebook.js";

export interface CellStart {
  /** Position among the code cells that will run, from 1. */
  position: number;
  total: number;
  cell: Cell;
}

export interface ExecuteNotebookOptions {
  /** The folder from which the cells import. */
  cwd: string;
  budgetMs: number;
  /** Whether to go on when a cell ends in an error. */
  allowErrors?: boolean;
  /** Wraps the run of each cell, to report progress. */
  aroundCell?(start: CellStart, run: () => Promise<void>): Promise<void>;
  kernelArgv?: string[];
  env?: NodeJS.ProcessEnv;
  /** Starts the kernel; default: `startKernel`. */
  start?(o: StartOptions): Promise<KernelClient>;
}

export interface ExecutedNotebook {
  notebook: Notebook;
  /** Why the notebook failed, one sentence each; empty when it passed. */
  failures: string[];
  /** Errors that were allowed, one sentence each. */
  errors: string[];
  language: JsonObject;
  seconds: number;
}

function runs(cell: Cell): boolean {
  return cell.cell_type === "code" && cell.source.trim() !== "" && !tagsOf(cell).includes("skip-execution");
}

function mayFail(cell: Cell): boolean {
  return tagsOf(cell).includes("raises-exception");
}

function firstLine(cell: Cell): string {
  return (
    cell.source
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? ""
  );
}

const escape = String.fromCharCode(27);
const colors = new RegExp(`${escape}\\[[0-9;]*m`, "g");

/** Error after the cell's reply: an error output, or a timer's error, which the kernel reports on stderr. */
function lateError(cell: Cell, uncaught: string | undefined): string {
  for (const output of cell.outputs ?? []) {
    if (output.output_type === "error") return `showed ${output.ename}: ${output.evalue} after it had ended`;
  }
  return uncaught === undefined ? "" : `left an error behind: ${uncaught}`;
}

interface Deadline {
  passed: boolean;
  clear(): void;
}

/** Interrupts the kernel when the time is used up, and kills it if it has not stopped 5 s later. */
function deadline(client: KernelClient, ms: number): Deadline {
  const state = { passed: false };
  let last: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    state.passed = true;
    last = setTimeout(() => void client.kill(), 5_000);
    client.interrupt().catch(() => undefined);
  }, ms);
  return {
    get passed() {
      return state.passed;
    },
    clear: () => {
      clearTimeout(first);
      clearTimeout(last);
    },
  };
}

const raised = "raised ";

const firstLineOf = (text: string): string => text.split("\n")[0]!;

/** Runs one cell in place; returns why it failed, or "" if it did not. */
async function runCell(
  client: KernelClient,
  cell: Cell,
  onUncaught: (error: string) => void,
): Promise<string> {
  const result = await client.execute(cell.source, {
    stopOnError: false,
    allowStdin: false,
    onMessage: ({ metadata }) => {
      const uncaught = metadata.uncaught as { ename: string; evalue: string } | undefined;
      if (uncaught) onUncaught(`${uncaught.ename}: ${uncaught.evalue}`);
    },
  });
  cell.outputs = result.outputs;
  cell.execution_count = result.executionCount;
  if (result.status === "aborted") return "was aborted";
  if (result.status !== "error" || mayFail(cell)) return "";
  const { ename = "Error", evalue = "", traceback = [] } = result.error ?? {};
  const trace = traceback.join("\n").replace(colors, "");
  return `${raised}${ename}: ${evalue}${trace ? `\n${trace}` : ""}`;
}

/**
 * Runs a notebook's code cells in order in a fresh kernel and stops at the first that fails. It has failed when a
 * cell ends in an error or is aborted, when output of kind error comes later, when a cell did not run, or when the
 * time budget is exceeded. Tags `raises-exception` and `skip-execution` are honored as nbclient does.
 */
export async function executeNotebook(
  notebook: Notebook,
  o: ExecuteNotebookOptions,
): Promise<ExecutedNotebook> {
  const started = Date.now();
  const cells = notebook.cells.map((cell): Cell => {
    return runs(cell) ? { ...cell, outputs: [], execution_count: null } : cell;
  });
  const todo = cells.filter(runs);
  const failures: string[] = [];
  const errors: string[] = [];
  const hasFailed = new Set<Cell>();
  const name = (cell: Cell): string =>
    `Cell ${String(todo.indexOf(cell) + 1)} of ${String(todo.length)} (${firstLine(cell)})`;
  const { start = startKernel } = o;
  const client = await start({ cwd: o.cwd, env: o.env, kernelArgv: o.kernelArgv });
  const info = await client.request("shell", "kernel_info_request", {});
  const limit = deadline(client, o.budgetMs - (Date.now() - started));
  const overTime = (): string => `exceeded the notebook's time budget of ${String(o.budgetMs / 1000)} s`;
  const uncaught = new Map<Cell, string>();
  let done = 0;
  let stopped = false;
  try {
    for (const [i, cell] of todo.entries()) {
      const run = async (): Promise<void> => {
        const failure = await runCell(client, cell, (error) => uncaught.set(cell, error)).catch(
          (error: unknown) => `did not end: ${(error as Error).message}`,
        );
        const isAllowed = o.allowErrors === true && failure.startsWith(raised);
        if (limit.passed) failures.push(`${name(cell)} ${overTime()}`);
        else if (isAllowed) {
          errors.push(`${name(cell)} ${firstLineOf(failure)}`);
          hasFailed.add(cell);
        } else if (failure) failures.push(`${name(cell)} ${failure}`);
        if (failures.length > 0) throw new Error("failed");
      };
      try {
        await (o.aroundCell?.({ position: i + 1, total: todo.length, cell }, run) ?? run());
      } catch (error) {
        if (failures.length === 0) throw error;
        stopped = true;
        break;
      }
      done++;
    }
  } finally {
    limit.clear();
    await client.shutdown().catch(() => client.kill());
  }
  for (const cell of todo.slice(0, done).filter((cell) => !mayFail(cell) && !hasFailed.has(cell))) {
    const late = lateError(cell, uncaught.get(cell));
    if (late) (o.allowErrors ? errors : failures).push(`${name(cell)} ${late}`);
  }
  const missing = todo.length - done - (stopped ? 1 : 0);
  if (missing > 0) failures.push(`${String(missing)} of ${String(todo.length)} cells did not run`);
  const language = (info.content.language_info ?? { name: "typescript" }) as JsonObject;
  return {
    notebook: { ...notebook, cells },
    failures,
    errors,
    language,
    seconds: (Date.now() - started) / 1000,
  };
}
