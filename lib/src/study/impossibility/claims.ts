import type { Claim } from "../../plot";
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
  /** pi(lookup) at the end of exact training, and in how many of 20 sampled ones it ends above .5, few groups first. */
  readonly exactEnd: number;
  readonly strays: readonly { readonly groups: number; readonly "end at looking up": number }[];
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

function groupStd({ counts, push, lookUp }: ImpossibilityResults): Claim {
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
    verdict:
      heavy === 0
        ? "not reproduced"
        : binary > 0
          ? "holds"
          : "holds only if the group is finite, returns take three or more values or tasks look alike, and the std is divided out",
  };
}

function drift({ drifts }: ImpossibilityResults): Claim {
  const ofStd = drifts.filter(({ rule }) => rule.startsWith("group std"));
  const all = (what: "nonNegative" | "zeroAtOld" | "flatAtOld"): boolean => ofStd.every((d) => d[what]);
  const [nonNegative, zero, flat] = [all("nonNegative"), all("zeroAtOld"), all("flatAtOld")];
  return {
    claim: "Dividing by sigma breaks the non-negativity of the drift",
    source: "notes [N]",
    measured: `G = 2 and G = 8: drift non-negative ${nonNegative}, zero ${zero} and flat ${flat} at the old policy`,
    verdict:
      nonNegative && zero && flat
        ? "not reproduced: the drift is fine, the expected advantage is not a multiple of the true one"
        : "holds",
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
    verdict: fallen === 0 ? "not reproduced: proof in section 6" : "holds",
  };
}

function critic({ counts }: ImpossibilityResults): Claim {
  const shared = (advantage: string): number =>
    falls(counts, (c) => !isTabular(c) && c.update === "PPU" && c.advantage.startsWith(advantage));
  const tabular = falls(counts, (c) => isTabular(c) && c.advantage.startsWith("GAE"));
  return {
    claim: "A critic keeps PPO monotone",
    source: "README Table 1 [P]",
    measured:
      `one row for all turns: ${shared("GAE")} of ${counts[0]!.trees} fall with an exact critic, ` +
      `${shared("GRAE, no")} with the group mean`,
    verdict:
      shared("GAE") === 0
        ? "holds"
        : tabular === 0
          ? "holds only if every history has its own parameters"
          : "not reproduced",
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
    verdict:
      end("group std, G = infinity") < end("no std")
        ? "holds only if the policy can tell the tasks apart"
        : "holds",
  };
}

function lengthNormalised({ ratios: { before, geometric, product } }: ImpossibilityResults): Claim {
  return {
    claim: "GSPO's length-normalised ratio keeps the single-turn guarantee",
    source: "README Table 1 [P]",
    measured:
      `three arms of 18, 1, 12 tokens: J ${before.toFixed(4)} falls to ${geometric.toFixed(4)}; ` +
      `with the product it rises to ${product.toFixed(4)}`,
    verdict: geometric < before ? "holds only if all answers are equally long" : "holds",
  };
}

function noAlgorithm({ greedy, clipped }: ImpossibilityResults): Claim {
  return {
    claim: "No algorithm is critic-free and convergent",
    source: "notes [N]; theorem number not found [U]",
    measured:
      `SeeUPO (critic-free) misses the optimum after one greedy sweep on ${greedy.failures} of ${greedy.trees} trees; ` +
      `clipped, its return falls on ${clipped.decreases} of ${clipped.trees}`,
    verdict:
      greedy.failures === 0
        ? "not reproduced: SeeUPO itself is the counterexample; the paper says mainstream backbones"
        : "not reproduced: undecided, SeeUPO missed optima too",
  };
}

function reinforce({ counts, discounted: { now, wait, waits } }: ImpossibilityResults): Claim {
  const fallen = falls(counts, (c) => isTabular(c) && c.update === "REINFORCE" && isMeanOnly(c));
  return {
    claim: "REINFORCE with GRAE converges when returns are undiscounted",
    source: "abstract [P]",
    measured:
      `one small step falls on ${fallen} of ${2 * counts[0]!.trees} trees without std; gamma = .5: ` +
      `waiting is worth ${wait.toFixed(2)} against ${now.toFixed(2)} now, and GRAE chooses ${waits ? "to wait" : "now"}`,
    verdict:
      fallen > 0
        ? "not reproduced"
        : "holds only if returns are undiscounted and nothing is divided by the group's std (monotone here; convergence itself is the paper's proof)",
  };
}

function noisyTool({ noisyEnd }: ImpossibilityResults): Claim {
  const ends = noisyEnd.map((row) => row["J at the end"]);
  const unlearned = ends.slice(0, 3).every((J) => J < 0.2) && ends.slice(3).every((J) => J > 0.3);
  return {
    claim: "A noisy tool is unlearned by small groups with std",
    source: "this notebook",
    measured: noisyEnd.map((row) => `${row.rule}: ${row["J at the end"].toFixed(3)}`).join("; "),
    verdict: unlearned ? "holds" : "not reproduced",
  };
}

function sampledTraining({ exactEnd, strays }: ImpossibilityResults): Claim {
  const [few, many] = [strays[0]!["end at looking up"], strays.at(-1)!["end at looking up"]];
  return {
    claim: "Sampled training goes where the exact field points",
    source: "this notebook",
    measured:
      `guess .10 or look up, pays .50, G = 4: exact pi(lookup) ends at ${exactEnd.toFixed(2)}; ` +
      `of 20 seeds end above .5: ` +
      strays.map((row) => `${row["end at looking up"]} with ${row.groups} groups`).join(", "),
    verdict:
      few === 0
        ? "holds"
        : many === 0
          ? "holds only if batches are large: noise carries some over the border"
          : "not reproduced",
  };
}

function settles({ dice }: ImpossibilityResults): Claim {
  const late = Object.entries(dice).map(([name, { J }]) => {
    const end = J.slice(150);
    return [name, Math.min(...end), Math.max(...end)] as const;
  });
  const swing = (wanted: keyof typeof dice): number => {
    const [, low, high] = late.find(([name]) => name === wanted)!;
    return high - low;
  };
  return {
    claim: "Exact training with the group's std settles somewhere",
    source: "this notebook",
    measured:
      "three dice, 300 updates, J over the last 150: " +
      late.map(([name, low, high]) => `${name}: ${low.toFixed(3)} to ${high.toFixed(3)}`).join("; "),
    verdict:
      swing("std, G = 2") < 0.05
        ? "holds"
        : swing("std, G = 4") < 0.05
          ? "holds only if groups are large enough to see more than who won: with pairs it circles"
          : "not reproduced",
  };
}
