import { yieldToEventLoop } from "../base/yieldToEventLoop";

const BREATHE_MS = 12;

/** Gives the event loop its turn every few milliseconds, so that a notebook stays responsive. */
export function periodicYield(): () => Promise<void> {
  let last = 0;
  return async () => {
    if (performance.now() - last < BREATHE_MS) return;
    await yieldToEventLoop();
    last = performance.now();
  };
}
