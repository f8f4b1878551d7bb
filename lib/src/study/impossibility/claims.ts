import type { Claim } from "../../plot";
import { exactly, share } from "../verdict/effect";
import { verdict, type Condition } from "../verdict/verdict";
import { impossibilityEffects } from "./effects";
import type { GridCount } from "./gridJob";

type Count = Pick<GridCount, "advantage" | "update" | "regime" | "decreases" | "trees">;

/** What the claims about the impossibility result are measured on. */
export interface ImpossibilityResults {
  /** One-step falls of the return on random trees, by rule and regime. */
  readonly counts: readonly Count[];
  /** Jackpot with the group's std: the expected push towards the better arm for groups of G at probability p. */
  readonly push: (G: number, p: number) => number;
  /** The p below which that push points away from the better arm; undefined where it does from everywhere. */
  readonly border: (G: number) => number | undefined;
  /** Exact training on guess-or-look-up with the group's std. */
  readonly lookUp: Readonly<Record<"std, G = 2" | "std, G = 4", { readonly minimum: number }>>;
  /** Mirror learning's conditions on the drift, by rule; those of "group std, ..." count. */
  readonly drifts: readonly {
    readonly rule: string;
    readonly nonNegative: boolean;
    readonly zeroAtOld: boolean;
    readonly flatAtOld: boolean;
  }[];
  /** What the group's mean adds to the advantage in each history. */
  readonly offsets: readonly { readonly offset: number }[];
  /** Returns of exact training where the policy cannot tell two tasks apart. */
  readonly contexts: Readonly<Record<"no std" | "batch std" | "group std, G = infinity", readonly number[]>>;
  /** J of three arms of unequal length: before, and after a step with either ratio. */
  readonly ratios: { readonly before: number; readonly geometric: number; readonly product: number };
  /** Where exact training ends with a noisy tool: three small groups with std, then rules that keep the tool. */
  readonly noisyEnd: readonly { readonly rule: string; readonly "J at the end": number }[];
  /** Three dice over 300 updates. */
  readonly dice: Readonly<
    Record<"std, G = 2" | "std, G = 4" | "no std, G = 2", { readonly J: readonly number[] }>
  >;
  /** pi(lookup) at the end of exact training, and in how many sampled ones it ends above .5, few groups first. */
  readonly exactEnd: number;
  readonly strays: readonly {
    readonly groups: number;
    readonly seeds: number;
    readonly "end at looking up": number;
  }[];
  /** SeeUPO on random trees: optima missed after one greedy sweep, and falls of its clipped form. */
  readonly greedy: { readonly failures: number; readonly trees: number };
  readonly clipped: { readonly decreases: number; readonly trees: number };
  /** At a discount of 1/2: what acting now and waiting are worth, and whether the undiscounted rule waits. */
  readonly discounted: { readonly now: number; readonly wait: number; readonly waits: boolean };
}

/** The claims of notebook 01. */
export function impossibilityClaims(results: ImpossibilityResults): Claim[] {
  return [
    groupStd(results),
    drift(results),
    meanOnly(results),
    critic(results),
    largerGroup(results),
    lengthNormalised(results),
    noAlgorithm(results),
    reinforce(results),
    noisyTool(results),
    sampledTraining(results),
    settles(results),
  ];
}

const falls = (counts: readonly Count[], which: (count: Count) => boolean): number =>
  counts.filter(which).reduce((sum, { decreases }) => sum + decreases, 0);
/** Where every history has a row of parameters of its own. */
const isTabular = ({ regime }: Count): boolean => !regime.includes("shared");
const hasGroupStd = ({ advantage }: Count): boolean => advantage.includes("group");
const isMeanOnly = ({ advantage }: Count): boolean => advantage === "GRAE, no std";
const { exactReturn, swing, trees: fallingTrees, runs } = impossibilityEffects;

/** No tree on which the return falls, in each regime of a rule. */
const monotone = (counts: readonly Count[], of: (count: Count) => boolean): Condition[] =>
  counts.filter(of).map(({ regime, decreases, trees }) => ({
    setting: { regime },
    counterexamples: decreases,
    searched: trees,
  }));

