import type { FileStore } from "./files/store";
import { MemoryStore } from "./files/store";

/** A worker of the page, as far as it is used. */
export interface PageWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: { readonly message?: string; preventDefault?(): void }) => void) | null;
}

/** Services that a page offers to the library. */
export interface Page {
  /** The files; default: in memory. */
  readonly files: FileStore;
  /** The folder from which paths are resolved, such as that of the notebook. Default "/". */
  readonly folder: string;
  /** Folders that were made and are still empty. */
  readonly emptyFolders: Set<string>;
  /** Starts a worker that runs `turnwise/browser/jobs`, for sweeps and seeds; without it, they run in this thread. */
  readonly startJobWorker?: () => PageWorker;
  /** Starts a worker that runs `turnwise/browser/helper`, for large networks where the page is isolated. */
  readonly startHelper?: () => PageWorker;
  /** The compiled kernels of networks, where the bundle has left them out: a file of `lib/turnwise/native/wasm.cjs`, decoded. */
  readonly kernels?: (relaxed: boolean) => Uint8Array | undefined;
  /** Whether these may round a product once with its sum, which is faster and gives other last bits. Default: true. */
  readonly relaxed?: boolean;
  /** Number of threads for large networks, "1" to "64". Default: two where the page is isolated and can start one. */
  readonly threads?: string;
  /** Modules that cells and jobs of sweeps may import, by name, such as "turnwise/exact". */
  readonly modules?: Readonly<Record<string, PageModule>>;
  /** Gives a file of those that pictures need. */
  readonly asset?: (name: string) => Promise<Uint8Array>;
  /** Imports an optional package, such as a backend of TensorFlow.js. */
  readonly importPackage?: (name: string) => Promise<unknown>;
}

/** The exports of a module, or how to load it. */
export type PageModule =
  | Readonly<Record<string, unknown>>
  | (() => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>);

/** One for all copies of the library in this thread. */
const pageSymbol = Symbol.for("turnwise.page");
const relaxedSymbol = Symbol.for("turnwise.relaxed");
const host = globalThis as { [pageSymbol]?: Page; [relaxedSymbol]?: boolean };

/** Services that the page has offered so far. */
export function page(): Page {
  return (host[pageSymbol] ??= { files: new MemoryStore(), folder: "/", emptyFolders: new Set() });
}

/** The kernels of networks are loaded in this thread, and round in this way from now on. */
export function kernelsRound(relaxed: boolean): void {
  host[relaxedSymbol] = relaxed;
}

/**
 * Tells the library what the page offers; what is not named stays as it was.
 *
 * @throws {RangeError} if `relaxed` is to change how networks round in a thread that has computed one: all that it trains must agree
 *
 * @example
 * import { setUp } from "turnwise/browser";
 * setUp({ folder: "/notebooks" }).folder; // => "/notebooks"
 */
export function setUp(offered: Partial<Page>): Page {
  const [used, asked] = [host[relaxedSymbol], offered.relaxed];
  // Where an engine has no relaxed kernels, they may be asked for: it rounds the same.
  if (asked !== undefined && used !== undefined && asked !== used && (used || page().relaxed === false))
    throw new RangeError(
      `Cannot set relaxed to ${String(asked)}: a network has already been computed in this thread, so its kernels are loaded, ` +
        `with relaxed ${String(used)}. Restart the kernel, and call setUp before anything else.`,
    );
  return (host[pageSymbol] = { ...page(), ...offered });
}
