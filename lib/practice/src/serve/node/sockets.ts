import type { WebSocket } from "ws";
import { answerMessage, errorMessage } from "../wire/conversation";
import { Refusal, refusalOf } from "../wire/refusal";
import { answerRpc, parseError } from "../wire/rpc";
import type { Session, Sessions } from "../wire/sessions";
import type { WorldParts } from "../world/worldSession";

/** Limit of a client's unread data, in bytes; a client that reads slowly is not read either until it has caught up. */
const unreadBytes = 1 << 20;

interface Served {
  readonly sessions: Sessions;
  readonly parts: WorldParts;
}

/** Gives a WebSocket a session, and answers its messages one by one. */
export function converse(
  socket: WebSocket,
  path: "/ws" | "/mcp",
  wanted: string | null,
  served: Served,
): void {
  // What a broken connection says is no news: it is closed, and its session with it.
  socket.on("error", () => undefined);
  const { sessions } = served;
  let session: Session;
  try {
    session = wanted === null ? sessions.open() : attached(sessions, wanted);
  } catch (error) {
    send(socket, path === "/ws" ? errorMessage(refusalOf(error)) : rpcRefusal(error));
    socket.close(1013);
    return;
  }
  session.onIdle = () => {
    const message = `Cannot keep the session: it must be used every ${sessions.limits.idleMs / 1000} s, but it was idle for longer.`;
    send(socket, errorMessage(new Refusal("SESSION_ERROR", message)));
    socket.close(1000);
    // Who does not read does not answer either.
    if (socket.isPaused || socket.bufferedAmount > 0) socket.terminate();
  };
  const answer = path === "/ws" ? answerMessage : answerCall;
  socket.on("message", (data, isBinary) => {
    if (socket.readyState !== socket.OPEN) return;
    sessions.touch(session);
    // A message that is no text is no JSON: the answer says so.
    const raw = isBinary ? "" : (data as Buffer).toString("utf8");
    const reply = answer(raw, session, sessions, served.parts);
    if (reply) send(socket, reply);
    else socket.close(1000);
  });
  socket.on("close", () => {
    delete session.onIdle;
    if (wanted === null || session.closing) sessions.close(session);
  });
}

function attached(sessions: Sessions, id: string): Session {
  const session = sessions.used(id);
  if (!session.onIdle) return session;
  throw new Refusal(
    "SESSION_ERROR",
    "Cannot use the session: one WebSocket may hold it, but another one does.",
  );
}

function answerCall(
  raw: string,
  session: Session,
  sessions: Sessions,
  parts: WorldParts,
): Readonly<Record<string, unknown>> {
  let request: unknown;
  try {
    request = JSON.parse(raw);
  } catch (error) {
    return parseError(`Cannot read the call: it must be JSON: ${(error as Error).message}`);
  }
  return answerRpc(request, sessions, parts, session);
}

function rpcRefusal(error: unknown): Readonly<Record<string, unknown>> {
  const { code, message, details } = refusalOf(error);
  return { jsonrpc: "2.0", id: null, error: { code: -32000, message, data: { code, ...details } } };
}

function send(socket: WebSocket, message: Readonly<Record<string, unknown>>): void {
  socket.send(JSON.stringify(message), () => {
    if (socket.isPaused && socket.bufferedAmount < unreadBytes / 2) socket.resume();
  });
  if (socket.bufferedAmount > unreadBytes) socket.pause();
}
