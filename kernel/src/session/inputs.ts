import { KernelInterrupt } from "./interrupt.js";
import type { Output } from "./output.js";

interface Question {
  resolve(answer: string): void;
  reject(error: Error): void;
}

/** Parts of their session that questions need. */
interface Asking {
  output: Output;
  /** The running cell, and whether its front end can ask. */
  running(): { readonly cell: string; readonly allowStdin: boolean } | undefined;
  /** Reads commands that have arrived, and throws if the cell was interrupted. */
  poll(): void;
  /** Throws where a cell cannot wait for an answer while nothing else runs. */
  mustWait(): void;
  /** Lets this thread sleep. */
  rest(ms: number): void;
}

/** The questions of cells that the user has yet to answer, in the order in which they were asked. */
export class Inputs {
  private readonly open: Question[] = [];

  constructor(private readonly session: Asking) {}

  /** Asks and resolves with the answer; rejects where nobody can answer. */
  async ask(prompt: string, password = false): Promise<string> {
    const cell = this.askable();
    return new Promise((resolve, reject) => {
      this.open.push({ resolve, reject });
      this.send(cell, prompt, password);
    });
  }

  /** Asks and waits for the answer while nothing else runs. */
  askNow(prompt: string): string {
    this.session.mustWait();
    const cell = this.askable();
    let found: string | undefined;
    const question: Question = { resolve: (value) => (found = value), reject: () => undefined };
    this.open.push(question);
    try {
      this.send(cell, prompt, false);
      while (found === undefined) {
        this.session.poll();
        this.session.rest(5);
      }
      return found;
    } finally {
      const at = this.open.indexOf(question);
      if (at >= 0) this.open.splice(at, 1);
    }
  }

  answer(value: string): void {
    this.open.shift()?.resolve(value);
  }

  /** An interrupt ends the wait for all of them. */
  interrupt(): void {
    for (const question of this.open.splice(0)) question.reject(new KernelInterrupt());
  }

  private askable(): string {
    const running = this.session.running();
    if (running?.allowStdin === true) return running.cell;
    throw new Error("Cannot ask for input: the front end must allow it, but allow_stdin is false.");
  }

  private send(cell: string, prompt: string, password: boolean): void {
    const { output } = this.session;
    output.midLine = false;
    output.send({ t: "input", cell, prompt, password });
  }
}
