import type { Claim } from "turnwise/internal/plot/index";
import { exactly, share } from "turnwise/internal/verdict/effect";
import { verdict } from "turnwise/internal/verdict/verdict";
import { impossibilityEffects } from "./effects";
import type { ImpossibilityResults } from "./results";
import { critic, groupStd, meanOnly, noAlgorithm, reinforce } from "./treeClaims";

export type { ImpossibilityResults } from "./results";

const { exactReturn, swing, trees: fallingTrees, runs } = impossibilityEffects;

/** The claims of the lesson on the impossibility theorem. */
export function impossibilityClaims(results: ImpossibilityResults): Claim[] {
  return [
    groupStd(results),
    drift(results),
    meanOnly(results),
    critic(results),
    largerGroup(results),
    lengthNormalized(results),
    noAlgorithm(results),
    reinforce(results),
    noisyTool(results),
    sampledTraining(results),
    settles(results),
  ];
}

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

function lengthNormalized({ ratios: { before, geometric, product } }: ImpossibilityResults): Claim {
  return {
    claim: "GSPO's length-normalized ratio keeps the single-turn guarantee, whatever the lengths",
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
