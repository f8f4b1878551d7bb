import type { FilesHeard, FilesWritten } from "../shared/file-messages.js";
import type { SourceNews } from "../types/sources.js";
import type {
  ControlCommand,
  ControlReport,
  SessionCommand,
  SessionReport,
} from "turnwise-kernel/internal/session/messages";

/** Data that the page passes to the worker of cells when it starts. */
export interface CellsStart {
  /** The site's address, with a final slash. */
  base: string;
  /** The notebook's folder within the site's files. */
  location: string;
  /** Its first number is 1 when the running cell is to stop; the ninth is the serial number of the cell that is meant. */
  flag?: SharedArrayBuffer;
  /** An address that answers with the number of the cell that is to stop, where no memory is shared. */
  poll?: string;
  /** Memory for user input while a cell computes. */
  mail?: SharedArrayBuffer;
  /** The page keeps the files of cells, and reports them. */
  files?: boolean;
  /** Whether to read the library before a cell imports it. */
  readAhead?: boolean;
}

/** Messages of the page. */
export type ToCells =
  | { start: CellsStart }
  /** `mail` is its number if it may also lie in shared memory. */
  | { command: SessionCommand; buffers?: readonly Uint8Array[]; mail?: number }
  | { control: ControlCommand }
  | { files: FilesHeard };

/** Messages of the worker. */
export type FromCells =
  | { report: SessionReport; buffers: readonly Uint8Array[] }
  | { controlReport: ControlReport }
  | { files: FilesWritten }
  | { source: SourceNews };

interface ErrorEvent {
  readonly message: string;
  readonly lineno: number;
  readonly colno: number;
  readonly error?: unknown;
  readonly reason?: unknown;
  preventDefault(): void;
}

/** Globals of a page's worker that Node does not have, as far as this folder uses them. */
export const web = globalThis as unknown as {
  readonly location: { readonly href: string };
  postMessage(message: FromCells): void;
  onmessage: ((event: { data: ToCells }) => void) | null;
  close(): void;
  addEventListener(type: "error" | "unhandledrejection", listener: (event: ErrorEvent) => void): void;
  Worker: new (url: string) => {
    onerror: ((event: ErrorEvent) => void) | null;
    onmessage: (() => void) | null;
    terminate(): void;
  };
};
