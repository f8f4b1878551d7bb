import { workerData } from "node:worker_threads";
import { WebSocket } from "ws";
import type { Asked, Request, Terms, ThreadData, Told } from "./bridge";

// The thread that talks to a server of OpenEnv while the one that asked sleeps.

const { port, flag } = workerData as ThreadData;

class Lost extends Error {}

/** The longest document of a server that is read: its schema has a few words for each of the world's. */
const MOST_BYTES = 1 << 25;
/** Messages that nobody has asked for yet; a server of OpenEnv says at most why it closes. */
const MOST_UNASKED = 16;

/** A WebSocket on which each message is answered by one. */
class Connection {
  readonly #inbox: string[] = [];
  #waiting: { readonly resolve: (text: string) => void; readonly reject: (error: Error) => void } | undefined;
  #ended: string | undefined;

  constructor(private readonly socket: WebSocket) {
    socket.on("message", (data: Buffer) => {
      const text = data.toString("utf8");
      if (this.#waiting) this.#waiting.resolve(text);
      else if (this.#inbox.push(text) > MOST_UNASKED) socket.terminate();
      this.#waiting = undefined;
    });
    socket.on("error", () => undefined);
    socket.on("close", (code: number) => {
      this.#ended = `it closed the connection (${code})`;
      this.#waiting?.reject(new Lost(this.#ended));
      this.#waiting = undefined;
    });
  }

  ask(message: unknown): Promise<string> {
    // Before it closes, a server says why.
    const first = this.#inbox.shift();
    if (first !== undefined) return Promise.resolve(first);
    if (this.#ended !== undefined) return Promise.reject(new Lost(this.#ended));
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.socket.send(JSON.stringify(message));
    });
  }

  /** After an answer that did not come in time, the next one might be taken for another's. */
  drop(): void {
    this.socket.terminate();
  }

  close(): void {
    if (this.#ended === undefined && this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ type: "close" }));
    }
    this.socket.close();
  }
}

const connections = new Map<number, Connection>();

/** Listens from the beginning: a server that is full says so at once. */
function connect(url: string, { headers, timeoutMs }: Terms): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers, handshakeTimeout: timeoutMs, maxPayload: 1 << 27 });
    const connection = new Connection(socket);
    socket.once("open", () => resolve(connection));
    socket.once("error", reject);
  });
}

async function answer(request: Request, terms: Terms): Promise<unknown> {
  switch (request.kind) {
    case "get": {
      const { headers, timeoutMs } = terms;
      const response = await fetch(request.url, { headers, signal: AbortSignal.timeout(timeoutMs) });
      const text = await textOf(request.url, response);
      if (!response.ok)
        throw new Error(`${request.url} has the status ${response.status}: ${text.slice(0, 300)}`);
      return JSON.parse(text) as unknown;
    }
    case "open":
      connections.set(request.connection, await connect(request.url, terms));
      return undefined;
    case "ask":
      return asked(request.connection, request.message, terms.timeoutMs);
    case "close":
      connections.get(request.connection)?.close();
      connections.delete(request.connection);
      return undefined;
  }
}

/** @throws {Error} if it is longer than any document of a server: then no more of it is read */
async function textOf(url: string, { body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > MOST_BYTES)
      throw new Error(`${url} must send at most ${MOST_BYTES} bytes, but it sends more.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

async function asked(number: number, message: unknown, timeoutMs: number): Promise<unknown> {
  const connection = connections.get(number);
  if (!connection) throw new Lost("no connection is open");
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      connection.drop();
      reject(new Lost(`it did not within ${timeoutMs / 1000} s`));
    }, timeoutMs);
  });
  try {
    return JSON.parse(await Promise.race([connection.ask(message), late])) as unknown;
  } catch (error) {
    if (error instanceof Lost) connections.delete(number);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function tell(told: Told): void {
  port.postMessage(told);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const under = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : undefined;
  return under === undefined
    ? message || String((error as NodeJS.ErrnoException).code)
    : `${message}: ${under}`;
}

port.on("message", ({ id, request, headers, timeoutMs }: Asked) => {
  answer(request, { headers, timeoutMs }).then(
    (value) => tell({ id, value }),
    (error: unknown) => tell({ id, error: reasonOf(error), lost: error instanceof Lost }),
  );
});
