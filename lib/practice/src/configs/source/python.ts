import { pastHidden } from "./pythonText";
import { constantsOf, valueOf } from "./pythonValues";
import type { Unresolved } from "./unresolved";

/** The arguments of a call, read as far as they are literals. */
export interface PythonArguments {
  readonly flags: Readonly<Record<string, unknown>>;
  /** Those that are expressions, or bring settings from elsewhere: `beta=0.5 * x`, `**kwargs`. */
  readonly unresolved: readonly Unresolved[];
}

/** A configuration or a trainer of TRL's kind: `GRPOConfig`, `RLOOConfig`, `AsyncGRPOConfig`, those derived from them, and `PPOConfig`. */
const config = /^(?:\w*GRPO\w*|RLOO|PPO)Config\s*\(/;
const ppo = /^PPOConfig\s*\(/;
/** Settings that a program gives to `generate()`, which PPO's configuration does not hold. */
const generation = /\b(?:gen(?:eration|erate)?_kwargs\s*=\s*(?:dict\s*\(|\{)|GenerationConfig\s*\()/;
const generated =
  /["']?(?<name>[a-z]\w*)["']?\s*[:=]\s*(?<value>-?\d[\d.]*(?:e-?\d+)?|True|False)\s*(?=[,})\n#]|$)/g;
const trainer = /^(?:\w*GRPO\w*|RLOO)Trainer\s*\(/;
/** Programs that take their arguments from the command line. */
const parser = /\b(?:TrlParser|HfArgumentParser)\s*\(|\bparse_args_(?:and_config|into_dataclasses)\s*\(/;
/** A word of programs that train with nothing but defaults. */
export const ONLY_DEFAULTS = "GRPOTrainer without args";
/** A word of programs whose trainer gets an adapter that was loaded for inference. */
export const FROZEN_ADAPTER = "PeftModel.from_pretrained without is_trainable";
/** A word of programs that train an adapter: the argument of TRL's trainer for one. */
export const ADAPTER = "peft_config";
/** A word of programs that make a `PPOConfig` and import TRL. */
export const TRL_PPO = "PPOConfig of TRL";
/** A word of programs that give TRL prompts as texts, without a chat template. */
export const PLAIN_PROMPTS = "prompts without roles";

/**
 * The arguments that are passed to `GRPOConfig(...)`, `RLOOConfig(...)` or `PPOConfig(...)` in Python, and the rank of an adapter; undefined where no such
 * configuration or trainer is made.
 *
 * @throws {TypeError} if the program takes its arguments from elsewhere
 */
export function pythonArguments(text: string): PythonArguments | undefined {
  const call = callOf(text, config);
  if (call === undefined) {
    const training = callOf(text, trainer);
    if (training === undefined) return undefined;
    if (parser.test(text)) {
      throw new TypeError(
        "Cannot read a configuration: the program takes its arguments from the command line: give the script or the file with them.",
      );
    }
    if (argumentsOf(text, training).some(({ name }) => name === "args")) {
      throw new TypeError(
        "Cannot read a configuration: the trainer's args must be made in the same file, but no GRPOConfig is.",
      );
    }
  }
  const constants = constantsOf(text);
  const flags: Record<string, unknown> = {};
  const unresolved: Unresolved[] = [];
  for (const { name, value, written, start } of call === undefined ? [] : argumentsOf(text, call)) {
    const known = name === undefined ? undefined : valueOf(value, constants);
    if (known !== undefined) flags[name!] = known;
    else {
      const shown = name === undefined ? written : `${name} = ${value}`;
      unresolved.push({
        name: name ?? written,
        text: shown.length > 80 ? `${shown.slice(0, 79)}…` : shown,
        line: text.slice(0, shownFrom(text, start)).split("\n").length,
      });
    }
  }
  if (callOf(text, ppo) !== undefined) Object.assign(flags, generationOf(text));
  const rank = adapterRank(text, constants);
  return { flags: rank === undefined || "lora_r" in flags ? flags : { ...flags, lora_r: rank }, unresolved };
}

/** The literals that a program gives to `generate()`, each below `generation`. */
function generationOf(text: string): Record<string, number | boolean> {
  const begins = generation.exec(text);
  if (begins === null) return {};
  const from = begins.index + begins[0].length;
  const given = text.slice(from, argumentsFrom(text, from).at(-1)!.end);
  return Object.fromEntries(
    [...given.matchAll(generated)].map(({ groups }) => [
      `generation.${groups!.name!}`,
      /^[TF]/.test(groups!.value!) ? groups!.value === "True" : Number(groups!.value),
    ]),
  );
}

/** Whether a program makes such a configuration. */
export const makesConfig = (text: string): boolean => callOf(text, config) !== undefined;

/** The rank of the adapter that a program makes. */
function adapterRank(text: string, constants: ReadonlyMap<string, unknown>): number | undefined {
  for (const made of [/^LoraConfig\s*\(/, /^get_peft_model\s*\(/]) {
    const call = callOf(text, made);
    const rank = call && argumentsOf(text, call).find(({ name }) => name === "r");
    const value = rank && valueOf(rank.value, constants);
    if (typeof value === "number") return value;
  }
  const unsloth = callOf(text, /^Fast\w*Model\.get_peft_model\s*\(/);
  return unsloth !== undefined && argumentsOf(text, unsloth).every(({ name }) => name !== "r")
    ? UNSLOTH_RANK
    : undefined;
}

/** Of Unsloth's adapters where none is given. */
const UNSLOTH_RANK = 16;

/** The packages that a program imports, the names of what it passes to a trainer beside the configuration, and facts about it. */
export function pythonWords(text: string): string[] {
  const imported = [...text.matchAll(/^\s*(?:from|import)\s+([A-Za-z_]\w*)/gm)].map(([, name]) => name!);
  const call = callOf(text, /^\w+Trainer\s*\(/);
  const training = callOf(text, trainer);
  const passed = call === undefined ? [] : argumentsOf(text, call);
  return [
    ...new Set([
      ...imported,
      ...passed.flatMap(({ name }) => (name === undefined ? [] : [name])),
      ...(imported.includes("trl") && callOf(text, ppo) !== undefined ? [TRL_PPO] : []),
      ...(callOf(text, /^get_peft_model\s*\(/) === undefined ? [] : [ADAPTER]),
      ...(training !== undefined && callOf(text, config) === undefined ? [ONLY_DEFAULTS] : []),
      ...(training !== undefined && isFrozen(text.slice(0, training), argumentsOf(text, training))
        ? [FROZEN_ADAPTER]
        : []),
      ...(training !== undefined && hasPlainPrompts(text) ? [PLAIN_PROMPTS] : []),
    ]),
  ];
}

/** Whether the model of a trainer is an adapter that was loaded for inference before it, which freezes its weights. */
function isFrozen(text: string, passed: readonly Argument[]): boolean {
  const model = (passed.find(({ name }) => name === "model") ?? passed.find(({ name }) => name === undefined))
    ?.value;
  const loaded = /\b([A-Za-z_]\w*)\s*=\s*(?:\w+\.)?PeftModel\.from_pretrained\s*\(/g;
  return [...text.matchAll(loaded)].some(({ 1: name, index, 0: call }) => {
    const given = argumentsOf(text, index + call.length);
    const isTrainable = given.some((one) => one.name === "is_trainable" && one.value !== "False");
    return name === model && !isTrainable && !/\bmerge_and_unload\s*\(|\brequires_grad/.test(text);
  });
}

/** Whether a program makes prompts and neither messages with roles nor a text from a chat template. */
const hasPlainPrompts = (text: string): boolean =>
  /["']prompt["']\s*:\s*[^\s[]|\[["']prompt["']\]\s*=\s*[^\s=[]/.test(text) &&
  !/["']role["']|apply_chat_template|\bmaybe_apply_chat_template/.test(text);

/** An argument of a call. */
interface Argument {
  /** Undefined for one without a name. */
  readonly name: string | undefined;
  readonly value: string;
  readonly written: string;
  readonly start: number;
}

/** The arguments of a call of which the parenthesis has been opened. */
function argumentsOf(text: string, from: number): Argument[] {
  return argumentsFrom(text, from).flatMap(({ start, end }) => {
    const written = withoutComments(text.slice(start, end)).replace(/\s+/g, " ").trim();
    if (written === "") return [];
    const [, name, value] = /^([A-Za-z_]\w*) ?=(?!=) ?(.*)$/.exec(written) ?? [];
    return [{ name, value: value ?? written, written, start }];
  });
}

/** The place after the parenthesis of the first such call that is neither in a comment nor in a text, nor makes a class or function. */
function callOf(text: string, name: RegExp): number | undefined {
  for (let i = 0; i < text.length; i = pastHidden(text, i)) {
    if (!/[A-Za-z_]/.test(text[i]!) || /\w/.test(text[i - 1] ?? "")) continue;
    const found = name.exec(text.slice(i, i + 80));
    if (found && !/\b(?:class|def)\s+$/.test(text.slice(Math.max(0, i - 12), i))) return i + found[0].length;
  }
  return undefined;
}

/** The stretches between the commas of a call, of which the parenthesis has been opened. */
function argumentsFrom(text: string, from: number): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  let depth = 1;
  let start = from;
  let i = from;
  for (; i < text.length && depth > 0; i = pastHidden(text, i)) {
    const char = text[i]!;
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char)) depth -= 1;
    if (depth > 0 && !(depth === 1 && char === ",")) continue;
    found.push({ start, end: i });
    start = i + 1;
  }
  return depth > 0 ? [...found, { start, end: text.length }] : found;
}

/** The first place that is neither a blank nor in a comment. */
function shownFrom(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\s#]/.test(text[at]!)) at = text[at] === "#" ? pastHidden(text, at) : at + 1;
  return at;
}

function withoutComments(text: string): string {
  let plain = "";
  for (let i = 0; i < text.length;) {
    const next = pastHidden(text, i);
    if (text[i] !== "#") plain += text.slice(i, next);
    i = next;
  }
  return plain;
}
