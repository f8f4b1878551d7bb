import { difference } from "../../base/difference";
import type { Claim } from "../../plot";
import type { LeverName } from "../echoTrap/levers";
import { leverEffect, type LeverEffect } from "../echoTrap/leverEffect";
import { leverSweep } from "../echoTrap/leverMatrix";
import type { StoredRun } from "../echoTrap/stored";
import { inCases, shown } from "../verdict";
import type { EstimatorError } from "./estimatorError";
import type { ReuseStep } from "./reuse";

/** Points of the mismatch sweep, each by the change of the trap that makes it. */
export const mismatches = Object.freeze({
  ".1": "logProbNoise=0.1",
  ".2": "logProbNoise=0.2",
  ".3": "logProbNoise=0.3",
  ".5": "",
});
/** Points of the sweep over learning rates, each by the change of the trap that makes it. */
export const learningRates = Object.freeze({
  "Adam .03": "adam=0.03",
  "Adam .1": "adam=0.1",
  "Adam .3": "adam=0.3",
  "SGD 2": "",
  "SGD 8": "sgd=8",
  "SGD 32": "sgd=32",
});
type Rate = keyof typeof learningRates;

/** What the claims about importance ratios are measured on. */
export interface OffPolicyResults {
  /** Share of ratios outside 1 +- .2 at 40 tokens, in closed form. */
  readonly outside40: { readonly product: number; readonly geometric: number };
  /** A batch that is used again and again, before each step and after the last. */
  readonly reuse: readonly Pick<ReuseStep, "step" | "spread" | "gradNorm" | "clipBiasNorm">[];
  /** Every estimator against the exact gradient. */
  readonly judged: readonly Pick<EstimatorError, "name" | "bias" | "noise" | "deviation" | "error">[];
  /** Mean reward of every run of LOOP's row, by "optimiser, grain" such as "sgd, token". */
  readonly grains: ReadonlyMap<string, readonly number[]>;
  /** The stored runs of the echo trap's grid. */
  readonly runs: readonly StoredRun[];
}

/** The claims of notebook 04. */
export function offPolicyClaims(results: OffPolicyResults): Claim[] {
  return [
    ratioSpread(results),
    clippedOut(results),
    ...estimators(results),
    grainOfTheRatio(results),
    ...wildTokens(results),
    ...safeRates(results),
    smallMismatch(results),
  ];
}

function ratioSpread({ outside40, reuse }: OffPolicyResults): Claim {
  const { step, spread } = reuse.at(-1)!;
  const growth = (name: string): number => spread[name]!.deviation / spread["token"]!.deviation;
  const [turnProduct, turnGeometric] = [growth("turn, product"), growth("turn, geometric")];
  const holds = outside40.product > outside40.geometric && turnProduct > 1 && turnGeometric < 1;
  return {
    claim:
      "The spread of a product ratio grows with the root of its length, that of a geometric mean shrinks with it",
    source: "closed form [D]",
    measured:
      `s = .1, 40 tokens, outside 1 +- .2: product ${outside40.product.toFixed(3)}, ` +
      `geometric ${outside40.geometric.toFixed(4)}; ToolChain after ${step} steps, deviation over token's: ` +
      `turn product ${turnProduct.toFixed(2)}, turn geometric ${turnGeometric.toFixed(2)}, ` +
      `trajectory product ${growth("trajectory, product").toFixed(2)}`,
    verdict: holds ? "holds" : "not reproduced",
  };
}

function clippedOut({ reuse }: OffPolicyResults): Claim {
  const [first, last] = [reuse[0]!, reuse.at(-1)!];
  const crossing = reuse.find((r) => r.clipBiasNorm > r.gradNorm)?.step;
  return {
    claim: "The gradient that the clip takes away grows with reuse",
    source: "ST-PPO, Fig. 3d [R]",
    measured:
      `norm of C from 0 to ${last.clipBiasNorm.toFixed(3)} in ${last.step} steps, gradient from ` +
      `${first.gradNorm.toFixed(3)} to ${last.gradNorm.toFixed(3)}; C larger ` +
      (crossing === undefined ? "never" : `from step ${crossing}`),
    verdict: last.clipBiasNorm > last.gradNorm ? "holds" : "holds only if steps are large",
  };
}

