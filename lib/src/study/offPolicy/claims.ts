import { difference } from "../../base/difference";
import { normalQuantile } from "../../base/distribution";
import { hypot } from "../../base/elementary/hypot";
import { log } from "../../base/elementary/log";
import type { Claim } from "../../plot";
import type { LeverName } from "../echoTrap/levers";
import { leverEffect, leverGain, type LeverEffect } from "../echoTrap/leverEffect";
import { leverSweep } from "../echoTrap/leverMatrix";
import type { StoredRun } from "../echoTrap/stored";
import { exactly, gain, type Effect } from "../verdict/effect";
import { verdict, verdicts, type Condition } from "../verdict/verdict";
import { shown } from "../verdict/words";
import { offPolicyEffects } from "./effects";
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
  /** A batch that is used again and again, before each step and after the last: from the seed that is drawn, and others. */
  readonly reuses: readonly (readonly Pick<ReuseStep, "step" | "spread" | "gradNorm" | "clipBiasNorm">[])[];
  /** Every estimator against the exact gradient. */
  readonly judged: readonly Pick<
    EstimatorError,
    "name" | "batches" | "bias" | "noise" | "deviation" | "error"
  >[];
  /** Mean reward of every run of LOOP's row, by "optimiser, grain" such as "sgd, token". */
  readonly grains: ReadonlyMap<string, readonly number[]>;
  /** The stored runs of the echo trap's grid. */
  readonly runs: readonly StoredRun[];
}

