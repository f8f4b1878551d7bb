import type { EnvSpec } from "turnwise/internal/env/env";
import { usageOf } from "turnwise/internal/env/tool/declared";
import { actionShape, observationShape, resetRequestShape, rpcShape, stateShape, stepShape } from "./shapes";

type Json = Readonly<Record<string, unknown>>;

/** Key under which a server sends another turnwise the data for which OpenEnv has no field. */
export const specKey = "x-turnwise";

/** GET /schema. The spec of the world lies beside the schema of actions: there a client finds the words that it may use. */
export function schemaDocument(spec: EnvSpec): Json {
  return {
    action: { title: "Action", ...actionShape, [specKey]: spec },
    observation: { title: "Observation", ...observationShape },
    reset_observation: { title: "ResetObservation", ...observationShape },
    state: { title: "State", ...stateShape },
  };
}

/** GET /metadata. */
export function metadataDocument(spec: EnvSpec, about: string, version: string): Json {
  const { id, skill, vocabulary, maxTurns, maxTokens, endToken, tools = [] } = spec;
  const words = endToken === undefined ? vocabulary : vocabulary.filter((_, token) => token !== endToken);
  const calls = tools.map((tool) => `- \`${usageOf(tool)}\`: ${tool.about}\n`).join("");
  const length = endToken === undefined && maxTokens > 1 ? `exactly ${maxTokens}` : `at most ${maxTokens}`;
  return {
    name: id,
    description: `${about} Skill: ${skill}.`,
    version,
    readme_content:
      `# ${id}\n\n${about}\n\nAn episode has at most ${maxTurns} turns. A turn is a text of ${length} of these words, each ` +
      `after a space: ${words.join(", ")}. A text that is no turn costs one.\n` +
      (calls && `\nThe calls:\n\n${calls}`),
  };
}

const reference = (description: string, schema?: unknown): Json => ({
  description,
  ...(schema !== undefined && { content: { "application/json": { schema } } }),
});

const operation = (summary: string, result?: unknown, body?: unknown): Json => ({
  summary,
  ...(body !== undefined && { requestBody: { content: { "application/json": { schema: body } } } }),
  responses: { "200": reference("as asked", result) },
});

const reply = {
  type: "object",
  properties: {
    observation: observationShape,
    reward: { type: ["number", "null"] },
    done: { type: "boolean" },
    metadata: { type: "object" },
  },
  required: ["observation", "reward", "done"],
};
const split = { type: "object", properties: { split: { const: "train" } }, required: ["split"] };

/** GET /openapi.json: the version is that of OpenEnv's protocol. */
export function openApiDocument({ id }: EnvSpec): Json {
  const task = (summary: string): Json => ({ post: operation(summary, undefined, split) });
  return {
    openapi: "3.1.0",
    info: {
      title: "OpenEnv Environment HTTP API",
      version: "1.0.0",
      description: `${id}, served by turnwise`,
    },
    paths: {
      "/reset": { post: operation("Begin an episode", reply, resetRequestShape) },
      "/step": { post: operation("Take a turn", reply, stepShape) },
      "/state": { get: operation("Where the episode stands", stateShape) },
      "/metadata": { get: operation("What the world is") },
      "/health": { get: operation("Whether the server runs") },
      "/schema": { get: operation("The shapes of actions, observations and states") },
      "/mcp": { post: operation("Tools by JSON-RPC 2.0", undefined, rpcShape) },
      "/list_environments": { get: operation("The worlds of this server") },
      [`/${id}/splits`]: { get: operation("The splits of its tasks") },
      [`/${id}/tasks`]: task("The tasks of a split"),
      [`/${id}/num_tasks`]: task("How many tasks a split has"),
      [`/${id}/task`]: task("One task"),
      [`/${id}/task_range`]: task("Some of the tasks"),
    },
  };
}
