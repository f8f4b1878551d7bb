import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { show } from "turnwise/internal/base/show";
import { didYouMean } from "turnwise/internal/base/suggest";
import { Refusal } from "./refusal";

const exactly = { additionalProperties: false } as const;
const anyRecord = Type.Record(Type.String(), Type.Unknown());
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** Message that begins an episode. */
export const resetShape = Type.Object(
  {
    seed: Type.Optional(
      orNull(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: "The same seed begins the same episode.",
        }),
      ),
    ),
    episode_id: Type.Optional(
      orNull(Type.String({ maxLength: 255, description: "A name for the episode." })),
    ),
    member: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "Members of a group share the start of their seed and differ in every later draw.",
      }),
    ),
  },
  exactly,
);

const sessionId = Type.Optional(
  Type.String({
    maxLength: 64,
    description: "The session that goes on, from openenv/session/create of /mcp.",
  }),
);

/** The body of POST /reset. */
export const resetRequestShape = Type.Object({ ...resetShape.properties, session_id: sessionId }, exactly);

const metadata = Type.Optional(anyRecord);

/** A turn as text, as tokens, or as the call of a tool. */
export const actionShape = Type.Union([
  Type.Object({ text: Type.String({ description: "The words of the turn." }), metadata }, exactly),
  Type.Object(
    { tokens: Type.Array(Type.Integer({ minimum: 0 }), { description: "The turn as tokens." }), metadata },
    exactly,
  ),
  Type.Object(
    {
      type: Type.Literal("call_tool"),
      tool_name: Type.String(),
      arguments: Type.Optional(anyRecord),
      metadata,
    },
    exactly,
  ),
  Type.Object({ type: Type.Literal("list_tools"), metadata }, exactly),
]);

/** Observation before a turn. */
export const observationShape = Type.Object(
  {
    text: Type.String({ description: "What the agent sees." }),
    tokens: Type.Array(Type.Integer({ minimum: 0 }), { description: "The same as tokens." }),
    agent: Type.Optional(Type.String({ description: "Who takes the turn that comes." })),
    tool_name: Type.Optional(Type.String()),
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(Type.Unknown()),
    tools: Type.Optional(Type.Array(Type.Unknown())),
    done: Type.Optional(Type.Boolean()),
    reward: Type.Optional(orNull(Type.Number())),
    metadata,
  },
  exactly,
);

export const stateShape = Type.Object({
  episode_id: orNull(Type.String()),
  step_count: Type.Integer({ minimum: 0 }),
  world: Type.String({ description: "The id of the world." }),
  max_turns: Type.Integer({ minimum: 1 }),
  return: Type.Number({ description: "The rewards of the episode so far, summed up." }),
  done: Type.Boolean(),
});

/** The body of POST /step. */
export const stepShape = Type.Object(
  {
    action: anyRecord,
    timeout_s: Type.Optional(orNull(Type.Number({ exclusiveMinimum: 0 }))),
    request_id: Type.Optional(orNull(Type.String({ maxLength: 255 }))),
    session_id: sessionId,
  },
  exactly,
);

/** A message of a WebSocket. */
export const messageShapes = {
  reset: Type.Object({ type: Type.Literal("reset"), data: Type.Optional(anyRecord) }, exactly),
  step: Type.Object({ type: Type.Literal("step"), data: anyRecord }, exactly),
  state: Type.Object({ type: Type.Literal("state") }, exactly),
  close: Type.Object({ type: Type.Literal("close") }, exactly),
  mcp: Type.Object({ type: Type.Literal("mcp"), data: anyRecord }, exactly),
} as const;

/** A call of JSON-RPC 2.0. */
export const rpcShape = Type.Object(
  {
    jsonrpc: Type.Literal("2.0"),
    method: Type.String(),
    params: Type.Optional(anyRecord),
    id: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])),
  },
  exactly,
);

export type ActionData = Static<typeof actionShape>;
export type WireObservation = Static<typeof observationShape>;
export type RpcRequest = Static<typeof rpcShape>;

/**
 * The value, if it has the shape.
 *
 * @param what completes "Cannot ..."
 * @throws {Refusal} if it has another one; the sentence names the first part that is wrong
 */
export function expectShape<S extends TSchema>(what: string, shape: S, value: unknown): Static<S> {
  if (Value.Check(shape, value)) return value;
  const first = Value.Errors(shape, value).First()!;
  const at = first.path === "" ? "it" : first.path.slice(1).replaceAll("/", ".");
  const known = knownKeys(shape);
  const strange =
    isRecord(value) && known.length > 0 ? Object.keys(value).find((key) => !known.includes(key)) : undefined;
  const wrong =
    strange === undefined
      ? `${at} is invalid (${first.message.toLowerCase()}), got ${shown(first.value)}.`
      : `its keys must be among ${known.join(", ")}, got ${strange}.${didYouMean(strange, known)}`;
  throw new Refusal("VALIDATION_ERROR", `Cannot ${what}: ${wrong}`);
}

function knownKeys(shape: TSchema): readonly string[] {
  const parts = (shape.anyOf ?? [shape]) as readonly { readonly properties?: object }[];
  return [...new Set(parts.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A client's value may be as long as a message: an error tells the beginning of it. */
function shown(value: unknown): string {
  const text = show(value);
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}
