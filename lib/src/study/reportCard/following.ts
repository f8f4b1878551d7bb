import { ProgressBar, type TextSink } from "../../base/progressBar";

/** How the library shows something in a notebook without importing a kernel. */
const sessionSymbol = Symbol.for("turnwise.session");

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
      const here = globalThis as {
        readonly [sessionSymbol]?: { display(value: unknown, o: object): unknown };
        readonly process?: { readonly stderr?: TextSink };
      };
      if (here[sessionSymbol]) here[sessionSymbol].display(bar, {});
      else if (here.process?.stderr?.isTTY) bar.writeTo(here.process.stderr);
    },
    end() {
      bar.end();
    },
  };
}
