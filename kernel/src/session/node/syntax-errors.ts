import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import type { CellDiagnostic } from "../../types/engine.js";
import { findFile } from "./find-file.js";
import { placed, type Place } from "../placed.js";
import type { Stacks } from "../stacks.js";

const load = createRequire(__filename);

const mostFiles = 50;

/** The first syntax error of a file; TypeScript, which finds it, is loaded only here. */
export function firstSyntaxError(text: string, path: string): Place | undefined {
  const { syntaxErrors } = load("../../types/syntax.js") as {
    syntaxErrors(source: string, fileName: string): CellDiagnostic[];
  };
  const [found] = syntaxErrors(text, path);
  if (!found) return undefined;
  const before = text.slice(0, found.start).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1, message: found.message };
}

/** A syntax error of V8, which names neither file nor line, with both; any other error as it is. */
export function asPlaced(error: unknown, path: string, stacks: Stacks): unknown {
  if (!(error instanceof SyntaxError)) return error;
  // It may be in a file that this one imports.
  const files = [path];
  for (let i = 0; i < Math.min(files.length, mostFiles); i++) {
    const text = readFileSync(files[i]!, "utf8");
    const place = firstSyntaxError(text, files[i]!);
    if (place) return placed(place, files[i]!, stacks);
    for (const file of localImports(text, files[i]!)) if (!files.includes(file)) files.push(file);
  }
  return error;
}

function localImports(text: string, path: string): string[] {
  const ts = load("typescript") as typeof import("typescript");
  return ts.preProcessFile(text).importedFiles.flatMap(({ fileName }) => {
    const file = fileName.startsWith(".") ? findFile(resolve(dirname(path), fileName)) : undefined;
    return file === undefined ? [] : [file];
  });
}
