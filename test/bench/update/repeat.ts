import type { Answer } from "../peers/peer.js";
import { timed } from "../peers/statistics.js";
import type { Work } from "./work.js";

/** Repeats an update of ours; gives the times in milliseconds and the losses. */
export function repeat({ step }: Pick<Work, "step">, repetitions: number): Answer {
  const times: number[] = [];
  const processor: number[] = [];
  const losses: number[] = [];
  for (let i = 0; i < repetitions; i++) {
    const took = timed(() => losses.push(step()));
    times.push(took.wall);
    processor.push(took.processor);
  }
  return { times, processor, losses, memory: process.memoryUsage.rss() / 1e6 };
}