function groupStd({ counts, push, lookUp, contexts }: ImpossibilityResults): Claim {
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

function drift({ drifts }: ImpossibilityResults): Claim {
  const ofStd = drifts.filter(({ rule }) => rule.startsWith("group std"));
  const all = (what: "nonNegative" | "zeroAtOld" | "flatAtOld"): boolean => ofStd.every((d) => d[what]);
  const [nonNegative, zero, flat] = [all("nonNegative"), all("zeroAtOld"), all("flatAtOld")];
  return {
    claim: "Dividing by sigma breaks the non-negativity of the drift",
    source: "notes [N]",
    measured: `G = 2 and G = 8: drift non-negative ${nonNegative}, zero ${zero} and flat ${flat} at the old policy`,
    verdict: verdict({
      conditions: ofStd.map((d) => ({
        setting: { rule: d.rule },
        equal: d.nonNegative && d.zeroAtOld && d.flatAtOld ? 0 : 1,
        of: 1,
      })),
    }),
  };
}

function meanOnly({ counts, offsets }: ImpossibilityResults): Claim {
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

function critic({ counts }: ImpossibilityResults): Claim {
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

function largerGroup({ push, border, contexts }: ImpossibilityResults): Claim {
  const end = (name: keyof typeof contexts): number => contexts[name].at(-1)!;
  const right = [8, 10, 64].map((G) => {
    const p = border(G);
    return `${p === undefined ? "nowhere" : `above p = ${p.toFixed(3)}`} at G = ${G}`;
  });
  return {
    claim: "A larger group repairs the std",
    source: "this notebook",
    measured:
      `D_8(.5) = ${push(8, 0.5).toFixed(4)}, D_16(.5) = ${push(16, 0.5).toFixed(4)}; ` +
      `jackpot: right ${right.join(", ")}; hidden contexts at G = infinity end at ` +
      `${end("group std, G = infinity").toFixed(3)} (no std ${end("no std").toFixed(3)}, ` +
      `batch ${end("batch std").toFixed(3)})`,
    verdict: verdict({
      conditions: [
        ...[16, 64].flatMap((G) =>
          [0.05, 0.5].map((p) => ({
            setting: { game: "jackpot", G, "pi(risky)": p },
            effect: exactly(push(G, p)),
          })),
        ),
        {
          setting: { game: "hidden contexts", G: "infinity" },
          effect: exactly(end("group std, G = infinity") - end("no std")),
        },
      ],
      claims: "no loss",
      smallestEffectOfInterest: exactReturn,
    }),
  };
}

function lengthNormalised({ ratios: { before, geometric, product } }: ImpossibilityResults): Claim {
  return {
    claim: "GSPO's length-normalised ratio keeps the single-turn guarantee, whatever the lengths",
    source: "README Table 1 [P]",
    measured:
      `three arms of 18, 1, 12 tokens: J ${before.toFixed(4)} falls to ${geometric.toFixed(4)}; ` +
      `with the product it rises to ${product.toFixed(4)}`,
    verdict: verdict({
      counterexamples: geometric < before - exactReturn ? 1 : 0,
      searched: 1,
      smallestEffectOfInterest: fallingTrees,
    }),
  };
}

function noAlgorithm({ greedy, clipped }: ImpossibilityResults): Claim {
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

function reinforce({ counts, discounted: { now, wait, waits } }: ImpossibilityResults): Claim {
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

/** The group size in the name of a rule: "std, G = 8". */
const sizeOf = (rule: string): string => rule.slice(rule.indexOf("G = ") + 4);

function noisyTool({ noisyEnd }: ImpossibilityResults): Claim {
  const without = noisyEnd.find(({ rule }) => rule.startsWith("no std"))!;
  return {
    claim: "A noisy tool is unlearned by groups with std",
    source: "this notebook",
    measured: noisyEnd.map((row) => `${row.rule}: ${row["J at the end"].toFixed(3)}`).join("; "),
    verdict: verdict({
      conditions: noisyEnd
        .filter((row) => row !== without)
        .map((row) => ({
          setting: { G: sizeOf(row.rule) },
          effect: exactly(without["J at the end"] - row["J at the end"]),
        })),
      smallestEffectOfInterest: exactReturn,
    }),
  };
}

function sampledTraining({ exactEnd, strays }: ImpossibilityResults): Claim {
  return {
    claim: "Sampled training goes where the exact field points, in most runs",
    source: "this notebook",
    measured:
      `guess .10 or look up, pays .50, G = 4: exact pi(lookup) ends at ${exactEnd.toFixed(2)}; ` +
      `of ${strays[0]!.seeds} seeds end above .5: ` +
      strays.map((row) => `${row["end at looking up"]} with ${row.groups} groups`).join(", "),
    verdict: verdict({
      conditions: strays.map(({ groups, seeds, "end at looking up": above }) => ({
        setting: { groups },
        effect: share(exactEnd > 0.5 ? above : seeds - above, seeds, 0.5),
      })),
      smallestEffectOfInterest: runs,
    }),
  };
}

function settles({ dice }: ImpossibilityResults): Claim {
  const late = Object.entries(dice).map(([name, { J }]) => {
    const end = J.slice(150);
    return [name, Math.min(...end), Math.max(...end)] as const;
  });
  return {
    claim: "Exact training with the group's std settles somewhere",
    source: "this notebook",
    measured:
      "three dice, 300 updates, J over the last 150: " +
      late.map(([name, low, high]) => `${name}: ${low.toFixed(3)} to ${high.toFixed(3)}`).join("; "),
    verdict: verdict({
      conditions: late
        .filter(([name]) => name.startsWith("std"))
        .map(([name, low, high]) => ({ setting: { G: sizeOf(name) }, effect: exactly(high - low) })),
      claims: "same",
      smallestEffectOfInterest: swing,
    }),
  };
}
