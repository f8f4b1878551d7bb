import { Refusal, refusalOf } from "./refusal";
import type { Session, Sessions } from "./sessions";
import type { WorldParts } from "../world/worldSession";
import { expectShape, isRecord, rpcShape, type RpcRequest } from "./shapes";

/** Codes of JSON-RPC 2.0. */
const codes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  server: -32000,
} as const;

type RpcId = string | number | null;
export type RpcReply = Readonly<Record<string, unknown>>;

class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The answer to a text that is no JSON. */
export function parseError(message: string): RpcReply {
  return failure(null, new RpcError(codes.parse, message));
}

/**
 * Answers a call of JSON-RPC: tools, and sessions for clients without a WebSocket.
 *
 * @param own the session of the WebSocket that asks
 */
export function answerRpc(
  request: unknown,
  sessions: Sessions,
  { toolbox }: Pick<WorldParts, "toolbox">,
  own?: Session,
): RpcReply {
  let id: RpcId = null;
  try {
    if (isRecord(request) && (typeof request.id === "string" || Number.isInteger(request.id)))
      id = request.id as RpcId;
    const call = readCall(request);
    return { jsonrpc: "2.0", id, result: resultOf(call, sessions, toolbox, own) };
  } catch (error) {
    return failure(id, error);
  }
}

function readCall(request: unknown): RpcRequest {
  try {
    return expectShape("answer the call", rpcShape, request);
  } catch (error) {
    throw new RpcError(codes.request, (error as Error).message);
  }
}

function resultOf(
  { method, params = {} }: RpcRequest,
  sessions: Sessions,
  toolbox: WorldParts["toolbox"],
  own: Session | undefined,
): unknown {
  switch (method) {
    case "openenv/session/create":
      return { session_id: (own ?? sessions.open()).id };
    case "openenv/session/close":
      return closeSession(params, sessions, own);
    case "tools/list":
      return { tools: toolbox.list };
    case "tools/call":
      return callTool(params, own ?? namedSession("call a tool", params, sessions));
    default:
      throw new RpcError(
        codes.method,
        "Cannot answer the call: its method must be among tools/list, tools/call, openenv/session/create, " +
          `openenv/session/close, got ${method.slice(0, 60)}.`,
      );
  }
}

function namedSession(
  what: string,
  { session_id: id }: Readonly<Record<string, unknown>>,
  sessions: Sessions,
): Session {
  if (typeof id !== "string") {
    throw new RpcError(codes.params, `Cannot ${what}: session_id must name a session, but it is left out.`);
  }
  try {
    return sessions.used(id);
  } catch (error) {
    throw new RpcError(codes.params, (error as Error).message);
  }
}

function closeSession(
  params: Readonly<Record<string, unknown>>,
  sessions: Sessions,
  own: Session | undefined,
): Readonly<Record<string, unknown>> {
  if (own && params.session_id === own.id) {
    throw new RpcError(
      codes.request,
      "Cannot close the session: no WebSocket may hold it. Close the WebSocket that asks.",
    );
  }
  const session = namedSession("close a session", params, sessions);
  // Whoever holds it by a WebSocket may finish.
  if (session.onIdle) {
    session.closing = true;
    return { session_id: session.id, closed: false, closing: true };
  }
  sessions.close(session);
  return { session_id: session.id, closed: true };
}

function callTool(params: Readonly<Record<string, unknown>>, { world }: Session): unknown {
  const { name, arguments: given = {} } = params;
  if (typeof name !== "string") {
    throw new RpcError(codes.params, "Cannot call a tool: params.name must be a string.");
  }
  if (!isRecord(given)) {
    throw new RpcError(codes.params, "Cannot call a tool: params.arguments must be an object.");
  }
  const { observation, reward, done, metadata } = world.callTool(name, given);
  return {
    content: [{ type: "text", text: observation.text }],
    structuredContent: { reward, done, ...(metadata && { metadata }) },
    isError: observation.error != null,
  };
}

function failure(id: RpcId, error: unknown): RpcReply {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
  }
  const refusal: Refusal = refusalOf(error);
  const code = ["CAPACITY_REACHED", "FACTORY_ERROR"].includes(refusal.code) ? codes.server : codes.internal;
  return {
    jsonrpc: "2.0",
    id,
    error: { code, message: refusal.message, data: { code: refusal.code, ...refusal.details } },
  };
}
