import { envInfo, make } from "turnwise/internal/env/index";
import { valuesText } from "turnwise/internal/env/tool/declared";
import type { EnvSpec } from "turnwise/internal/env/env";
import { Toolbox, type McpTool } from "../world/tools";
import { TurnReader } from "../world/turnReader";
import type { PythonParameter, PythonTool, PythonWorld } from "./contract";

const keywords = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda match nonlocal not or pass raise return self try while with yield"
  ).split(" "),
);

/** The address of the client's server, and the world that it serves. */
export interface PythonOptions {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly url: string;
  readonly command: string;
}

/** @param trainer the short name of the trainer, as part of the module's name */
export function pythonWorld(
  id: string,
  trainer: string,
  reserved: readonly string[],
  { options, url, command }: PythonOptions,
): PythonWorld {
  const { spec } = make(id, options);
  const { list } = new Toolbox(spec, new TurnReader(spec));
  const className = id.replace(/-v\d+$/, "").replaceAll(/[^A-Za-z0-9]/g, "");
  const taken = new Set(reserved);
  const tools = list.map((tool) => pythonTool(tool, spec, identifier(tool.name, taken)));
  return {
    ...{ id, className, url, command, tools, maxTurns: spec.maxTurns },
    moduleName: `${className.toLowerCase()}_${trainer}`,
    instructions: instructionsOf(spec, tools),
  };
}

function instructionsOf(spec: EnvSpec, tools: readonly PythonTool[]): readonly string[] {
  const about = envInfo(spec.id).about ?? `${spec.skill}.`;
  const turns = spec.maxTurns === 1 ? "one turn" : `at most ${spec.maxTurns} turns`;
  const names = tools.map(({ name }) => name).join(", ");
  return [
    about,
    `You act by calling tools, one call a turn, for ${turns}. A call that is malformed costs a turn.`,
    `Tools: ${names}.`,
    ...(spec.agents ? [`You play all of ${spec.agents.join(", ")}; each message names the next.`] : []),
  ];
}

function pythonTool(tool: McpTool, spec: EnvSpec, name: string): PythonTool {
  const declared = spec.tools?.find((other) => other.name === tool.name);
  const properties = tool.inputSchema.properties as Readonly<
    Record<string, { readonly enum?: readonly string[]; readonly description?: string }>
  >;
  const required = tool.inputSchema.required as readonly string[];
  const taken = new Set<string>();
  const parameters = Object.entries(properties).map(([key, property]): PythonParameter => {
    const from = declared?.parameters.find((parameter) => parameter.name === key);
    const allowed = from
      ? valuesText(from)
      : property.enum && valuesText({ name: key, values: property.enum });
    return {
      ...{ key, name: identifier(key, taken), values: property.enum },
      about: oneLine([property.description, allowed].filter(Boolean).join("; ")),
      required: required.includes(key),
    };
  });
  // A parameter with a default may not come before one without.
  parameters.sort((a, b) => Number(b.required) - Number(a.required));
  const about = oneLine(declared?.about ?? tool.description);
  return { name, key: tool.name, about, parameters, schema: tool.inputSchema };
}

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.slice(0, 1).toUpperCase() + line.slice(1) + (/[.!?]$/.test(line) ? "" : ".");
};

/** A name that Python takes and that nothing else has. */
function identifier(name: string, taken: Set<string>): string {
  let word = name.replaceAll(/[^A-Za-z0-9_]/g, "_").replace(/^[_\d]/, "tool_$&");
  while (keywords.has(word) || taken.has(word)) word += "_";
  taken.add(word);
  return word;
}
