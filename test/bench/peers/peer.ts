// Uses internals of turnwise-kernel/cli.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { environmentPython } from "turnwise-kernel/dist/cli/jupyter/python.js";
import { protocolVenv } from "../../support/python.js";
import { root } from "../../support/paths.js";

export interface Answer {
  /** Milliseconds of each repetition. */
  readonly times: readonly number[];
  /** Milliseconds that processors worked for the peer in each repetition. */
  readonly processor: readonly number[];
  readonly losses: readonly number[];
  /** Resident memory, MB. */
  readonly memory: number;
}

/** A process that does the same work, asked in lines of JSON. */
export class Peer {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;

  constructor(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#process = spawn(program, args, {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, ...env },
    });
    this.#reader = createInterface(this.#process.stdout!);
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  async ask(question: object): Promise<Answer> {
    this.#process.stdin!.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("Cannot go on with the measurement: the peer does not answer: it has ended.");
    return JSON.parse(value) as Answer;
  }

  close(): void {
    this.#reader.close();
    this.#process.stdin!.end();
  }
}

/** Where `install.ts` puts the peers. */
export const benchmarkVenv: string = join(root, ".turnwise", "bench-venv");
export const benchmarkPython: string = join(benchmarkVenv, "bin", "python");

/** The Python that has the package: of those in $TURNWISE_BENCH_PYTHON (between colons), the benchmarks' own, the tests' and python3. */
export function pythonWith(packageName: string): string | undefined {
  const candidates = [
    ...(process.env["TURNWISE_BENCH_PYTHON"] ?? "").split(":"),
    ...[benchmarkPython, environmentPython(protocolVenv()), "python3"],
  ];
  return candidates.find(
    (python) => python !== "" && spawnSync(python, ["-c", `import ${packageName}`]).status === 0,
  );
}
