import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { replaceFile } from "../../../bootstrap/replace-file.cjs";
import { bindingCode, waited } from "../../types/binding-code.js";
import { disk } from "../../types/disk.js";
import { refusal } from "../../types/module-file.js";
import { runtimeName } from "../../types/transform/runtime-name.js";
import type { CellModules, WrittenModule } from "../cell-imports.js";
import type { ExecuteCommand } from "../messages.js";
import { failedToLoad, writtenNote } from "../module-note.js";
import type { LocalModules } from "./local/local-modules.js";

type Namespace = Record<string, unknown>;

/** Key under which a library finds the notebook's modules, whose exports threads can load: a map from the file to its exports. */
const modulesSymbol = Symbol.for("turnwise.modules");

/** The modules of a notebook: the local files that its cells write with `%%module` or import. */
export class NotebookModules implements CellModules {
  /** The last version of each that could be loaded. */
  private readonly known = Object.assign(new Map<string, Namespace>(), {
    /** Whether the file has changed since it was loaded: other threads would then load another one. */
    changed: (path: string): boolean => {
      return this.known.has(path) && this.files.changed(path);
    },
  });
  private readonly written = new Set<string>();
  /** Files being loaded, with the time of their last change; empty outside of loading, unless V8 has ended that. */
  private readonly loading = new Map<string, number>();

  constructor(
    private readonly folder: string,
    private readonly files: LocalModules,
  ) {
    Object.defineProperty(globalThis, modulesSymbol, { value: this.known, configurable: true });
  }

  /** The exports of a local file. */
  private async load(path: string): Promise<Namespace> {
    const exports = await this.files.load(path);
    this.known.set(path, exports);
    return exports;
  }

  /** The text of a module's file; undefined for any other file. */
  readonly textOf = (path: string): string | undefined =>
    (this.known.has(path) || this.written.has(path) || this.files.has(path)) && existsSync(path)
      ? readFileSync(path, "utf8")
      : undefined;

  /** Notes a local file that a cell has imported: of a CommonJS module what it exports. */
  note(path: string, namespace: Namespace): void {
    const commonJs =
      namespace.default !== undefined && namespace.default === Object.getPrototypeOf(namespace);
    this.known.set(path, commonJs ? (namespace.default as Namespace) : namespace);
  }

  /** Writes the file of a `%%module` cell and loads it. */
  readonly write = async (path: string, magic: WrittenModule): Promise<void> => {
    const kept = refusal(this.folder, magic, magic.text, disk);
    if (kept !== undefined) throw new RangeError(kept);
    const keep =
      magic.force && refusal(this.folder, { ...magic, force: false }, magic.text, disk) !== undefined;
    const saved = writeWhole(path, magic.text, keep);
    this.written.add(path);
    process.stdout.write(writtenNote(magic.file, Object.keys(await this.loadWritten(path)), saved));
  };

  /** The newest exports of a module of the notebook; the last ones, and a note, while its file cannot be loaded. */
  readonly exports = async (path: string): Promise<Namespace> => {
    const last = this.known.get(path);
    if (!last || !this.files.changed(path)) return last ?? {};
    try {
      const exports = await this.loadWritten(path);
      process.stderr.write(`${basename(path)} has changed and is imported again\n`);
      return exports;
    } catch (error) {
      const { message } = error as Error;
      process.stderr.write(`${message}; its last version stays in use\n`);
      return last;
    }
  };

  /** The cell, and before it the names of modules that have changed since. */
  renewed(command: ExecuteCommand): ExecuteCommand {
    const changed = Object.entries(command.live ?? {}).filter(([path]) => {
      return this.written.has(path) && this.known.changed(path) && !this.wasEnded(path);
    });
    if (changed.length === 0) return command;
    const lines = changed.map(([path, names]) =>
      bindingCode(names, waited(`${runtimeName}.exports(${JSON.stringify(path)})`)),
    );
    return {
      ...command,
      code: `"use strict";${lines.join("")}\n${command.code}`,
      map: [[], ...command.map],
    };
  }

  private async loadWritten(path: string): Promise<Namespace> {
    this.loading.set(path, statSync(path).mtimeMs);
    try {
      return await this.load(path);
    } catch (error) {
      throw failedToLoad(path, error);
    } finally {
      this.loading.delete(path);
    }
  }

  /** Whether V8 has ended the loading of this version, as it did not stop: no later cell may be caught in it. */
  private wasEnded(path: string): boolean {
    return this.loading.get(path) === statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  }
}

/** Writes a file in one step; with `keep`, what it replaces stays beside it under the name that is returned. */
function writeWhole(path: string, text: string, keep: boolean): string | undefined {
  const old = existsSync(path) ? readFileSync(path) : undefined;
  if (old?.toString() === text) return undefined;
  mkdirSync(dirname(path), { recursive: true });
  const saved = keep && old !== undefined ? keepBeside(path, old) : undefined;
  replaceFile(path, text);
  return saved;
}

/** Writes the old content under the first name that is free, so that no backup and no link of the user's is written over. */
function keepBeside(path: string, old: Buffer): string {
  const { mode } = statSync(path);
  for (let n = 1; ; n++) {
    const saved = `${path}${n === 1 ? "" : `.${n}`}.bak`;
    let fd: number | undefined;
    try {
      fd = openSync(saved, "wx", mode & 0o777);
      // In place: the file is new.
      writeFileSync(fd, old);
      fsyncSync(fd);
      return basename(saved);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (fd === undefined && code === "EEXIST") continue;
      if (fd !== undefined) rmSync(saved, { force: true });
      throw new Error(
        `Cannot write ${basename(path)}: its old text must be kept in ${basename(saved)}: ${message}. ` +
          "What was there is unchanged.",
        { cause: error },
      );
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }
}