/** A figure with a normal standard error, from a mean over `n` batches. */
function normalEffect(mean: number, error: number, n: number): Effect {
  const at = (level: number): { low: number; high: number } => {
    const reach = normalQuantile(level) * error;
    return { low: mean - reach, high: mean + reach };
  };
  return { mean, n, method: "standard error", at };
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

const { success, bias: smallestBias, logRatio, share: smallestShare } = offPolicyEffects;

function ratioSpread({ outside40, reuses }: OffPolicyResults): Claim {
  const { step } = reuses[0]!.at(-1)!;
  const growths = (name: string): number[] =>
    reuses.map((reuse) => {
      const { spread } = reuse.at(-1)!;
      return spread[name]!.deviation / spread["token"]!.deviation;
    });
  const growth = (name: string): number => growths(name)[0]!;
  const [turnProduct, turnGeometric] = [growth("turn, product"), growth("turn, geometric")];
  const logs = (name: string): number[] => growths(name).map((x) => log(x));
  const none = reuses.map(() => 0);
  return {
    claim:
      "The spread of a product ratio grows with the root of its length, that of a geometric mean shrinks with it",
    source: "closed form [D]",
    measured:
      `s = .1, 40 tokens, outside 1 +- .2: product ${outside40.product.toFixed(3)}, ` +
      `geometric ${outside40.geometric.toFixed(4)}; ToolChain after ${step} steps, deviation over token's: ` +
      `turn product ${turnProduct.toFixed(2)}, turn geometric ${turnGeometric.toFixed(2)}, ` +
      `trajectory product ${growth("trajectory, product").toFixed(2)}`,
    verdict: verdict({
      conditions: [
        {
          setting: { spread: "closed form, 40 tokens" },
          effect: exactly(outside40.product - outside40.geometric),
          smallestEffectOfInterest: smallestShare,
        },
        {
          setting: { spread: "ToolChain, turn product over token" },
          effect: gain(logs("turn, product"), none, { paired: true }),
        },
        {
          setting: { spread: "ToolChain, token over turn geometric" },
          effect: gain(none, logs("turn, geometric"), { paired: true }),
        },
      ],
      smallestEffectOfInterest: logRatio,
    }),
  };
}

function clippedOut({ reuses }: OffPolicyResults): Claim {
  const reuse = reuses[0]!;
  const [first, last] = [reuse[0]!, reuse.at(-1)!];
  const crossing = reuse.find((r) => r.clipBiasNorm > r.gradNorm)?.step;
  return {
    claim: "The gradient that the clip takes away grows with reuse",
    source: "ST-PPO, Fig. 3d [R]",
    measured:
      `norm of C from 0 to ${last.clipBiasNorm.toFixed(3)} in ${last.step} steps, gradient from ` +
      `${first.gradNorm.toFixed(3)} to ${last.gradNorm.toFixed(3)}; C larger ` +
      (crossing === undefined ? "never" : `from step ${crossing}`),
    verdict: verdict({
      // From the middle of the steps to their end, both over the gradient on policy.
      effect: gain(
        reuses.map((own) => own.at(-1)!.clipBiasNorm / own[0]!.gradNorm),
        reuses.map((own) => own[Math.floor(own.length / 2)]!.clipBiasNorm / own[0]!.gradNorm),
        { paired: true },
      ),
      smallestEffectOfInterest: smallestBias,
    }),
  };
}

function estimators({ judged }: OffPolicyResults): Claim[] {
  const of = (name: string): OffPolicyResults["judged"][number] => judged.find((e) => e.name === name)!;
  const shownBias = (name: string): string => {
    const { bias, noise, deviation } = of(name);
    return `${name} ${bias.toFixed(2)} (+- ${noise.toFixed(2)}), deviation ${deviation.toFixed(2)}`;
  };
  const shownError = (name: string): string => `${of(name).bias.toFixed(2)} (${of(name).error.toFixed(2)})`;
  const bias = (name: string, less?: string): Effect => {
    const [own, other] = [of(name), less === undefined ? undefined : of(less)];
    const mean = own.bias - (other?.bias ?? 0);
    return normalEffect(mean, hypot(own.noise, other?.noise ?? 0), own.batches);
  };
  const others = ["token", "turn, geometric", "trajectory, geometric"];
  return [
    {
      claim: "The product over the trajectory is the only unbiased ratio, at the largest variance",
      source: "density ratio [D]",
      measured: ["trajectory, product", ...others].map(shownBias).join("; "),
      verdict: verdict({
        conditions: [
          // Without a bias, and the others with one.
          {
            setting: { ratio: "trajectory product" },
            effect: bias("trajectory, product"),
            claims: "same",
          },
          ...others.map((name) => ({
            setting: { ratio: name.replace(",", "") },
            effect: bias(name),
          })),
        ],
        smallestEffectOfInterest: smallestBias,
      }),
    },
    {
      claim: "A turn's geometric ratio estimates the gradient better than a token's",
      source: "SORL, motivation [S]",
      measured:
        `bias (error of one batch): token ${shownError("token")}, turn geometric ${shownError("turn, geometric")}; ` +
        `clipped at .2: token ${shownError("token, clipped")}, turn geometric ${shownError("turn, geometric, clipped")}`,
      verdict: verdict({
        conditions: [
          { setting: { clip: "none" }, effect: bias("token", "turn, geometric") },
          { setting: { clip: 0.2 }, effect: bias("token, clipped", "turn, geometric, clipped") },
        ],
        smallestEffectOfInterest: smallestBias,
      }),
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
  const inToolChain = (["SGD 8", "Adam .1"] as const).flatMap((steps) =>
    (["turn", "trajectory"] as const).flatMap((coarser) => {
      const effect = leverGain(runs, "sane", "LOOP, token", learningRates[steps], `LOOP, ${coarser}`);
      return effect ? [{ setting: { world: "ToolChain", steps, against: coarser }, effect }] : [];
    }),
  );
  return {
    claim: "Token ratios are better than turn ratios, and these better than trajectory ratios",
    source: "LOOP [S]",
    measured:
      gaps.map((g) => `${g.optimiser}: token minus ${g.coarser} ${shown(g)}`).join("; ") +
      `; ToolChain, SGD 8: ${onToolChain("SGD 8")}; Adam .1: ${onToolChain("Adam .1")}`,
    verdict: verdict({
      conditions: [
        ...gaps.map(({ optimiser, coarser }) => ({
          setting: { world: "LookUp", steps: optimiser === "sgd" ? "SGD 8" : "Adam .3", against: coarser },
          effect: gain(grains.get(`${optimiser}, token`)!, grains.get(`${optimiser}, ${coarser}`)!),
        })),
        ...inToolChain,
      ],
      smallestEffectOfInterest: success,
    }),
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
  const gainOf = (lever: LeverName, change: string, setting: Condition["setting"]): Condition[] => {
    const effect = leverGain(runs, "mismatch", lever, change);
    return effect ? [{ setting, effect }] : [];
  };
  const byNoise = (lever: LeverName): Condition[] =>
    Object.entries(mismatches).flatMap(([noise, change]) => gainOf(lever, change, { noise }));
  const decided = verdicts({
    geometric: { conditions: byNoise("turn ratio geometric"), smallestEffectOfInterest: success },
    arithmetic: { conditions: byNoise("turn ratio arithmetic"), smallestEffectOfInterest: success },
    clip: { conditions: byNoise("gradient clip"), smallestEffectOfInterest: success },
    dual: { conditions: gainOf("dual clip 3", "", { noise: ".5" }), smallestEffectOfInterest: success },
  });
  return [
    {
      claim: "Turn-level geometric ratios stabilise training",
      source: "SORL, abstract [P]",
      measured: text("vanilla", "turn ratio geometric", "GSPO", "SO-GRPO, gradient"),
      verdict: decided.geometric,
    },
    {
      claim: "The arithmetic mean does the same",
      source: "notes [N]",
      measured: text("turn ratio arithmetic"),
      verdict: decided.arithmetic,
    },
    {
      claim: "It takes a new ratio to survive wild tokens",
      source: "this notebook",
      measured: text("gradient clip", "dual clip 3", "turn ratio geometric"),
      // The claim is that none of the ordinary clips does: it says the opposite of a gain.
      verdict: verdict({
        counterexamples: [decided.clip, decided.dual].filter(({ kind }) => kind.startsWith("holds")).length,
        searched: 2,
        smallestEffectOfInterest: smallestShare,
      }),
    },
  ];
}

const largeSteps = ["Adam .1", "Adam .3", "SGD 8", "SGD 32"] as const satisfies readonly Rate[];

/** What widens the range of learning rates in which training is safe. */
function safeRates({ runs }: OffPolicyResults): Claim[] {
  const conditions = (lever: LeverName): Condition[] =>
    largeSteps.flatMap((steps) => {
      const effect = leverGain(runs, "sane", lever, learningRates[steps]);
      return effect ? [{ setting: { steps }, effect }] : [];
    });
  // One family: the best of four rates of four levers is no finding by itself.
  const decided = verdicts({
    turn: { conditions: conditions("turn ratio geometric"), smallestEffectOfInterest: success },
    penalty: { conditions: conditions("SO-GRPO, KL"), smallestEffectOfInterest: success },
    gradient: { conditions: conditions("SO-GRPO, gradient"), smallestEffectOfInterest: success },
    fewer: { conditions: conditions("1 step per batch"), smallestEffectOfInterest: success },
  });
  const widening = (claim: string, source: string, lever: LeverName, name: keyof typeof decided): Claim => {
    const text = largeSteps.flatMap((rate) => {
      const e = leverEffect(runs, "sane", lever, learningRates[rate]);
      if (!e) return [];
      const outcome = e.stopped > 0 ? `${e.stopped} of ${e.final.n} stop` : shown(e.gain, 2);
      return [`${lever}, ${rate} ${outcome}`];
    });
    return { claim, source, measured: `gain over GRPO: ${text.join("; ")}`, verdict: decided[name] };
  };
  return [
    widening(
      "Turn-level ratios widen the range of safe learning rates",
      "SORL, abstract [P]",
      "turn ratio geometric",
      "turn",
    ),
    widening(
      "Clipping-triggered normalisation widens it, penalty reading",
      "SORL [P] with the notes' reading [N]",
      "SO-GRPO, KL",
      "penalty",
    ),
    widening(
      "Clipping-triggered normalisation widens it, gradient reading",
      "SORL [P] with the reviews' reading [R]",
      "SO-GRPO, gradient",
      "gradient",
    ),
    widening("Fewer steps on a batch widen it", "common practice [D]", "1 step per batch", "fewer"),
  ];
}

function smallMismatch({ runs }: OffPolicyResults): Claim {
  const sweep = leverSweep(runs, "mismatch", mismatches);
  const gained = (lever: LeverName): string[] =>
    sweep.filter((e) => e.lever === lever && e.gain.low > 0).map(({ setting }) => setting);
  const [clip, mean] = [gained("gradient clip"), gained("turn ratio geometric")];
  const vanilla = sweep.filter(({ lever }) => lever === "vanilla");
  const conditions = Object.entries(mismatches).flatMap(([noise, change]): Condition[] => {
    const effect = leverGain(runs, "mismatch", "gradient clip", change);
    return effect ? [{ setting: { noise }, effect }] : [];
  });
  return {
    claim: "Small mismatch is already harmful to token ratios",
    source: "this notebook",
    measured:
      vanilla.map(({ setting, final }) => `noise ${setting}: ${shown(final, 2)}`).join("; ") +
      `; a gain by gradient clip at noise ${clip.join(", ") || "none"}, ` +
      `by geometric mean at ${mean.join(", ") || "none"}`,
    // What a clip of the gradient gains back is what mismatch took.
    verdict: verdict({ conditions, smallestEffectOfInterest: success }),
  };
}
