import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What the head of a file of test262 says of it. */
export interface Head {
  flags: string[];
  includes: string[];
  features: string[];
  /** It must fail before it runs. */
  isRefused: boolean;
}

/** Why a file is not run, or undefined if it is. */
export function leftOut(path: string, head: Head): string | undefined {
  const { flags } = head;
  if (/_FIXTURE\.js$/.test(path)) return "part of another file";
  if (flags.includes("module") || /module-code|\/import\/|\/export\/|dynamic-import|import\.meta/.test(path))
    return "modules";
  if (flags.includes("noStrict")) return "sloppy only: cells are strict";
  if (flags.includes("raw")) return "raw: no strict directive may stand before it";
  if (flags.includes("CanBlockIsFalse")) return "needs a host that cannot block";
  return undefined;
}

/** Reads the head, which is YAML of a plain form. */
export function headOf(text: string): Head {
  const yaml = /\/\*---([^]*?)---\*\//.exec(text)?.[1] ?? "";
  const list = (name: string): string[] => {
    const inline = new RegExp(`^${name}:\\s*\\[([^\\]]*)\\]`, "m").exec(yaml)?.[1];
    const below = new RegExp(`^${name}:\\s*\\n((?:\\s+- .*\\n?)+)`, "m").exec(yaml)?.[1];
    return (inline?.split(",") ?? below?.split("\n").map((line) => line.replace(/^\s+- /, "")) ?? [])
      .map((one) => one.trim())
      .filter((one) => one !== "");
  };
  const negative = /^negative:\s*\n((?:[ \t]+.*\n?)+)/m.exec(yaml)?.[1] ?? "";
  return {
    flags: list("flags"),
    includes: list("includes"),
    features: list("features"),
    isRefused: /phase:\s*(parse|early|resolution)/.test(negative),
  };
}

/** The library of test262 that a file asks for. */
export function harness(root: string, { flags, includes }: Head): string {
  const asynchronous = flags.includes("async") ? ["doneprintHandle.js"] : [];
  return ["assert.js", "sta.js", ...asynchronous, ...includes]
    .map((name) => textOf(join(root, "harness", name)))
    .join("\n");
}

const texts = new Map<string, string>();

function textOf(path: string): string {
  let text = texts.get(path);
  if (text === undefined) texts.set(path, (text = readFileSync(path, "utf8")));
  return text;
}
