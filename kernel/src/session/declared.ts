import { writtenName } from "../types/transform/apart-name.js";
import type { PositionMap } from "../types/transform/edits.js";

const prologue = '"use strict";';

interface Script {
  code: string;
  map: PositionMap;
}

/**
 * The same script with names of its `var` declared at its start, undefined until it assigns to them. They are a part of it, so
 * that a script that V8 refuses leaves no names behind.
 */
export function declared<T extends Script>(script: T, names: readonly string[]): T {
  if (names.length === 0) return script;
  const { code, map } = script;
  const at = code.startsWith(prologue) ? prologue.length : 0;
  // A name that the global object has keeps what it means there.
  const lead = `let ${names.map((name) => `${name}=globalThis.${writtenName(name)}`).join(",")};`;
  const [first = [], ...rest] = map;
  const moved = first.map(([column, ...origin]): [number, number, number] => [
    column < at ? column : column + lead.length,
    ...origin,
  ]);
  return { ...script, code: code.slice(0, at) + lead + code.slice(at), map: [moved, ...rest] };
}
