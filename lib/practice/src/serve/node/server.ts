import { randomUUID } from "node:crypto";
import { createServer, STATUS_CODES, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import { expectKnown, expectWhole } from "turnwise/internal/base/expect";
import { show } from "turnwise/internal/base/show";
import { envInfo, make } from "turnwise/internal/env/index";
import { refusalOf } from "../wire/refusal";
import { Sessions } from "../wire/sessions";
import { tasksOf, type Task } from "../world/tasks";
import { Toolbox } from "../world/tools";
import { malformedTurn, TurnReader } from "../world/turnReader";
import type { WorldParts } from "../world/worldSession";
import { guard, isLoopback, type Rejection } from "./guard";
import { answerHttp, send } from "./http";
import { converse } from "./sockets";
import { targetOf } from "./target";

/** Options of `serve`: where it listens, who may connect, and the limits of each client. */
export interface ServeOptions {
  /** Options of the world, as `make` takes them. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default "127.0.0.1": nobody but this machine. Any other one needs a token. */
  readonly host?: string;
  /** Token that clients must send as `Authorization: Bearer <token>`. */
  readonly token?: string;
  /** The most sessions at once; default 256. */
  readonly sessions?: number;
  /** The longest message, in bytes; default 65536. */
  readonly messageBytes?: number;
  /** A session that is not used for so long ends; default 600. */
  readonly idleSeconds?: number;
  /** From which the seeds of episodes follow that are begun without one; default 0. */
  readonly seed?: number;
}

/** A running server of one world. */
export interface WorldServer {
  /** Such as `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly port: number;
  /** Number of open sessions. */
  readonly openSessions: number;
  /** Ends all sessions. */
  close(): Promise<void>;
}

/** The ports of the servers that run in this thread: whoever waits for an answer here would wait for ever. */
const portsHere = new Set<number>();

/** Whether a server of this very thread listens there. */
export function isServedHere(url: string): boolean {
  const { hostname, port } = new URL(url);
  return isLoopback(hostname) && portsHere.has(Number(port));
}

const known = ["options", "port", "host", "token", "sessions", "messageBytes", "idleSeconds", "seed"];

/**
 * Serves a registered world to clients of OpenEnv: WebSocket `/ws`, HTTP, tools by MCP, tasks. Texts come in and go out; what is
 * paid is what the world pays here.
 *
 * @throws {RangeError} if an option is unknown or out of range, `make` refuses the world, or others may reach it without a token
 * @example
 * import { serve } from "turnwise-practice/serve";
 *
 * const server = await serve("LookUp-v0");
 * await (await fetch(`${server.url}/health`)).json(); // => { status: "healthy" }
 * await server.close();
 * @see OpenEnv, https://github.com/huggingface/OpenEnv
 */
export async function serve(id: string, o: ServeOptions = {}): Promise<WorldServer> {
  const { host, port, token, limits, messageBytes, seed } = checked(id, o);
  const first = make(id, o.options);
  const { spec } = first;
  const reader = new TurnReader(spec);
  const fresh = () => first.fork?.() ?? make(id, o.options);
  const toolbox = new Toolbox(spec, reader);
  const parts: WorldParts = { spec, reader, toolbox, malformed: malformedTurn(fresh()) };
  const sessions = new Sessions(
    { make: fresh, parts, seed, newId: randomUUID, now: () => performance.now() },
    limits,
  );
  let tasks: readonly Task[] | undefined;
  const served = {
    ...{ parts, sessions, messageBytes },
    about: envInfo(id).about ?? `${spec.skill}.`,
    version: versionHere(),
    tasks: () => (tasks ??= tasksOf(fresh())),
  };
  const reject = guard(token);
  const http = createServer((request, response) => {
    const rejection = request.url === "/health" ? undefined : reject(request);
    if (rejection) send(response, { status: rejection.status, body: { detail: rejection.message } });
    else void answerHttp(request, response, served);
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytes, clientTracking: true });
  http.on("upgrade", (request, stream, head) => {
    // Node has removed its own listener by now, and an error that nobody hears ends the process: a reset by the client is one.
    stream.on("error", () => stream.destroy());
    const rejection = reject(request) ?? misaddressed(request);
    if (rejection) return refuseUpgrade(stream, rejection);
    const { pathname, searchParams } = targetOf(request);
    if (pathname !== "/ws" && pathname !== "/mcp") return stream.end("HTTP/1.1 404 Not Found\r\n\r\n");
    const begin = (socket: WebSocket): void => {
      converse(socket, pathname, searchParams.get("session_id"), served);
    };
    return sockets.handleUpgrade(request, stream, head, begin);
  });
  await new Promise<void>((resolve, fail) => {
    http.once("error", (error: NodeJS.ErrnoException) => fail(portError(error, host, port)));
    http.listen(port, host, resolve);
  });
  const sweeping = setInterval(() => sessions.sweep(), Math.max(10, Math.min(limits.idleMs / 4, 5000)));
  sweeping.unref();
  const address = http.address() as AddressInfo;
  portsHere.add(address.port);
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    get openSessions() {
      return sessions.size;
    },
    async close() {
      clearInterval(sweeping);
      portsHere.delete(address.port);
      for (const socket of sockets.clients) socket.close(1001);
      sessions.closeAll();
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      http.closeAllConnections();
      for (const socket of sockets.clients) socket.terminate();
      await closed;
    },
  };
}

function checked(id: string, o: ServeOptions) {
  const doing = `serve ${id}`;
  expectKnown(doing, o, known);
  const { port = 0, host = "127.0.0.1", token, seed = 0 } = o;
  const { sessions = 256, messageBytes = 65_536, idleSeconds = 600 } = o;
  expectWhole(doing, "port", port, 0);
  expectWhole(doing, "sessions", sessions, 1);
  expectWhole(doing, "messageBytes", messageBytes, 1024);
  expectWhole(doing, "seed", seed, 0);
  if (port > 65_535) throw new RangeError(`Cannot ${doing}: port must be at most 65535, got ${port}.`);
  if (!(idleSeconds > 0)) {
    throw new RangeError(`Cannot ${doing}: idleSeconds must be above 0, got ${show(idleSeconds)}.`);
  }
  if (token !== undefined && token.length < 16) {
    throw new RangeError(
      `Cannot ${doing}: the token must have 16 letters or more, but it has ${token.length}.`,
    );
  }
  if (token === undefined && !isLoopback(host)) {
    throw new RangeError(
      `Cannot ${doing}: others than this machine must send a token, but the host is ${host}, and no token is given.`,
    );
  }
  return { host, port, token, messageBytes, seed, limits: { sessions, idleMs: idleSeconds * 1000 } };
}

function portError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: "another program uses it",
    EACCES: "this user may not listen there",
    EADDRNOTAVAIL: "this machine has no such address",
    ENOTFOUND: "this name is unknown",
  };
  const reason = reasons[error.code ?? ""] ?? error.message;
  return new RangeError(`Cannot serve: the port must be free, got ${host}:${port} (${reason}).`);
}

/** Why a request whose address cannot be read is refused. */
function misaddressed(request: IncomingMessage): Rejection | undefined {
  try {
    targetOf(request);
    return undefined;
  } catch (error) {
    return { status: 422, message: refusalOf(error).message };
  }
}

function refuseUpgrade(stream: Duplex, { status, message }: Rejection): void {
  const body = JSON.stringify({ detail: message });
  stream.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]!}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `connection: close\r\n\r\n${body}`,
  );
}

function versionHere(): string {
  const { version } = createRequire(__filename)("../../../package.json") as { readonly version: string };
  return version;
}
