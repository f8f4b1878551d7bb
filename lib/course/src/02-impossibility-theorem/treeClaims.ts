import type { Claim } from "turnwise/internal/plot/index";
import { verdict, type Condition } from "turnwise/internal/verdict/verdict";
import { impossibilityEffects } from "./effects";
import type { Count, ImpossibilityResults } from "./results";

const { exactReturn, trees: fallingTrees } = impossibilityEffects;

const falls = (counts: readonly Count[], which: (count: Count) => boolean): number =>
  counts.filter(which).reduce((sum, { decreases }) => sum + decreases, 0);
/** Whether every history has its own row of parameters. */
const isTabular = ({ regime }: Count): boolean => !regime.includes("shared");
const hasGroupStd = ({ advantage }: Count): boolean => advantage.includes("group");
const isMeanOnly = ({ advantage }: Count): boolean => advantage === "GRAE, no std";

/** That there is no tree on which the return falls, in each regime of a rule. */
const monotone = (counts: readonly Count[], of: (count: Count) => boolean): Condition[] =>
  counts.filter(of).map(({ regime, decreases, trees }) => ({
    setting: { regime },
    counterexamples: decreases,
    searched: trees,
  }));

/** GRPO's own claim: where a return falls, it is not monotone. */
export function groupStd({ counts, push, lookUp, contexts }: ImpossibilityResults): Claim {
  const { trees } = counts[0]!;
  const heavy = falls(counts, (c) => c.regime.startsWith("heavy") && hasGroupStd(c) && c.update === "PPU");
  const binary = falls(counts, (c) => c.regime.includes("0/1") && hasGroupStd(c));
  const lowest = (name: keyof typeof lookUp): string => lookUp[name].minimum.toFixed(4);
  return {
    claim: "GRPO (GRAE with group std + PPU) is not monotone",
    source: "README Table 1 [P]",
    measured:
      `heavy tails, G = 4: ${heavy} of ${trees} trees fall; jackpot D_2 = ${push(2, 0.5).toFixed(2)}; ` +
      `look-up .175 falls to ${lowest("std, G = 2")} (G = 2), ${lowest("std, G = 4")} (G = 4); ` +
      `0/1 returns: ${binary} of ${2 * trees}`,
    verdict: verdict({
      conditions: [
        ...counts
          .filter((count) => hasGroupStd(count) && count.update === "PPU")
          .map(({ regime, decreases, trees: searched }) => ({
            setting: { regime },
            found: decreases,
            searched,
          })),
        {
          setting: { regime: "hidden contexts, G = infinity" },
          found: isFalling(contexts["group std, G = infinity"]) ? 1 : 0,
          searched: 1,
        },
      ],
      smallestEffectOfInterest: fallingTrees,
    }),
  };
}

const isFalling = (J: readonly number[]): boolean => J.at(-1)! < J[0]! - exactReturn;

/** The group mean without std, in every regime with a row for each history. */
export function meanOnly({ counts, offsets }: ImpossibilityResults): Claim {
  const fallen = falls(counts, (c) => isTabular(c) && isMeanOnly(c));
  const off = Math.max(...offsets.map(({ offset }) => Math.abs(offset)));
  return {
    claim: "The mean-only group advantage with PPU is not monotone in multi-turn",
    source: "notes on the structural bias [N]",
    measured:
      `${fallen} of ${4 * counts[0]!.trees} trees fall with one row per history ` +
      `(offset up to ${off.toFixed(4)}, cancels)`,
    verdict: verdict({
      found: fallen,
      searched: 4 * counts[0]!.trees,
      smallestEffectOfInterest: fallingTrees,
    }),
  };
}

/** PPO with an exact critic, regime by regime. */
export function critic({ counts }: ImpossibilityResults): Claim {
  const shared = (advantage: string): number =>
    falls(counts, (c) => !isTabular(c) && c.update === "PPU" && c.advantage.startsWith(advantage));
  return {
    claim: "A critic keeps PPO monotone",
    source: "README Table 1 [P]",
    measured:
      `one row for all turns: ${shared("GAE")} of ${counts[0]!.trees} fall with an exact critic, ` +
      `${shared("GRAE, no")} with the group mean`,
    verdict: verdict({
      conditions: monotone(counts, (c) => c.advantage.startsWith("GAE") && c.update === "PPU"),
      smallestEffectOfInterest: fallingTrees,
    }),
  };
}

/** SeeUPO as the counterexample. */
export function noAlgorithm({ greedy, clipped }: ImpossibilityResults): Claim {
  const isConvergent = verdict({
    counterexamples: greedy.failures + clipped.decreases,
    searched: greedy.trees + clipped.trees,
    smallestEffectOfInterest: fallingTrees,
  });
  return {
    claim: "No algorithm is critic-free and convergent",
    source: "notes [N]; theorem number not found [U]",
    measured:
      `SeeUPO (critic-free) misses the optimum after one greedy sweep on ${greedy.failures} of ${greedy.trees} trees; ` +
      `clipped, its return falls on ${clipped.decreases} of ${clipped.trees}`,
    verdict: verdict({
      // SeeUPO is the one algorithm searched; the paper says "mainstream backbones".
      counterexamples: isConvergent.kind === "holds" ? 1 : 0,
      searched: 1,
      smallestEffectOfInterest: fallingTrees,
    }),
  };
}

/** One small step of REINFORCE, undiscounted on trees and discounted where waiting is worth less. */
export function reinforce({ counts, discounted: { now, wait, waits } }: ImpossibilityResults): Claim {
  const fallen = falls(counts, (c) => isTabular(c) && c.update === "REINFORCE" && isMeanOnly(c));
  return {
    claim: "REINFORCE with GRAE converges: here, no small step lowers the return",
    source: "abstract [P]",
    measured:
      `one small step falls on ${fallen} of ${2 * counts[0]!.trees} trees without std; gamma = .5: ` +
      `waiting is worth ${wait.toFixed(2)} against ${now.toFixed(2)} now, and GRAE chooses ${waits ? "to wait" : "now"}`,
    verdict: verdict({
      conditions: [
        ...monotone(counts, (c) => isTabular(c) && c.update === "REINFORCE" && isMeanOnly(c)).map((one) => ({
          ...one,
          setting: { gamma: 1, ...one.setting },
        })),
        {
          setting: { gamma: 0.5, regime: "now or later" },
          counterexamples: waits && wait < now ? 1 : 0,
          searched: 1,
        },
      ],
      smallestEffectOfInterest: fallingTrees,
    }),
  };
}
