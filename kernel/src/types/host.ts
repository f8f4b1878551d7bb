import type ts from "typescript";
import type { Magic } from "../magics/contract.js";
import type { CellForm } from "./transform/modules.js";

/** The part of Node's `path` that the type service uses. */
export interface Paths {
  readonly sep: string;
  join(...parts: string[]): string;
  resolve(...parts: string[]): string;
  relative(from: string, to: string): string;
  dirname(path: string): string;
  basename(path: string): string;
}

/** Folder that `%%module` checks before it writes a file. */
export interface Folder {
  readonly path: Paths;
  /** Kind of the entry there, links not followed. */
  kind(path: string): "file" | "folder" | "link" | "other" | undefined;
  read(path: string): string | undefined;
  /** The path without links. */
  real(path: string): string;
  /** SHA-256 as hexadecimal digits. */
  digest(text: string): string;
}

/** Source of files for the type service: the disk on Node, one packed file of declarations in a browser. */
export interface Files extends Folder {
  exists(path: string): boolean;
  hasFolder(path: string): boolean;
  /** The names of the folders in a folder. */
  folders(path: string): string[];
  list: ts.System["readDirectory"];
  /** Another text after each change; `none` where there is no file. */
  version(path: string): string;
}

/** Services that the type service needs from its host. */
export interface Host {
  readonly files: Files;
  /** Whether `Ada` and `ada` are two folders. TypeScript takes them for one unless told, and then looks for packages in `ada`. */
  readonly caseSensitive: boolean;
  /** The folder of TypeScript's own `lib.*.d.ts`. */
  standardLibraries(): string;
  /** The folder of the kernel's build, with its declarations. */
  kernel(): string;
  /** Folder of `@types/node`. */
  typeRoot(): string;
  /** Engine that runs the cells, as a message begins: `Node 24.1.0, which runs the cells,`. */
  runtime(): string;
  /** Whether it is one of Node's own modules. */
  isBuiltin(module: string): boolean;
  /** The names that one of Node's own modules exports. */
  builtinNames(module: string): string[];
  /** Ends a check for which nobody waits any more. */
  cancellation(): ts.HostCancellationToken;
  readonly magics: readonly Magic[];
  /** Form of a cell that runs here. */
  readonly form: CellForm;
  /** TypeScript's printer, which takes most of TypeScript with it. */
  readonly transpile: typeof ts.transpileModule;
}

let given: Host | undefined;

/** Tells the type service where it runs: once, before anything else. */
export function useHost(host: Host): void {
  given = host;
}

/** Host of the type service. */
export function host(): Host {
  if (!given) throw new Error("Cannot ask the host: useHost(host) must have been called before.");
  return given;
}
