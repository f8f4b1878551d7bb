import type { Claim } from "turnwise/internal/plot/index";
import type { LeverName } from "../shared/echoTrap/levers";
import { leverEffect, leverGain, type LeverEffect } from "../shared/echoTrap/leverEffect";
import { leverSweep } from "../shared/echoTrap/leverSweep";
import { verdict, verdicts, type Condition } from "turnwise/internal/verdict/verdict";
import { shown } from "turnwise/internal/verdict/words";
import { offPolicyEffects } from "./effects";
import { learningRates, mismatches, type OffPolicyResults, type Rate } from "./results";

const { success, share: smallestShare } = offPolicyEffects;

/** Trap C of the echo traps: stored log-probs of single tokens are far off. */
export function wildTokens({ runs }: OffPolicyResults): Claim[] {
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
      claim: "Turn-level geometric ratios stabilize training",
      source: "SORL, abstract [P]",
      measured: text("vanilla", "turn ratio geometric", "GSPO", "SO-GRPO, gradient"),
      verdict: decided.geometric,
    },
    {
      claim: "The arithmetic mean does the same",
      source: "common advice [N]",
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

/** Range of learning rates in which training is safe, and the fixes that widen it. */
export function safeRates({ runs }: OffPolicyResults): Claim[] {
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
      "Our KL penalty, triggered by clipping, widens it",
      "our own form of SORL's idea, after a secondary note [S]",
      "SO-GRPO, KL",
      "penalty",
    ),
    widening(
      "Clipping-triggered normalization widens it (SO-GRPO)",
      "SORL [P], read as a division [R]",
      "SO-GRPO, gradient",
      "gradient",
    ),
    widening("Fewer steps on a batch widen it", "common practice [D]", "1 step per batch", "fewer"),
  ];
}

/** From which noise on the clip of a gradient has something to fix. */
export function smallMismatch({ runs }: OffPolicyResults): Claim {
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
