import type { Drawing } from "turnwise/internal/plot/drawing";
import { slide } from "../shared/slide";

const lines = [
  { name: "turn", says: "The agent reads, then writes a few tokens." },
  { name: "mask", says: "0 on what the world wrote: nothing to learn from." },
  { name: "reward", says: "How the episode went, not which token was good." },
  { name: "rule", says: "Says which tokens become likelier." },
  { name: "optimum", says: "The best that any agent can get, exactly." },
  { name: "seeds", says: "One run is an anecdote. Ask for ten." },
];

/**
 * The words of the first lesson on one slide.
 *
 * @example
 * import { drawWords } from "turnwise-course/start-here";
 * drawWords();
 */
export function drawWords(): Drawing {
  return slide("Six words for the rest of the course", lines, 170);
}
