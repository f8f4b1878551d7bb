import type { WorldParts } from "../world/worldSession";
import { parsed, Refusal, refusalOf } from "./refusal";
import { answerRpc } from "./rpc";
import type { Session, Sessions } from "./sessions";
import { expectShape, isRecord, messageShapes } from "./shapes";

/** Answer to a message; undefined if it ends the conversation. */
export type Answer = Readonly<Record<string, unknown>> | undefined;

/** The answer to one message of a WebSocket. Whatever the message is, the session goes on. */
export function answerMessage(raw: string, session: Session, sessions: Sessions, parts: WorldParts): Answer {
  try {
    return answerTo(parsed("the message", raw), session, sessions, parts);
  } catch (error) {
    return errorMessage(refusalOf(error));
  }
}

export function errorMessage({ code, message, details }: Refusal): Readonly<Record<string, unknown>> {
  return { type: "error", data: { message, code, ...details } };
}

function answerTo(message: unknown, session: Session, sessions: Sessions, parts: WorldParts): Answer {
  const type = isRecord(message) ? message.type : undefined;
  if (typeof type !== "string" || !Object.hasOwn(messageShapes, type)) {
    const known = Object.keys(messageShapes).join(", ");
    const got = typeof type === "string" ? `got ${type.slice(0, 40)}` : "it has none";
    throw new Refusal("UNKNOWN_TYPE", `Cannot answer the message: its type must be one of ${known}, ${got}.`);
  }
  const { world } = session;
  switch (type as keyof typeof messageShapes) {
    case "reset": {
      const { data } = expectShape("reset", messageShapes.reset, message);
      return { type: "observation", data: world.reset(data) };
    }
    case "step": {
      const { data } = expectShape("step", messageShapes.step, message);
      return { type: "observation", data: world.step(data) };
    }
    case "state":
      expectShape("tell the state", messageShapes.state, message);
      return { type: "state", data: world.state() };
    case "close":
      expectShape("close", messageShapes.close, message);
      return undefined;
    case "mcp": {
      const { data } = expectShape("answer the call", messageShapes.mcp, message);
      return { type: "mcp", data: answerRpc(data, sessions, parts, session) };
    }
  }
}
