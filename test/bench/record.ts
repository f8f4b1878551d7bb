import { appendFileSync } from "node:fs";

/** Medians of one contender at one piece of work, in ms; the first contender of a piece of work is ours. */
export interface Figure {
  readonly work: string;
  readonly contender: string;
  readonly wall: number;
  /** Of all processors. */
  readonly processor?: number;
}

/** Hands figures to `npm run bench`, which names a file for them; on its own, a benchmark only prints. */
export function record(figures: readonly Figure[]): void {
  const file = process.env["TURNWISE_BENCH_RECORD"];
  if (file === undefined) return;
  appendFileSync(file, figures.map((figure) => `${JSON.stringify(figure)}\n`).join(""));
}
