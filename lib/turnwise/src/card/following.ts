import { ProgressBar, type TextSink } from "../base/progressBar";
import { session } from "../base/session";

/** A bar is shown after so long, if at least as much is left. */
const SHORT_MS = 1000;

/** Shows how far a card is: in a notebook and on a terminal by a bar, anywhere by a function. */
export function followed(
  total: number,
  onProgress?: (done: number, total: number) => void,
): { done(count: number): void; end(): void } {
  const began = performance.now();
  const bar = new ProgressBar({ total, label: "report card" });
  let shown = false;
  return {
    done(count) {
      onProgress?.(count, total);
      bar.add({ update: count, metrics: {} });
      const spent = performance.now() - began;
      if (shown || spent < SHORT_MS || (spent / count) * (total - count) < SHORT_MS) return;
      shown = true;
      const notebook = session();
      const { process } = globalThis as { readonly process?: { readonly stderr?: TextSink } };
      if (notebook) notebook.display(bar, {});
      else if (process?.stderr?.isTTY) bar.writeTo(process.stderr);
    },
    end() {
      bar.end();
    },
  };
}
