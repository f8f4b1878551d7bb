import { web, type WebWorker } from "./web.js";

// A page that will run a notebook is busy with itself for seconds. What its kernel needs is read by other threads meanwhile.

const waiting = new Map<string, WebWorker>();

/** Starts workers that a kernel is going to ask for, by the addresses of their scripts. */
export function startAhead(urls: readonly string[]): void {
  for (const url of urls) {
    const worker = new web.Worker(url);
    // Whoever asks for it then starts another, and hears why that fails.
    worker.onerror = () => void waiting.delete(url);
    waiting.set(url, worker);
  }
}

/** A worker that runs this script, and whether it was started ahead. */
export function takeWorker(url: string): { readonly worker: WebWorker; readonly isAhead: boolean } {
  const found = waiting.get(url);
  waiting.delete(url);
  return found ? { worker: found, isAhead: true } : { worker: new web.Worker(url), isAhead: false };
}
