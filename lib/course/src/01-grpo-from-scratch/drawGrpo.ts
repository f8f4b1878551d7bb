import type { Drawing } from "turnwise/internal/plot/drawing";
import { slide } from "../shared/slide";

/** Reward of a word, line by line as the lesson extends it, with the gain of each addition. */
const lines = [
  { name: "reward", says: "Luck averages out, merit stays." },
  { name: "reward − mean", says: "Deaf to what everybody gets." },
  { name: "(reward − mean) / spread", says: "All groups count alike; longer steps." },
  { name: "ratio × advantage", says: "Corrects for reuse, and feeds itself." },
  { name: "clip(ratio) × advantage", says: "A batch may teach only so much." },
];

/**
 * GRPO on one slide: what a word is paid, one line for each part of the rule, and what the part buys.
 *
 * @example
 * import { drawGrpo } from "turnwise-course/grpo-from-scratch";
 * drawGrpo();
 */
export function drawGrpo(): Drawing {
  return slide("GRPO: what a word is paid, and what each line buys", lines);
}
