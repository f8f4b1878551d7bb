import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { CellDiagnostic } from "../../types/engine.js";
import { findFile } from "./find-file.js";
import { placed, type Place } from "../placed.js";
import type { Stacks } from "../stacks.js";

const load = createRequire(__filename);

const mostFiles = 200;

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
  // CommonJS says where it is; an ES module may also be one that this one imports.
  const [, named] = /^(\/.*|[A-Za-z]:\\.*):\d+\n/.exec(String(error.stack)) ?? [];
  const files = [named ?? path];
  for (let i = 0; i < Math.min(files.length, mostFiles); i++) {
    const text = textOf(files[i]!);
    if (text === undefined) continue;
    const place = firstSyntaxError(text, files[i]!);
    if (place) return placed(place, files[i]!, stacks);
    for (const file of importsOf(text, files[i]!)) if (!files.includes(file)) files.push(file);
  }
  return error;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function importsOf(text: string, path: string): string[] {
  const ts = load("typescript") as typeof import("typescript");
  return ts.preProcessFile(text).importedFiles.flatMap(({ fileName }) => {
    const file = fileName.startsWith(".")
      ? findFile(resolve(dirname(path), fileName))
      : packageFile(fileName, pathToFileURL(path).href);
    return file === undefined ? [] : [file];
  });
}

/** The file that `import` would load for a package; undefined for Node's own, and if there is none. */
export function packageFile(specifier: string, parent: string): string | undefined {
  const { resolve: ofNode } = load("./meta-resolve.mjs") as typeof import("./meta-resolve.mjs");
  try {
    const url = ofNode(specifier, parent);
    return url.startsWith("file:") ? fileURLToPath(url) : undefined;
  } catch {
    return undefined;
  }
}
