import { difference } from "turnwise/internal/base/difference";
import { normalQuantile } from "turnwise/internal/base/distribution";
import { hypot } from "turnwise/internal/base/elementary/hypot";
import { log } from "turnwise/internal/base/elementary/log";
import type { Claim } from "turnwise/internal/plot/index";
import { leverEffect, leverGain } from "../shared/echoTrap/leverEffect";
import { exactly, gain, type Effect } from "turnwise/internal/verdict/effect";
import { verdict } from "turnwise/internal/verdict/verdict";
import { shown } from "turnwise/internal/verdict/words";
import { offPolicyEffects } from "./effects";
import { safeRates, smallMismatch, wildTokens } from "./leverClaims";
import { learningRates, type OffPolicyResults, type Rate } from "./results";

/** A figure with a normal standard error, from a mean over `n` batches. */
function normalEffect(mean: number, error: number, n: number): Effect {
  const at = (level: number): { low: number; high: number } => {
    const reach = normalQuantile(level) * error;
    return { low: mean - reach, high: mean + reach };
  };
  return { mean, n, method: "standard error", at };
}

/** The claims of notebook 05. */
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
  const gaps = ["sgd", "adam"].flatMap((optimizer) =>
    ["turn", "trajectory"].map((coarser) => ({
      optimizer,
      coarser,
      ...difference(grains.get(`${optimizer}, token`)!, grains.get(`${optimizer}, ${coarser}`)!),
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
      gaps.map((g) => `${g.optimizer}: token minus ${g.coarser} ${shown(g)}`).join("; ") +
      `; ToolChain, SGD 8: ${onToolChain("SGD 8")}; Adam .1: ${onToolChain("Adam .1")}`,
    verdict: verdict({
      conditions: [
        ...gaps.map(({ optimizer, coarser }) => ({
          setting: { world: "LookUp", steps: optimizer === "sgd" ? "SGD 8" : "Adam .3", against: coarser },
          effect: gain(grains.get(`${optimizer}, token`)!, grains.get(`${optimizer}, ${coarser}`)!),
        })),
        ...inToolChain,
      ],
      smallestEffectOfInterest: success,
    }),
  };
}
