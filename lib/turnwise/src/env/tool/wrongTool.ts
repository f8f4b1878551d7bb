import { didYouMean } from "../../base/suggest";
import type { EnvSpec, ToolParameter, ToolSpec } from "../env";
import { partsOf } from "./declared";

/** Names that OpenEnv keeps for itself. */
const RESERVED = ["reset", "step", "state", "close"];
const NAMEABLE = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether a model may call a tool by this name, by MCP and OpenEnv. */
export function isToolName(name: string): boolean {
  return NAMEABLE.test(name) && !RESERVED.includes(name);
}

/** Fault in the declared tools of a world, with a hint; undefined if they can be called. */
export function wrongTool(spec: EnvSpec): readonly [problem: string, hint: string] | undefined {
  const { tools, vocabulary } = spec;
  if (!tools) return undefined;
  if (tools.length === 0) return ["spec.tools is empty", "declare a tool, or leave it out"];
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return [`spec.tools has ${twice} twice`, "give each tool a name of its own"];
  for (const tool of tools) {
    const wrong =
      wrongParts(spec, tool) ?? tool.parameters.map((p) => wrongParameter(tool, p, vocabulary)).find(Boolean);
    if (wrong) return wrong;
  }
  return undefined;
}

function wrongParameter(
  { name: tool }: ToolSpec,
  { name, values, words }: ToolParameter,
  vocabulary: readonly string[],
): readonly [string, string] | undefined {
  const of = `${name} of the tool ${tool}`;
  if (values.length === 0) return [`${of} has no values`, "list the words that it may be"];
  const strange = values.find((value) => !vocabulary.includes(value));
  if (strange !== undefined) {
    return [
      `${of} may be "${strange}"`,
      `its values must be words of spec.vocabulary.${didYouMean(strange, vocabulary)}`,
    ];
  }
  if (
    words &&
    !(Number.isInteger(words[0]) && Number.isInteger(words[1]) && words[0] >= 1 && words[1] >= words[0])
  ) {
    return [
      `${of} takes ${words.join(" to ")} words`,
      "give the fewest and the most, integers of at least 1",
    ];
  }
  return undefined;
}

function wrongParts(spec: EnvSpec, tool: ToolSpec): readonly [string, string] | undefined {
  const { vocabulary, maxTokens, endToken } = spec;
  const { name, about, parameters } = tool;
  if (!isToolName(name)) {
    return [
      `spec.tools has the name "${name}"`,
      `it must be 1 to 64 letters, digits, "_" or "-", and none of ${RESERVED.join(", ")}`,
    ];
  }
  if (about.trim() === "") return [`the tool ${name} has no sentence`, "say in about what it does"];
  const parts = partsOf(tool);
  const fixed = parts.flatMap((part) =>
    typeof part === "string" ? [part] : "filler" in part ? [part.filler] : [],
  );
  const strange = fixed.find((word) => !vocabulary.includes(word));
  if (strange !== undefined) {
    return [
      `the turn of the tool ${name} has the word "${strange}"`,
      `it must be in spec.vocabulary.${didYouMean(strange, vocabulary)}`,
    ];
  }
  const used = parts.flatMap((part) =>
    typeof part !== "string" && "parameter" in part ? [part.parameter] : [],
  );
  const declared = parameters.map((parameter) => parameter.name);
  if ([...used].sort().join() !== [...declared].sort().join()) {
    return [
      `the turn of the tool ${name} has the parameters ${used.join(", ") || "(none)"}`,
      `each of its parameters must be there once: ${declared.join(", ") || "it has none"}`,
    ];
  }
  const sizes = parts.map((part) => {
    if (typeof part === "string" || "filler" in part) return { least: 1, most: 1, isOptional: false };
    const { words: [least, most] = [1, 1], required = true } = parameters.find(
      (parameter) => parameter.name === part.parameter,
    )!;
    return { least: required ? least : 0, most, isOptional: !required };
  });
  const firstOptional = sizes.findIndex(({ isOptional }) => isOptional);
  if (firstOptional >= 0 && sizes.slice(firstOptional).some(({ isOptional }) => !isOptional)) {
    return [`the tool ${name} has a required part after an optional one`, "put optional parameters last"];
  }
  const [least, most] = (["least", "most"] as const).map((key) =>
    sizes.reduce((sum, size) => sum + size[key], 0),
  );
  if (most! > maxTokens) {
    return [`a call of the tool ${name} has up to ${most} words`, `spec.maxTokens allows ${maxTokens}`];
  }
  if (endToken === undefined && least! < maxTokens) {
    return [
      `a call of the tool ${name} may have ${least} words`,
      `without spec.endToken every turn has ${maxTokens}: fill its places with { filler: "a word" }`,
    ];
  }
  return undefined;
}
