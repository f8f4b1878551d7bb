import { abortError, coded, type Signal } from "./errors.js";
import { EventEmitter, on } from "./node/events.js";

/** Source from which lines are read. */
interface Input {
  on(name: string, run: (...given: unknown[]) => void): unknown;
  removeListener(name: string, run: (...given: unknown[]) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

export interface Output {
  write(text: string): unknown;
}

interface InterfaceOptions {
  readonly input?: unknown;
  readonly output?: unknown;
  readonly prompt?: string;
  readonly signal?: Signal;
}

export interface QuestionOptions {
  readonly signal?: Signal;
}

export type Answered = (line: string) => void;

const isInput = (given: unknown): given is Input =>
  (["on", "removeListener", "pause", "resume"] as const).every(
    (name) => typeof (given as Partial<Input> | null | undefined)?.[name] === "function",
  );

/** Lines of a stream, such as `process.stdin`: as without a terminal, where Node reads whole lines and does not edit them. */
export class Lines extends EventEmitter {
  readonly terminal = false;
  readonly line = "";
  closed = false;
  readonly input: Input;
  readonly output: Output | undefined;
  private paused = false;
  private mark: string;
  private rest = "";
  private answered: Answered | undefined;
  /** The last piece ended in "\r": a "\n" at the head of the next belongs to it. */
  private isCut = false;
  private all: AsyncIterableIterator<string> | undefined;
  private readonly decoder = new TextDecoder();

  constructor(given: unknown, output?: unknown) {
    super();
    const o: InterfaceOptions = isInput(given)
      ? { input: given, output }
      : ((given ?? {}) as InterfaceOptions);
    if (!isInput(o.input))
      throw new TypeError(
        `Cannot read lines: input must be process.stdin or another stream, got ${String(o.input)}.`,
      );
    this.input = o.input;
    this.output = (o.output as Output | null | undefined) ?? undefined;
    this.mark = o.prompt ?? "> ";
    this.input.on("data", this.take);
    this.input.on("end", this.end);
    this.input.resume();
    const { signal } = o;
    if (signal?.aborted) queueMicrotask(() => this.close());
    else signal?.addEventListener("abort", () => this.close());
  }

  private readonly take = (piece: unknown): void => {
    const text =
      typeof piece === "string" ? piece : this.decoder.decode(piece as Uint8Array, { stream: true });
    if (text === "") return;
    const all = this.rest + (this.isCut && text.startsWith("\n") ? text.slice(1) : text);
    this.isCut = text.endsWith("\r");
    const lines = all.split(/\r\n|\n|\r/);
    this.rest = lines.pop()!;
    for (const line of lines) this.give(line);
  };

  private readonly end = (): void => {
    if (this.rest !== "") this.give(this.rest);
    this.rest = "";
    this.close();
  };

  private give(line: string): void {
    const { answered } = this;
    this.answered = undefined;
    if (answered) answered(line);
    else this.emit("line", line);
  }

  getPrompt(): string {
    return this.mark;
  }

  setPrompt(prompt: string): void {
    this.mark = prompt;
  }

  prompt(): void {
    this.ask(this.mark);
  }

  private ask(text: string): void {
    this.open();
    if (this.paused) this.resume();
    this.output?.write(text);
  }

  private open(): void {
    if (this.closed) throw coded(new Error("readline was closed"), "ERR_USE_AFTER_CLOSE");
  }

  /** Has the next line answer a question rather than be told. */
  protected put(text: string, answered: Answered, signal?: Signal): void {
    this.open();
    // One question at a time, as on Node: the prompt is shown again.
    if (this.answered) return this.prompt();
    const callOff = (): void => {
      if (this.answered === given) this.answered = undefined;
    };
    const given: Answered = (line) => {
      signal?.removeEventListener("abort", callOff);
      answered(line);
    };
    signal?.addEventListener("abort", callOff);
    this.answered = given;
    this.ask(text);
  }

  /** The answer to a question; rejects when its signal calls it off. */
  protected answer(text: string, { signal }: QuestionOptions = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortError(signal));
      const callOff = (): void => reject(abortError(signal!));
      signal?.addEventListener("abort", callOff);
      this.put(
        text,
        (line) => {
          signal?.removeEventListener("abort", callOff);
          resolve(line);
        },
        signal,
      );
    });
  }

  /** Text as if it had been typed. */
  write(text: string | Uint8Array | null): void {
    this.open();
    if (this.paused) this.resume();
    if (text !== null) this.take(text);
  }

  pause(): this {
    this.open();
    if (this.paused) return this;
    this.input.pause();
    this.paused = true;
    this.emit("pause");
    return this;
  }

  resume(): this {
    this.open();
    if (!this.paused) return this;
    this.input.resume();
    this.paused = false;
    this.emit("resume");
    return this;
  }

  close(): void {
    if (this.closed) return;
    this.pause();
    this.closed = true;
    this.input.removeListener("data", this.take);
    this.input.removeListener("end", this.end);
    this.emit("close");
  }

  /** One for all loops over it, as on Node. */
  [Symbol.asyncIterator](): AsyncIterableIterator<string> {
    return (this.all ??= firstOf(on(this, "line", { close: ["close"] })));
  }
}

/** Of each event, the line alone. */
async function* firstOf(events: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  for await (const [line] of events) yield line as string;
}
