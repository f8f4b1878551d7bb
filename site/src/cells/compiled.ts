import type { Place } from "turnwise-kernel/internal/session/placed";
import type { BrokenAt, ModuleCode } from "turnwise-kernel/internal/types/module-code";
import { compilerSymbol, type Compiler } from "../shared/compiler.js";

interface WorkerScope {
  [compilerSymbol]?: Compiler;
  importScripts(...urls: string[]): void;
}

const scope = globalThis as unknown as WorkerScope;

/** The imports that TypeScript writes. */
const required = /\brequire\("([^"]+)"\)/g;

/** A file in which something is wrong. */
export class Broken extends Error {
  constructor(readonly at: Place) {
    super(at.message);
  }
}

/** The JavaScript of local files. What the worker of types has compiled is taken as it is; for the rest TypeScript is loaded here. */
export class CompiledFiles {
  private readonly known = new Map<string, ModuleCode | BrokenAt>();

  /** @param scripts the address of the folder in which the scripts of the workers lie */
  constructor(private readonly scripts: string) {}

  note(text: string, code: ModuleCode): void {
    this.known.set(text, code);
  }

  /** @throws {Broken} */
  of(text: string, path: string): ModuleCode {
    let made = this.known.get(text);
    if (!made) this.known.set(text, (made = this.compiler().compile(text, path)));
    if ("message" in made) throw new Broken(made);
    return made;
  }

  /** Names under which a file imports others. */
  imports(text: string, path: string): string[] {
    return [...this.of(text, path).code.matchAll(required)].map(([, name]) => name!);
  }

  /** The package typescript. */
  readonly typescript = (): unknown => this.compiler().typescript;

  /** Compiler that the library requests when it passes the notebook's modules to the workers of a sweep. */
  readonly lent = (): object => ({
    ScriptTarget: {},
    ModuleKind: {},
    JsxEmit: {},
    transpileModule: (text: string, { fileName }: { fileName: string }) => ({
      outputText: this.of(text, fileName).code,
    }),
    preProcessFile: (text: string) => ({
      importedFiles: this.imports(text, "module.ts").map((fileName) => ({ fileName })),
    }),
  });

  private compiler(): Compiler {
    if (!scope[compilerSymbol])
      scope.importScripts(
        ...["typescript.js", "compiler.js"].map((name) => new URL(name, this.scripts).href),
      );
    return scope[compilerSymbol]!;
  }
}
