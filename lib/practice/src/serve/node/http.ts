import type { IncomingMessage, ServerResponse } from "node:http";
import { metadataDocument, openApiDocument, schemaDocument } from "../wire/documents";
import { parsed, Refusal, refusalOf, type ErrorCode } from "../wire/refusal";
import { answerRpc, parseError } from "../wire/rpc";
import type { Sessions } from "../wire/sessions";
import { expectShape, isRecord, resetRequestShape, stepShape } from "../wire/shapes";
import { targetOf } from "./target";
import type { Task } from "../world/tasks";
import type { WorldParts, WorldSession } from "../world/worldSession";

/** Inputs of the server's routes. */
export interface Served {
  readonly parts: WorldParts;
  readonly sessions: Sessions;
  readonly about: string;
  readonly version: string;
  readonly tasks: () => readonly Task[];
  readonly messageBytes: number;
}

/** Answer to a request. */
interface Result {
  readonly status: number;
  readonly body: unknown;
}

const statusOf: Readonly<Record<ErrorCode, number>> = {
  INVALID_JSON: 400,
  UNKNOWN_TYPE: 404,
  VALIDATION_ERROR: 422,
  EXECUTION_ERROR: 409,
  SESSION_ERROR: 404,
  CAPACITY_REACHED: 503,
  FACTORY_ERROR: 500,
};

const ok = (body: unknown): Result => ({ status: 200, body });
const refused = (status: number, detail: string, code?: ErrorCode): Result => ({
  status,
  body: { detail, ...(code && { code }) },
});

/** Answers a request. */
export async function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
): Promise<void> {
  let result: Result;
  try {
    const read = await bodyOf(request, served.messageBytes);
    result = "tooLong" in read ? tooLong(served.messageBytes) : route(request, read.text, served);
  } catch (error) {
    const { code, message } = refusalOf(error);
    result = refused(statusOf[code], message, code);
  }
  send(response, result);
}

export function send(response: ServerResponse, { status, body }: Result): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "x-content-type-options": "nosniff",
    // What is left of a body that is too long is not read.
    ...(status === 413 && { connection: "close" }),
  });
  response.end(text);
}

const tooLong = (limit: number): Result =>
  refused(413, `Cannot read the request: its body must have at most ${limit} bytes, but it is longer.`);

async function bodyOf(
  request: IncomingMessage,
  limit: number,
): Promise<{ readonly text: string } | { readonly tooLong: true }> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > limit) return { tooLong: true };
    parts.push(part);
  }
  return { text: Buffer.concat(parts).toString("utf8") };
}

function route(request: IncomingMessage, text: string, served: Served): Result {
  const { pathname, searchParams } = targetOf(request);
  const { spec } = served.parts;
  const method = request.method === "HEAD" ? "GET" : request.method;
  switch (`${method ?? ""} ${pathname}`) {
    case "GET /health":
      return ok({ status: "healthy" });
    case "GET /metadata":
      return ok(metadataDocument(spec, served.about, served.version));
    case "GET /schema":
      return ok(schemaDocument(spec));
    case "GET /openapi.json":
      return ok(openApiDocument(spec));
    case "GET /list_environments":
      return ok([spec.id]);
    case "GET /state":
      return ok(inSession(served, searchParams.get("session_id") ?? undefined, (world) => world.state()));
    case "POST /reset": {
      const { session_id, ...data } = expectShape(
        "reset",
        resetRequestShape,
        text === "" ? {} : parsed("the request", text),
      );
      return ok(inSession(served, session_id, (world) => world.reset(data)));
    }
    case "POST /step":
      return step(served, text);
    case "POST /mcp":
      return ok(rpc(served, text));
    default:
      return taskRoute(method, pathname, text, served) ?? notFound(pathname);
  }
}

function step(served: Served, text: string): Result {
  const { action, session_id } = expectShape("step", stepShape, parsed("the request", text));
  if (session_id === undefined) {
    throw new Refusal(
      "EXECUTION_ERROR",
      "Cannot step: no episode is running. Over HTTP it needs the session_id that POST /mcp gives for the method " +
        "openenv/session/create, in /reset and in /step; or use the WebSocket /ws.",
    );
  }
  return ok(inSession(served, session_id, (world) => world.step(action)));
}

/** Without a session, the world is there for this request alone. */
function inSession<T>({ sessions }: Served, id: string | undefined, use: (world: WorldSession) => T): T {
  if (id !== undefined) return use(sessions.used(id).world);
  const world = sessions.fresh();
  try {
    return use(world);
  } finally {
    world.close();
  }
}

function rpc({ sessions, parts }: Served, text: string): unknown {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch (error) {
    return parseError(`Cannot read the call: it must be JSON: ${(error as Error).message}`);
  }
  return answerRpc(request, sessions, parts);
}

function taskRoute(
  method: string | undefined,
  pathname: string,
  text: string,
  served: Served,
): Result | undefined {
  const [, name = "", what = "", ...rest] = decoded(pathname).split("/");
  const routes = {
    splits: "GET",
    tasks: "POST",
    num_tasks: "POST",
    task: "POST",
    task_range: "POST",
  } as const;
  if (!Object.hasOwn(routes, what) || rest.length > 0) return undefined;
  if (routes[what as keyof typeof routes] !== method) return undefined;
  const { id } = served.parts.spec;
  if (name.toLowerCase() !== id.toLowerCase()) {
    return refused(404, `Cannot list tasks: the world must be ${id}, got ${name.slice(0, 60)}.`);
  }
  if (what === "splits") return ok([{ name: "train", type: "train" }]);
  const body = text === "" ? {} : parsed("the request", text);
  if (!isRecord(body) || body.split !== "train") {
    return refused(422, "Cannot list tasks: split must be train, the only one.", "VALIDATION_ERROR");
  }
  const tasks = served.tasks();
  if (what === "num_tasks") return ok({ num_tasks: tasks.length });
  if (what === "tasks") return ok({ tasks, env_name: id });
  return what === "task" ? oneTask(tasks, body.index) : rangeOfTasks(tasks, body.start, body.stop);
}

function oneTask(tasks: readonly Task[], index: unknown): Result {
  const task = Number.isInteger(index) ? tasks[index as number] : undefined;
  if (task) return ok({ task });
  return refused(400, `Cannot find the task: index must be an integer below ${tasks.length}.`);
}

function rangeOfTasks(tasks: readonly Task[], start: unknown, stop: unknown): Result {
  const isBound = (bound: unknown): boolean => bound == null || Number.isInteger(bound);
  if (!isBound(start) || !isBound(stop)) {
    return refused(422, "Cannot find the tasks: start and stop must be integers.", "VALIDATION_ERROR");
  }
  return ok({ tasks: tasks.slice((start ?? 0) as number, (stop ?? undefined) as number | undefined) });
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

const notFound = (pathname: string): Result =>
  refused(404, `Cannot answer: the route must be one of /openapi.json, got ${pathname.slice(0, 100)}.`);
