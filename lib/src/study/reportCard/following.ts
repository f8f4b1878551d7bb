import { progressBar, type TextSink } from "../../plot/progressBar";

/** A card that takes less shows no bar. */
const PATIENCE_MS = 1000;

/** Shows how far a card is: in a notebook and on a terminal by a bar, anywhere by a function. */
export function followed(
  total: number,
  onProgress?: (done: number, total: number) => void,
): { done(count: number): void; end(): void } {
  const began = performance.now();
  const bar = progressBar({ total, label: "report card" });
  bar.add({ update: 0, metrics: {} });
  let shown = false;
  return {
    done(count) {
      onProgress?.(count, total);
      if (!shown && performance.now() - began > PATIENCE_MS && count < total) {
        shown = true;
        const show = (globalThis as Record<symbol, unknown>)[Symbol.for("turnwise.show")];
        const { stderr } = (globalThis as { process?: { stderr?: TextSink } }).process ?? {};
        if (typeof show === "function") (show as (bar: unknown) => void)(bar);
        else if (stderr?.isTTY) bar.writeTo(stderr);
      }
      bar.add({ update: count, metrics: {} });
    },
    end() {
      bar.end();
    },
  };
}
