import { difference } from "../../base/difference";
import type { Claim } from "../../plot";
import { inCases, shown, type Gap } from "../verdict";
import { leverEffect, type LeverEffect } from "./leverEffect";
import type { LeverName } from "./levers";
import type { StoredRun } from "./stored";

const columns = { reuse: "A reuse", cost: "B cost", mismatch: "C mismatch" } as const;
type Column = keyof typeof columns;
const places = Object.keys(columns) as Column[];

const success = (gap: Gap): string => shown(gap, 2);

/** What is said to mend the traps, and what each lever did in each of them. */
export function leverClaims(runs: readonly StoredRun[]): Claim[] {
  const levers = new Levers(runs);
  return [...cures(levers), ...noisyRewards(runs), ...ratios(levers), ...critics(levers), klPenalty(levers)];
}

/** The effects of levers in the three traps, and the sentences about them. */
class Levers {
  constructor(readonly runs: readonly StoredRun[]) {}

  of(trap: Column, lever: LeverName): LeverEffect | undefined {
    return leverEffect(this.runs, trap, lever);
  }

  mends(trap: Column, lever: LeverName): boolean {
    return ["mends", "helps"].includes(this.of(trap, lever)?.verdict ?? "");
  }

  /** Final success, gain and verdict of each cell that was measured. */
  text(...cells: readonly (readonly [Column, LeverName])[]): string {
    const parts = cells.flatMap(([trap, lever]) => {
      const e = this.of(trap, lever);
      if (!e) return [];
      const outcome = e.verdict === "stops" ? stops(e) : e.verdict;
      return [`${lever} in ${columns[trap]}: ${success(e.final)}, gain ${success(e.gain)}, ${outcome}`];
    });
    return parts.join("; ");
  }
}

function stops({ stopped, final }: LeverEffect): string {
  return `${stopped} of ${final.n} stop on a loss that is not finite`;
}

function cures(levers: Levers): Claim[] {
  const filtered = places.flatMap((trap) =>
    (["filter 50 %", "filter 25 %"] as const).map((lever) => [trap, lever] as const),
  );
  return [
    {
      claim: "Dividing by the group's std is toxic, dividing by the batch's is not",
      source: "notes [N]",
      measured: levers.text(
        ["cost", "no std"],
        ["cost", "batch std"],
        ["reuse", "no std"],
        ["reuse", "batch std"],
        ["mismatch", "batch std"],
      ),
      verdict:
        levers.mends("cost", "no std") && levers.mends("cost", "batch std")
          ? "holds only if a small cost decides among failures (trap B)"
          : "not reproduced",
    },
    {
      claim: "SeeUPO prevents the echo trap",
      source: "notes [N]",
      measured: levers.text(
        ["reuse", "SeeUPO, 1 step per turn"],
        ["reuse", "1 step per batch"],
        ["reuse", "SeeUPO, equal steps"],
        ["cost", "SeeUPO, equal steps, no std"],
        ["mismatch", "SeeUPO, equal steps"],
      ),
      verdict:
        levers.of("reuse", "SeeUPO, 1 step per turn")?.verdict === "mends"
          ? "holds only if it takes one step per turn, and GRPO with one step does as well"
          : "not reproduced",
    },
    {
      claim: "Filtering groups by reward variance (StarPO-S) prevents collapse",
      source: "RAGEN, section 4.4 [P]",
      measured: levers.text(...filtered),
      verdict: levers.mends("reuse", "filter 50 %")
        ? "holds"
        : levers.mends("cost", "filter 50 %")
          ? "holds only if the trap is a cost under group std, and in part"
          : "not reproduced: no gain whose interval excludes 0",
    },
  ];
}

/** The filter under noisy rewards, where all of it was measured. */
function noisyRewards(runs: readonly StoredRun[]): Claim[] {
  const effects = [
    { change: "", beta: 1.5 },
    { change: "beta=2", beta: 2 },
  ].flatMap(({ change, beta }) =>
    (["filter 50 %", "filter 25 %"] as const).flatMap((lever) => {
      const effect = leverEffect(runs, "noisyReward", lever, change);
      return effect ? [{ ...effect, beta }] : [];
    }),
  );
  if (effects.length < 2) return [];
  return [
    {
      claim: "The filter helps where noise drowns the signal",
      source: "RAGEN-2's argument [D]",
      measured: effects
        .map((e) => `beta ${e.beta}, ${e.lever}: ${success(e.final)}, gain ${success(e.gain)}`)
        .join("; "),
      verdict: inCases(
        effects.map(({ beta, lever, gain }) => [
          `beta is ${beta} and ${lever.slice(-4)} of the groups are kept`,
          gain.low > 0,
        ]),
        (names) => names.join(", or "),
        "not reproduced: the intervals contain 0",
      ),
    },
  ];
}

