import { allFinite } from "../../base/vectors";
import { cellName } from "../../batch/cells";
import type { SurrogateInput } from "./surrogateInput";

/** The inputs that have one number for each token, in the order in which a message looks for the bad one. */
const perToken = [
  ...(["logProb_ntl", "oldLogProb_ntl", "refLogProb_ntl", "rolloutLogProb_ntl"] as const),
  ...(["advantage_ntl", "correction_ntl", "weight_ntl", "entropy_ntl"] as const),
];

interface Found {
  readonly loss: number;
  readonly slopes?: readonly (Float64Array | undefined)[];
}

/**
 * Refuses a loss or slope that is NaN or infinite: one such number would make every parameter NaN.
 *
 * @param what completes "Cannot compute"
 * @throws {RangeError} that names the entry that leads to it, or else the token that has moved farthest
 */
export function expectFiniteSurrogate(what: string, input: SurrogateInput, { loss, slopes }: Found): void {
  if (Number.isFinite(loss) && (slopes ?? []).every((values) => values === undefined || allFinite(values)))
    return;
  const state = Number.isFinite(loss) ? "a slope that is not finite" : `loss ${loss}`;
  throw new RangeError(
    `Cannot compute ${what}: loss and gradient must be finite, got ${state}. ${causeIn(input)}`,
  );
}

function causeIn(input: SurrogateInput): string {
  const active = Array.from(input.mask_ntl, (_, i) => i).filter((i) => input.mask_ntl[i] === 1);
  for (const name of perToken) {
    const i = active.find((cell) => input[name] !== undefined && !Number.isFinite(input[name][cell]));
    if (i === undefined) continue;
    const why =
      name.endsWith("LogProb_ntl") || name === "logProb_ntl"
        ? " (a token that was sampled must have a probability above 0)"
        : "";
    return `${name} is ${input[name]![i]} at ${cellName(input, i)}${why}.`;
  }
  const { logProb_ntl, oldLogProb_ntl, refLogProb_ntl } = input;
  const distance = (i: number): number =>
    Math.max(
      Math.abs(logProb_ntl[i]! - oldLogProb_ntl[i]!),
      Math.abs(logProb_ntl[i]! - (refLogProb_ntl?.[i] ?? logProb_ntl[i]!)),
    );
  const farthest = active.reduce((best, i) => (distance(i) > distance(best) ? i : best), active[0]!);
  const reference = refLogProb_ntl === undefined ? "" : `, reference ${refLogProb_ntl[farthest]}`;
  return (
    `Every entry is finite, so a term overflows. The token that has moved farthest has log-prob ${logProb_ntl[farthest]}, ` +
    `old ${oldLogProb_ntl[farthest]}${reference}, at ${cellName(input, farthest)}.`
  );
}
