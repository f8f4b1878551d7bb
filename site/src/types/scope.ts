import type { SourceNews } from "./sources.js";
import type { TypeReport, TypeRequest } from "turnwise-kernel/internal/types/messages";

// What a worker has, of which the kernel's compiler options know nothing: no file of it is meant for browsers alone.

/** First message of a page to a worker of types. */
export interface TypesStart {
  /** The address of the site, with a slash at its end. */
  readonly base: string;
  /** The folder of the notebook, without a slash at its beginning. */
  readonly location: string;
  /** The address of the packed declarations. */
  readonly declarations?: string;
}

/** Messages of a page to a worker of types. */
export type FromPage = { readonly start: TypesStart } | { readonly source: SourceNews } | TypeRequest;

interface WorkerScope {
  postMessage(report: TypeReport): void;
  onmessage: ((event: { data: FromPage }) => void) | null;
}

/** The worker that this code runs in. */
export const scope = globalThis as unknown as WorkerScope;
