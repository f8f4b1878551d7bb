import path from "node:path";
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from "node:worker_threads";

/** Request to the thread; a connection is named by its number. */
export type Request =
  | { readonly kind: "get"; readonly url: string }
  | { readonly kind: "open"; readonly connection: number; readonly url: string }
  | { readonly kind: "ask"; readonly connection: number; readonly message: unknown }
  | { readonly kind: "close"; readonly connection: number };

/** Time that the thread waits, and data that it sends with every request. */
export interface Terms {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface Asked extends Terms {
  readonly id: number;
  readonly request: Request;
}

/** `lost` where no answer can come any more on this connection. */
export type Told = { readonly id: number } & (
  { readonly value: unknown } | { readonly error: string; readonly lost: boolean }
);

export interface ThreadData {
  readonly port: MessagePort;
  /** 1 once an answer is there. */
  readonly flag: Int32Array<SharedArrayBuffer>;
}

/** No answer came: the sentence after "as the server must answer:". */
export class Unanswered extends Error {
  constructor(
    message: string,
    readonly lost: boolean,
  ) {
    super(message);
  }
}

/** Time that this side waits longer than the thread, so that the thread's own message arrives. */
const graceMs = 2000;

/**
 * Asks a server and waits for the answer without giving way, as `step` of an environment must return a result and no promise.
 * A thread talks to the server; this one sleeps until it has answered.
 */
export class Bridge {
  readonly #flag = new Int32Array(new SharedArrayBuffer(4));
  #thread: { readonly worker: Worker; readonly port: MessagePort } | undefined;
  #ids = 0;
  #connections = 0;
  /** Open connections whose episode has ended. */
  readonly #idle: number[] = [];
  #open = 0;

  constructor(private readonly terms: Terms) {}

  /** A connection on which no episode runs, if there is one. */
  idle(): number | undefined {
    return this.#idle.pop();
  }

  /** A new connection. */
  connect(url: string): number {
    const connection = this.#connections++;
    this.call({ kind: "open", connection, url });
    this.#open++;
    return connection;
  }

  /** Its episode has ended: another environment may take it. */
  giveBack(connection: number): void {
    this.#idle.push(connection);
  }

  /** Nobody can use it any more. */
  drop(connection: number): void {
    this.#open--;
    try {
      this.call({ kind: "close", connection });
    } catch {
      // The server is gone, and the session with it.
    }
  }

  /** Closes what nobody uses; the thread ends with the last connection. */
  end(): void {
    for (const connection of this.#idle.splice(0)) this.drop(connection);
    if (this.#open > 0) return;
    void this.#thread?.worker.terminate();
    this.#thread = undefined;
  }

  /** @throws {Unanswered} if the server cannot be reached or does not answer in time */
  call(request: Request): unknown {
    const id = this.#ids++;
    const { timeoutMs } = this.terms;
    Atomics.store(this.#flag, 0, 0);
    const { port } = (this.#thread ??= this.#start());
    port.postMessage({ id, request, ...this.terms } satisfies Asked);
    const latest = performance.now() + timeoutMs + graceMs;
    for (;;) {
      Atomics.wait(this.#flag, 0, 0, Math.max(0, latest - performance.now()));
      Atomics.store(this.#flag, 0, 0);
      for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) {
        const told = got.message as Told;
        // The answer to a call that was interrupted comes late.
        if (told.id !== id) continue;
        if ("error" in told) throw new Unanswered(told.error, told.lost);
        return told.value;
      }
      if (performance.now() >= latest) throw new Unanswered(`it did not within ${timeoutMs / 1000} s`, true);
    }
  }

  #start(): { worker: Worker; port: MessagePort } {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(path.join(__dirname, "thread.js"), {
      workerData: { port: port2, flag: this.#flag } satisfies ThreadData,
      transferList: [port2],
      execArgv: [],
    });
    // A program that forgets to close its environment ends all the same.
    worker.unref();
    port1.unref();
    return { worker, port: port1 };
  }
}