function estimators({ judged }: OffPolicyResults): Claim[] {
  const of = (name: string): OffPolicyResults["judged"][number] => judged.find((e) => e.name === name)!;
  const isBiased = (name: string): boolean => of(name).bias >= 2 * of(name).noise;
  const shownBias = (name: string): string => {
    const { bias, noise, deviation } = of(name);
    return `${name} ${bias.toFixed(2)} (+- ${noise.toFixed(2)}), deviation ${deviation.toFixed(2)}`;
  };
  const shownError = (name: string): string => `${of(name).bias.toFixed(2)} (${of(name).error.toFixed(2)})`;
  const isBetter = (name: string, than: string): boolean =>
    of(name).bias < of(than).bias - 2 * of(than).noise;
  const others = ["token", "turn, geometric", "trajectory, geometric"];
  return [
    {
      claim: "The product over the trajectory is the only unbiased ratio, at the largest variance",
      source: "density ratio [D]",
      measured: ["trajectory, product", ...others].map(shownBias).join("; "),
      verdict: isBiased("trajectory, product")
        ? "not reproduced"
        : others.some((name) => of(name).bias > 2 * of(name).noise)
          ? "holds"
          : "holds only if the policies are far enough apart to see a bias",
    },
    {
      claim: "A turn's geometric ratio estimates the gradient better than a token's",
      source: "SORL, motivation [S]",
      measured:
        `bias (error of one batch): token ${shownError("token")}, turn geometric ${shownError("turn, geometric")}; ` +
        `clipped at .2: token ${shownError("token, clipped")}, turn geometric ${shownError("turn, geometric, clipped")}`,
      verdict: isBetter("turn, geometric", "token")
        ? "holds"
        : isBetter("turn, geometric, clipped", "token, clipped")
          ? "holds only if both are clipped at the same range, which cuts fewer means: less bias, about the same error"
          : "not reproduced: bias and error are alike",
    },
  ];
}

function grainOfTheRatio({ grains, runs }: OffPolicyResults): Claim {
  const gaps = ["sgd", "adam"].flatMap((optimiser) =>
    ["turn", "trajectory"].map((coarser) => ({
      optimiser,
      coarser,
      ...difference(grains.get(`${optimiser}, token`)!, grains.get(`${optimiser}, ${coarser}`)!),
    })),
  );
  const onToolChain = (rate: Rate): string =>
    (["LOOP, token", "LOOP, turn", "LOOP, trajectory"] as const)
      .flatMap((lever) => {
        const e = leverEffect(runs, "sane", lever, learningRates[rate]);
        return e ? [`${lever.slice(6)} ${shown(e.final, 2)}`] : [];
      })
      .join(", ");
  const [sgd, adam] = gaps.filter(({ coarser }) => coarser === "trajectory").map(({ low }) => low > 0);
  return {
    claim: "Token ratios are better than turn ratios, and these better than trajectory ratios",
    source: "LOOP [S]",
    measured:
      gaps.map((g) => `${g.optimiser}: token minus ${g.coarser} ${shown(g)}`).join("; ") +
      `; ToolChain, SGD 8: ${onToolChain("SGD 8")}; Adam .1: ${onToolChain("Adam .1")}`,
    verdict:
      sgd && adam
        ? "holds"
        : sgd || adam
          ? "holds only if the clip removes most of a trajectory's product: not with every optimiser"
          : "not reproduced: the intervals contain 0",
  };
}

