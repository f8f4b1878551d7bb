import { KernelInterrupt } from "./interrupt.js";

interface Question {
  resolve(answer: string): void;
  reject(error: Error): void;
}

/** The questions of cells that the user has yet to answer, in the order in which they were asked. */
export class Inputs {
  private readonly open: Question[] = [];

  /** Resolves with the answer; `ask` shows the question. */
  ask(ask: () => void): Promise<string> {
    ask();
    return new Promise((resolve, reject) => this.open.push({ resolve, reject }));
  }

  answer(value: string): void {
    this.open.shift()?.resolve(value);
  }

  /** An interrupt ends the wait for all of them. */
  interrupt(): void {
    for (const question of this.open.splice(0)) question.reject(new KernelInterrupt());
  }
}
