import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { originalPosition, type PositionMap } from "../../../types/transform/edits.js";
import type { CellScript } from "../../state.js";
import { murmur2 } from "./murmur2.js";

/** Seed with which front ends compute the path of a cell from its text. No file of that name needs to exist. */
export const hashSeed = 0x7e57ab1e;
export const cellPathPrefix = join(tmpdir(), `turnwise-cells-${process.pid}`) + sep;
export const cellPathSuffix = ".ts";

const keptScripts = 2_000;

/** The cells by script name and by the path that front ends give them. */
export class CellScripts {
  private readonly byName = new Map<string, CellScript & { path: string }>();
  private readonly sources = new Map<string, string>();

  pathOf(source: string): string {
    const path = `${cellPathPrefix}${murmur2(source, hashSeed)}${cellPathSuffix}`;
    this.sources.set(path, source);
    return path;
  }

  add(script: CellScript): string {
    const path = this.pathOf(script.source);
    this.byName.set(script.name, { ...script, path });
    if (this.byName.size > keptScripts) this.byName.delete(this.byName.keys().next().value!);
    return path;
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  sourceOf(path: string): string | undefined {
    return this.sources.get(path);
  }

  /** The scripts that have run with the text behind a path. */
  scriptsOf(path: string): CellScript[] {
    return [...this.byName.values()].filter((script) => script.path === path);
  }

  /** The place in a cell's source for a place in its script; lines and columns count from 0. */
  toSource(
    name: string,
    line: number,
    column: number,
  ): { path: string; line: number; column: number } | undefined {
    const script = this.byName.get(name);
    if (!script) return undefined;
    // Code that the kernel has added, such as the end of the script, counts as the cell's code before it.
    let at = originalPosition(script.map, line, column);
    for (let before = line - 1; !at && before >= 0; before--) {
      const last = script.map[before]?.at(-1);
      if (last) at = [last[1], last[2]];
    }
    return { path: script.path, line: at?.[0] ?? 0, column: at?.[1] ?? 0 };
  }
}

/** Start in a script of the code of a source line (from 0), or of the first line with code after it. */
export function toScript(map: PositionMap, sourceLine: number): { line: number; column: number } | undefined {
  let best: { line: number; column: number; source: number; sourceColumn: number } | undefined;
  for (const [line, segments] of map.entries()) {
    for (const [column, source, sourceColumn] of segments) {
      if (source < sourceLine) continue;
      const earlier =
        !best || source < best.source || (source === best.source && sourceColumn < best.sourceColumn);
      if (earlier) best = { line, column, source, sourceColumn };
    }
  }
  return best && { line: best.line, column: best.column };
}