function ratios(levers: Levers): Claim[] {
  const claims: Claim[] = [
    {
      claim: "Turn-level importance ratios stabilise training",
      source: "SORL, abstract [P]",
      measured: levers.text(
        ["reuse", "turn ratio geometric"],
        ["mismatch", "turn ratio geometric"],
        ["reuse", "turn ratio arithmetic"],
        ["mismatch", "turn ratio arithmetic"],
        ["mismatch", "gradient clip"],
        ["mismatch", "dual clip 3"],
      ),
      verdict: levers.mends("reuse", "turn ratio geometric")
        ? "holds"
        : levers.mends("mismatch", "turn ratio geometric")
          ? "holds only if single tokens have wild ratios and the mean is geometric"
          : "not reproduced: the interval contains 0",
    },
    {
      claim:
        "Turn ratio and clipping-triggered normalisation together are stable off policy (SO-GRPO), penalty reading",
      source: "SORL [P] with the notes' reading [N]",
      measured: levers.text(["reuse", "SO-GRPO, KL"], ["cost", "SO-GRPO, KL"], ["mismatch", "SO-GRPO, KL"]),
      verdict: levers.mends("reuse", "SO-GRPO, KL")
        ? "holds only if its penalty is estimated by k2"
        : levers.mends("mismatch", "SO-GRPO, KL")
          ? "holds only if the trouble is mismatch and the penalty is estimated by k2: under heavy reuse neither estimate helps"
          : "not reproduced",
    },
  ];
  if (!levers.of("reuse", "SO-GRPO, gradient")) return claims;
  const gradient: Claim = {
    claim: "The same, gradient reading",
    source: "SORL [P] with the reviews' reading [R]",
    measured: levers.text(
      ["reuse", "SO-GRPO, gradient"],
      ["reuse", "clip penalty, gradient"],
      ["cost", "SO-GRPO, gradient"],
      ["mismatch", "SO-GRPO, gradient"],
      ["mismatch", "clip penalty, gradient"],
    ),
    verdict: levers.mends("reuse", "SO-GRPO, gradient")
      ? "holds"
      : levers.mends("mismatch", "SO-GRPO, gradient")
        ? "holds only if the trouble is mismatch"
        : "not reproduced",
  };
  return [...claims, gradient];
}

/** SO-PPO against PPO, wherever both ended every run. */
function critics(levers: Levers): Claim[] {
  if (!levers.of("reuse", "SO-PPO, KL")) return [];
  const finals = (trap: Column, lever: LeverName): number[] =>
    levers.runs.filter((r) => r.trap === trap && r.lever === lever && r.change === "").map((r) => r.final);
  const gaps = places.flatMap((trap) =>
    (["SO-PPO, KL", "SO-PPO, gradient"] as const).flatMap((lever) => {
      const [so, ppo] = [finals(trap, lever), finals(trap, "PPO (critic)")];
      if (so.length === 0 || ppo.length === 0 || (levers.of(trap, lever)?.stopped ?? 0) > 0) return [];
      return [{ trap: columns[trap], lever, ...difference(so, ppo) }];
    }),
  );
  return [
    {
      claim: "SO-PPO is more stable than PPO",
      source: "SORL, abstract [P]",
      measured: gaps.map((e) => `${e.lever} minus PPO in ${e.trap}: ${success(e)}`).join("; "),
      verdict: inCases(
        gaps.map(({ trap, low }) => [trap, low > 0]),
        (names) => `the trap is ${[...new Set(names)].join(" or ")}`,
        "not reproduced: the intervals contain 0",
      ),
    },
  ];
}

function klPenalty(levers: Levers): Claim {
  return {
    claim: "A KL penalty to the reference prevents the collapse",
    source: "common practice; RAGEN's vanilla rows have it [P]",
    measured: levers.text(
      ["reuse", "KL to reference .1"],
      ["reuse", "KL to reference .1, k2"],
      ["cost", "KL to reference .1"],
      ["cost", "KL to reference .2"],
      ["mismatch", "KL to reference .1"],
      ["mismatch", "KL to reference .1, k2"],
    ),
    verdict: levers.mends("reuse", "KL to reference .1")
      ? "holds"
      : levers.mends("reuse", "KL to reference .1, k2")
        ? "holds only if its estimate has a bounded pull: k3 blows up under heavy reuse"
        : "not reproduced",
  };
}
