import { page } from "../../../../base/host/page";
import type { Duty } from "./helper";

interface Isolation {
  readonly crossOriginIsolated?: boolean;
  readonly navigator?: { readonly hardwareConcurrency?: number };
}

/** A page hands memory to another thread only where its headers isolate it from other pages. */
export function mostHelpers(): number {
  const { crossOriginIsolated, navigator } = globalThis as Isolation;
  return crossOriginIsolated && page().startHelper
    ? Math.max(0, (navigator?.hardwareConcurrency ?? 1) - 1)
    : 0;
}

/** Setting of the page. */
export const wantedThreads = (): string | undefined => page().threads;

/** Starts a worker that helps with the parts of tasks until the page ends it. */
export function startHelper(duty: Duty): void {
  const worker = page().startHelper?.();
  if (!worker) return;
  // If a worker cannot start, the others do its parts.
  worker.onerror = (event) => event.preventDefault?.();
  worker.postMessage(duty);
}
