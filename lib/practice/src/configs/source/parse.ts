import { dotted, resolved } from "./tree";
import { pythonArguments, pythonWords } from "./python";
import type { LaunchFlags } from "./flagWords";
import { launchFlags } from "./shell";

/** In what a configuration is written. */
export type ConfigForm = "JSON" | "YAML" | "TOML" | "launch script" | "Python";

/** The flags of a configuration, whatever it is written in. */
export interface Source extends LaunchFlags {
  readonly form: ConfigForm;
}

const launches =
  /^#!|\\\r?\n|^\s*(?:export\s+)?[A-Za-z_]\w*=\S|\b(?:python3?|torchrun|accelerate|deepspeed|swift|megatron|llamafactory-cli|uv run|ray job)\b|^\s*--[a-z]/m;
const isToml = /^\s*\[{1,2}[\w."-]+\]{1,2}\s*(?:#.*)?$|^\s*[\w."-]+ = /m;

/**
 * Reads JSON, YAML, TOML, a launch script or the arguments of a `GRPOConfig`. A list of `key=value` is read as words of a script.
 *
 * @throws {TypeError} if it is none of these
 */
export async function parseConfig(text: string): Promise<Source> {
  const plain = text.replace(/^\uFEFF/, "");
  const json = parsed(() => JSON.parse(plain) as unknown);
  if (json.value !== undefined) return ofValue(json.value, "JSON");
  const python = pythonArguments(plain);
  if (python !== undefined) return { form: "Python", ...python, words: pythonWords(plain) };
  const problems: string[] = [];
  if (isToml.test(plain)) {
    const { parse } = await import("smol-toml");
    const toml = parsed(() => parse(plain) as unknown);
    if (toml.value !== undefined) return ofValue(toml.value, "TOML");
    problems.push(`no TOML: ${toml.why}`);
  }
  const looksYaml = /^\s*(?:- |[\w."'-]+:(?:\s|$))/m.test(plain) && !/^#!|\\\r?\n/m.test(plain);
  if (looksYaml) {
    const { parseDocument } = await import("yaml");
    const document = parseDocument(plain, { logLevel: "silent" });
    const yaml = parsed(() => {
      if (document.errors.length > 0) throw document.errors[0]!;
      return document.toJS({ maxAliasCount: 1000 }) as unknown;
    });
    if (typeof yaml.value === "object" && yaml.value !== null) return ofValue(yaml.value, "YAML");
    problems.push(`no YAML: ${yaml.why}`);
  }
  if (launches.test(plain)) {
    const script = launchFlags(plain);
    if (Object.keys(script.flags).length > 0) return { form: "launch script", ...script };
    const [called] = /\b[\w./-]+\.(?:sh|bash|py|ya?ml)\b/.exec(plain.replace(/^\s*#.*$/gm, "")) ?? [];
    problems.push(
      `no flags in any of its commands${called === undefined ? "" : `, which name ${called}: give that file as well`}`,
    );
  }
  throw new TypeError(
    "Cannot read a configuration: it must be JSON, YAML, TOML, a launch script or the arguments of a GRPOConfig: " +
      (problems.length > 0 ? problems.join("; ") : `it begins with ${JSON.stringify(plain.slice(0, 40))}`),
  );
}

function parsed(parse: () => unknown): { readonly value?: unknown; readonly why: string } {
  try {
    return { value: parse(), why: "it is empty" };
  } catch (error) {
    return { why: (error instanceof Error ? error.message : String(error)).split("\n")[0]! };
  }
}

function ofValue(value: unknown, form: ConfigForm): Source {
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) {
    // Quoted, a word may hold anything but a quote.
    const words = value.map((one) => `'${one.replace(/'/g, `'\\''`)}'`);
    return { ...launchFlags(`overrides ${words.join(" ")}`), form };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(
      `Cannot read a configuration: it must have names, but the ${form} is ${JSON.stringify(value).slice(0, 60)}.`,
    );
  }
  return { form, words: [], ...resolved(dotted(value as Readonly<Record<string, unknown>>)) };
}
