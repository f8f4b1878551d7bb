import { machine } from "#machine";
import type { SweepProgress } from "./progress";
import { progressLine, progressText } from "./progress";

interface Followed {
  readonly progress: SweepProgress;
  onProgress(listener: () => void): () => void;
}

const TTY_GAP_MS = 200;
const LOG_GAP_MS = 10_000;

/**
 * Writes the progress of a sweep to a stream: on a terminal a table that redraws itself, elsewhere a line every ten
 * seconds and the table at the end.
 *
 * @example
 * import { sweep } from "turnwise";
 * import { followInTerminal } from "turnwise/plot";
 * const run = sweep({ recipe: "grpo", env: "LookUp-v0", updates: 5, seeds: 2 });
 * await followInTerminal(run, { write: (text) => console.log(text) }); // default: process.stderr
 */
export function followInTerminal<R extends Followed>(
  run: R,
  stream: { readonly isTTY?: boolean; write(text: string): unknown } = machine.errors,
): R {
  let shownAt = performance.now();
  let lines = 0;
  const draw = (progress: SweepProgress): void => {
    const text = progressText(progress);
    const up = lines > 0 ? `\u001b[${lines}A\u001b[J` : "";
    stream.write(`${stream.isTTY ? up : ""}${text}\n`);
    lines = text.split("\n").length;
  };
  const end = run.onProgress(() => {
    const { progress } = run;
    if (progress.state !== "running") {
      end();
      draw(progress);
      return;
    }
    const now = performance.now();
    if (now - shownAt < (stream.isTTY ? TTY_GAP_MS : LOG_GAP_MS)) return;
    shownAt = now;
    if (stream.isTTY) draw(progress);
    else stream.write(progressLine(progress) + "\n");
  });
  return run;
}
