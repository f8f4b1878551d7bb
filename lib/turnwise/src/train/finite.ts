import type { SurrogateInput } from "../rule";
import { NonFiniteError, type NonFiniteDump } from "./errors";
import type { SparseGradient } from "../policy/policy";
import { globalNorm } from "./optimizer";

/** Beyond so many nats exp overflows. */
const UNBOUNDED = 700;

interface Step {
  readonly index: number;
  readonly loss: number;
  readonly gradient: SparseGradient;
  readonly input: SurrogateInput & { readonly trajectoryId: readonly string[] };
  readonly turns: readonly number[];
}

/**
 * The L2 norm of the gradient.
 *
 * @throws {NonFiniteError} if the loss or the norm is not finite
 */
export function finiteNorm(step: Step): number {
  const gradientNorm = globalNorm(step.gradient);
  if (Number.isFinite(step.loss) && Number.isFinite(gradientNorm)) return gradientNorm;
  const dump: NonFiniteDump = { update: step.index, loss: step.loss, gradientNorm, worst: worstTokens(step) };
  const [first] = dump.worst;
  throw new NonFiniteError(
    `Cannot go on training: loss and gradient must be finite, but update ${step.index} has loss ${step.loss}, gradient norm ${gradientNorm}` +
      (first
        ? `; worst token: trajectory ${first.trajectoryId}, turn ${first.turn}, token ${first.token}, log-prob ${first.logProb}, old ${first.oldLogProb}, ` +
          (first.refLogProb === undefined ? "" : `reference ${first.refLogProb}, `) +
          `advantage ${first.advantage}${causeOf(first)}`
        : "") +
      ".",
    dump,
  );
}

function causeOf({ logProb, oldLogProb, refLogProb }: NonFiniteDump["worst"][number]): string {
  if (logProb === -Infinity && oldLogProb === -Infinity)
    return "; a token that was sampled must have a probability above 0";
  const far = refLogProb === undefined ? 0 : Math.abs(logProb - refLogProb);
  return Math.max(far, Math.abs(logProb - oldLogProb)) > UNBOUNDED
    ? '; an estimate of a KL by k3 has no limit there: give it a clamp, or estimator: "exact"'
    : "";
}

function worstTokens({ input, turns }: Step): NonFiniteDump["worst"] {
  const [, T, L] = input.shape;
  const { refLogProb_ntl } = input;
  const distance = (cell: number): number => {
    const reference = refLogProb_ntl?.[cell] ?? input.oldLogProb_ntl[cell]!;
    const d =
      Math.max(
        Math.abs(input.logProb_ntl[cell]! - input.oldLogProb_ntl[cell]!),
        Math.abs(input.logProb_ntl[cell]! - reference),
      ) +
      0 * input.advantage_ntl[cell]!;
    return Number.isNaN(d) ? Infinity : d;
  };
  return Array.from(input.mask_ntl, (_, cell) => cell)
    .filter((cell) => input.mask_ntl[cell] === 1 && turns.includes(Math.floor(cell / L) % T))
    .sort((a, b) => distance(b) - distance(a) || a - b)
    .slice(0, 5)
    .map((cell) => ({
      trajectoryId: input.trajectoryId[Math.floor(cell / (T * L))]!,
      turn: Math.floor(cell / L) % T,
      token: cell % L,
      logProb: input.logProb_ntl[cell]!,
      oldLogProb: input.oldLogProb_ntl[cell]!,
      ...(refLogProb_ntl && { refLogProb: refLogProb_ntl[cell]! }),
      advantage: input.advantage_ntl[cell]!,
    }));
}
