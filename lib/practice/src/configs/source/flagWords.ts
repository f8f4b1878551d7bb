import type { Unresolved } from "./unresolved";

/** The flags of a launch script, and those whose value only the shell knows. */
export interface LaunchFlags {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly unresolved: readonly Unresolved[];
  /** The words of the command that are no flags: they name the trainer. */
  readonly words: readonly string[];
}

/** Stands for what only the shell knows, such as the output of a command. */
export const UNKNOWN = "\u0000";

const hydra = /^(?:\+{1,2}|~)?(?<name>[A-Za-z_][\w./-]*)=(?<value>[^]*)$/;
const long = /^--(?<name>[A-Za-z][\w.-]*)(?:=(?<value>[^]*))?$/;

/** The flags among the words of a command. */
export function flagsOfWords(words: readonly string[]): LaunchFlags {
  const flags = new Map<string, unknown>();
  const unresolved = new Set<string>();
  const rest: string[] = [];
  const set = (name: string, value: string | readonly string[] | true): void => {
    // The last one counts.
    flags.delete(name);
    unresolved.delete(name);
    if (String(value).includes(UNKNOWN)) unresolved.add(name);
    else flags.set(name, value);
  };
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const flag = long.exec(word)?.groups;
    if (flag) {
      const name = flag.name!.replace(/-/g, "_");
      if (flag.value !== undefined) {
        set(name, flag.value);
        continue;
      }
      const values: string[] = [];
      while (i + 1 < words.length && !/^-[^\d.]/.test(words[i + 1]!) && !hydra.test(words[i + 1]!)) {
        values.push(words[++i]!);
      }
      set(name, values.length === 0 ? true : values.length === 1 ? values[0]! : values);
      continue;
    }
    const override = hydra.exec(word)?.groups;
    // Hydra has quotes of its own within those of the shell.
    if (override) set(override.name!, unquoted(override.value!));
    else rest.push(word);
  }
  return {
    flags: Object.fromEntries(flags),
    unresolved: [...unresolved].map((name) => ({ name })),
    words: rest,
  };
}

/** Words of which nobody knows whether they are there: of flags, the names remain. */
export function unsure(words: readonly string[]): readonly string[] {
  const all = words.flatMap((word) => word.trim().split(/\s+/));
  if (!all.some((word) => /^--[A-Za-z]|^[+~]{0,2}[A-Za-z_][\w./-]*=/.test(word))) return [UNKNOWN];
  return all.flatMap((word) => {
    const name = /^(?:--[A-Za-z][\w.-]*|[+~]{0,2}[A-Za-z_][\w./-]*(?==))/.exec(word)?.[0];
    return name === undefined ? [] : [`${name}=${UNKNOWN}`];
  });
}

/** A text without the quotes around it. */
export const unquoted = (text: string): string => /^(['"])([^]*)\1$/.exec(text)?.[2] ?? text;
