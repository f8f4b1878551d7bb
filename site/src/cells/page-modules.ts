import type { CellModules } from "turnwise-kernel/internal/session/cell-imports";
import type { ExecuteCommand } from "turnwise-kernel/internal/session/messages";
import { KernelInterrupt } from "turnwise-kernel/internal/session/interrupt";
import { failedToLoad, writtenNote } from "turnwise-kernel/internal/session/module-note";
import type { ModuleMagic } from "turnwise-kernel/internal/magics/module-line";
import type { LiveNames } from "turnwise-kernel/internal/types/live-names";
import { refusal } from "turnwise-kernel/internal/types/module-file";
import type { Folder } from "turnwise-kernel/internal/types/host";
import { functionStart, sloppyStart } from "turnwise-kernel/internal/types/transform/function-start";
import { runtimeName } from "turnwise-kernel/internal/types/transform/runtime-name";
import type { PositionMap } from "turnwise-kernel/internal/types/transform/edits";
import type { CompiledFiles } from "./compiled.js";
import type { LocalFiles } from "./local-files.js";
import { textOf, writeKept } from "./module-file.js";

type Namespace = Record<string, unknown>;

/** Key under which a library finds the notebook's modules, whose exports threads can load: a map from the file to its exports. */
const modulesSymbol = Symbol.for("turnwise.modules");

/** The modules of a notebook in a page: the local files that its cells write with `%%module` or import. */
export class PageModules implements CellModules {
  /** The last version of each that could be loaded. */
  private readonly known = Object.assign(new Map<string, Namespace>(), {
    /** Whether the file has changed since it was loaded: other threads would then load another one. */
    changed: (path: string): boolean => {
      const last = this.known.get(path);
      return last !== undefined && this.files.has(path) && this.files.changed(path, last);
    },
  });
  /** Texts whose loading was interrupted: no later cell may be caught in them. */
  private readonly ended = new Map<string, string | undefined>();
  private readonly written = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly files: LocalFiles,
    private readonly compiled: CompiledFiles,
    private readonly disk: Folder,
    /** Makes values names of the notebook. */
    private readonly declare: (values: Namespace) => void,
  ) {
    Object.defineProperty(globalThis, modulesSymbol, { value: this.known, configurable: true });
  }

  /** The exports of a local file. */
  async import(path: string): Promise<Namespace> {
    await this.files.ready(path);
    return this.load(path);
  }

  readonly textOf = (path: string): string | undefined =>
    this.known.has(path) || this.written.has(path) || this.files.has(path) ? textOf(path) : undefined;

  readonly write = async (path: string, magic: Parameters<CellModules["write"]>[1]): Promise<void> => {
    const kept = refusal(this.folder, magic, magic.text, this.disk);
    if (kept !== undefined) throw new RangeError(kept);
    if (magic.made) this.compiled.note(magic.text, magic.made);
    const keep = magic.force && refusal(this.folder, unforced(magic), magic.text, this.disk) !== undefined;
    const saved = writeKept(path, magic.text, keep);
    this.written.add(path);
    await this.files.ready(path);
    const exports = this.loadWritten(path);
    this.bind(path, magic.names ?? []);
    process.stdout.write(writtenNote(magic.file, Object.keys(exports), saved));
  };

  readonly exports = (path: string): Namespace => {
    const last = this.known.get(path);
    if (!last || !this.files.changed(path, last)) return last ?? {};
    try {
      const exports = this.loadWritten(path);
      process.stderr.write(`${path.replace(/^.*\//, "")} has changed and is imported again\n`);
      return exports;
    } catch (error) {
      process.stderr.write(`${(error as Error).message}; its last version stays in use\n`);
      return last;
    }
  };

  /** The cell, and before it the names of modules that have changed since, which are global here. */
  renewed(command: ExecuteCommand): ExecuteCommand {
    const changed = Object.entries(command.live ?? {}).filter(([path]) => {
      const last = this.known.get(path);
      if (!this.written.has(path) || last === undefined || this.ended.get(path) === textOf(path))
        return false;
      return this.files.changed(path, last);
    });
    if (changed.length === 0) return command;
    const lines = changed.map(([path, names]) => {
      const set = names.map(([exported, name]) => {
        const value = exported === "*" ? "from" : `from[${JSON.stringify(exported)}]`;
        return `globalThis[${JSON.stringify(name)}]=${value};`;
      });
      const declared = JSON.stringify(names.map(([, name]) => name));
      const from = `${runtimeName}.exports(${JSON.stringify(path)})`;
      return `${runtimeName}.d([],${declared});{const from=${from};${set.join("")}}`;
    });
    const start = startOf(command.code);
    const own = start === undefined ? `${command.code}\n})` : command.code.slice(start.length);
    return {
      ...command,
      code: `${start ?? functionStart}${lines.join("")}\n${own}`,
      map: [[], ...behind(command)],
    };
  }

  private bind(path: string, names: LiveNames[string]): void {
    const exports = this.exports(path);
    this.declare(
      Object.fromEntries(
        names.map(([exported, name]) => [name, exported === "*" ? exports : exports[exported]]),
      ),
    );
  }

  private load(path: string): Namespace {
    const exports = this.files.load(path);
    this.known.set(path, exports);
    return exports;
  }

  private loadWritten(path: string): Namespace {
    try {
      return this.load(path);
    } catch (error) {
      if (!(error instanceof KernelInterrupt)) throw failedToLoad(path, error);
      this.ended.set(path, textOf(path));
      throw error;
    }
  }
}

const startOf = (code: string): string | undefined =>
  [functionStart, sloppyStart].find((start) => code.startsWith(start));

/** Source position of a cell's code, without the text before it on its first line. */
function behind({ code, map }: ExecuteCommand): PositionMap {
  const start = startOf(code);
  if (start === undefined) return map;
  const [first = [], ...rest] = map;
  const moved = first.map(([column, line, at]): [number, number, number] => [
    Math.max(0, column - start.length),
    line,
    at,
  ]);
  return [moved, ...rest];
}

const unforced = (magic: ModuleMagic): ModuleMagic => ({ ...magic, force: false });
