import { files as fs } from "#files";
import { path } from "#path";
import { modules } from "#sweep/modules";
import { lentCompiler } from "./notebook";

/** The part of the package typescript that is used. */
interface Compiler {
  readonly ScriptTarget: { readonly ES2022: number };
  readonly ModuleKind: { readonly CommonJS: number };
  readonly JsxEmit: { readonly React: number };
  transpileModule(
    text: string,
    o: { readonly fileName: string; readonly compilerOptions: Readonly<Record<string, unknown>> },
  ): { readonly outputText: string };
  preProcessFile(text: string): { readonly importedFiles: readonly { readonly fileName: string }[] };
}

const extensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"];

/** The local files of which modules consist. */
export interface Compiled {
  /** TypeScript as JavaScript, by the absolute path of the file. */
  readonly sources: Readonly<Record<string, string>>;
  /** Files of JavaScript, which Node loads by itself. */
  readonly plain: readonly string[];
}

/**
 * Follows modules and what they import, and compiles TypeScript. That is done once, here: threads get JavaScript, as the
 * compiler takes longer to start than most jobs.
 *
 * @throws {RangeError} if there is TypeScript among them and no compiler
 */
export function compiledFiles(files: readonly string[]): Compiled {
  const sources: Record<string, string> = {};
  const plain = new Set<string>();
  const add = (file: string): void => {
    if (!modules.compiles(file)) plain.add(file);
    if (plain.has(file) || sources[file] !== undefined) return;
    const ts = compilerFor(file);
    const text = fs.readFileSync(file, "utf8");
    sources[file] = ts.transpileModule(text, {
      fileName: file,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.CommonJS,
        esModuleInterop: true,
        jsx: ts.JsxEmit.React,
        inlineSourceMap: true,
      },
    }).outputText;
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const found = fileName.startsWith(".")
        ? findFile(path.resolve(path.dirname(file), fileName))
        : undefined;
      if (found !== undefined) add(found);
    }
  };
  files.forEach(add);
  return { sources, plain: [...plain] };
}

/** The file for a path that may lack its extension, name a folder, or name the `.js` of a `.ts` file. */
export function findFile(stem: string): string | undefined {
  const typed = stem.replace(/\.([cm]?)jsx?$/, ".$1ts");
  const besides = extensions.map((extension) => stem + extension);
  const inside = extensions.map((extension) => path.join(stem, `index${extension}`));
  return [stem, typed, ...besides, ...inside].find((file) =>
    fs.statSync(file, { throwIfNoEntry: false })?.isFile(),
  );
}

function compilerFor(file: string): Compiler {
  const found = lentCompiler() ?? modules.compiler(file);
  if (found !== undefined) return found as Compiler;
  throw new RangeError(
    `Cannot load ${file}: the package typescript must be installed to compile it, but it is found neither beside the file ` +
      `nor beside turnwise. Install it, or name a module of JavaScript.`,
  );
}