/** Trap C of the echo traps: stored log-probs of single tokens are far off. */
function wildTokens({ runs }: OffPolicyResults): Claim[] {
  const of = (lever: LeverName): LeverEffect | undefined => leverEffect(runs, "mismatch", lever);
  const text = (...levers: LeverName[]): string =>
    levers
      .flatMap((lever) => {
        const e = of(lever);
        if (!e) return [];
        const outcome = e.stopped > 0 ? `${e.stopped} of ${e.final.n} stop` : `gain ${shown(e.gain, 2)}`;
        return [`${lever} ${shown(e.final, 2)}, ${outcome}`];
      })
      .join("; ");
  const helps = (lever: LeverName): boolean => (of(lever)?.gain.low ?? 0) > 0;
  return [
    {
      claim: "Turn-level geometric ratios stabilise training",
      source: "SORL, abstract [P]",
      measured: text("vanilla", "turn ratio geometric", "GSPO", "SO-GRPO, gradient"),
      verdict: helps("turn ratio geometric")
        ? "holds only if single tokens have wild ratios"
        : "not reproduced: the interval contains 0",
    },
    {
      claim: "The arithmetic mean does the same",
      source: "notes [N]",
      measured: text("turn ratio arithmetic"),
      verdict: helps("turn ratio arithmetic")
        ? "holds"
        : "not reproduced: an arithmetic mean keeps its outliers",
    },
    {
      claim: "It takes a new ratio to survive wild tokens",
      source: "this notebook",
      measured: text("gradient clip", "dual clip 3", "turn ratio geometric"),
      verdict:
        helps("gradient clip") || helps("dual clip 3")
          ? "not reproduced: an ordinary clip of the gradient or a dual clip does it"
          : "holds",
    },
  ];
}

const largeSteps = ["Adam .1", "Adam .3", "SGD 8", "SGD 32"] as const satisfies readonly Rate[];

/** What widens the range of learning rates in which training is safe. */
function safeRates({ runs }: OffPolicyResults): Claim[] {
  const widening = (claim: string, source: string, lever: LeverName): Claim => {
    const gains = largeSteps.flatMap((rate) => {
      const e = leverEffect(runs, "sane", lever, learningRates[rate]);
      return e ? [{ rate, ...e }] : [];
    });
    const text = gains.map(({ rate, stopped, final, gain }) => {
      const outcome = stopped > 0 ? `${stopped} of ${final.n} stop` : shown(gain, 2);
      return `${lever}, ${rate} ${outcome}`;
    });
    const gained = new Set<string>(gains.filter((e) => e.stopped === 0 && e.gain.low > 0).map((e) => e.rate));
    const verdict = inCases(
      largeSteps.map((rate) => [rate, gained.has(rate)]),
      (rates) => `the steps are those of ${rates.join(" or ")}`,
      "not reproduced: no gain whose interval excludes 0",
    );
    return { claim, source, measured: `gain over GRPO: ${text.join("; ")}`, verdict };
  };
  return [
    widening(
      "Turn-level ratios widen the range of safe learning rates",
      "SORL, abstract [P]",
      "turn ratio geometric",
    ),
    widening(
      "Clipping-triggered normalisation widens it, penalty reading",
      "SORL [P] with the notes' reading [N]",
      "SO-GRPO, KL",
    ),
    widening(
      "Clipping-triggered normalisation widens it, gradient reading",
      "SORL [P] with the reviews' reading [R]",
      "SO-GRPO, gradient",
    ),
    widening("Fewer steps on a batch widen it", "common practice [D]", "1 step per batch"),
  ];
}

function smallMismatch({ runs }: OffPolicyResults): Claim {
  const sweep = leverSweep(runs, "mismatch", mismatches);
  const gained = (lever: LeverName): string[] =>
    sweep.filter((e) => e.lever === lever && e.gain.low > 0).map(({ setting }) => setting);
  const [clip, mean] = [gained("gradient clip"), gained("turn ratio geometric")];
  const vanilla = sweep.filter(({ lever }) => lever === "vanilla");
  const verdict: Claim["verdict"] = clip.includes(".1")
    ? "holds"
    : clip.length > 0
      ? `holds only if the noise is ${clip.join(" or ")} nats`
      : "not reproduced";
  return {
    claim: "Small mismatch is already harmful to token ratios",
    source: "this notebook",
    measured:
      vanilla.map(({ setting, final }) => `noise ${setting}: ${shown(final, 2)}`).join("; ") +
      `; a gain by gradient clip at noise ${clip.join(", ") || "none"}, ` +
      `by geometric mean at ${mean.join(", ") || "none"}`,
    verdict,
  };
}
