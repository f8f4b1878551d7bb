import type { Claim } from "turnwise/internal/plot/index";
import { shown, type Gap } from "turnwise/internal/verdict/words";
import type { Effect } from "turnwise/internal/verdict/effect";
import type { Condition, Question } from "turnwise/internal/verdict/verdict";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { difference } from "turnwise/internal/base/difference";
import { aliveGain, cellOf, leverEffect, leverGain } from "../shared/echoTrap/leverEffect";
import { leverTraps } from "./leverMatrix";
import { leverNames, type LeverName } from "../shared/echoTrap/levers";
import { echoTrapEffects } from "../shared/echoTrap/effects";
import type { StoredRun } from "../shared/echoTrap/stored";
import type { TrapName } from "../shared/echoTrap/traps";

const letters: Readonly<Partial<Record<TrapName, string>>> = { reuse: "A", cost: "B", mismatch: "C" };
const inAll = leverTraps;

/** A comparison of final success: a lever in a trap, with another or with GRPO itself. */
interface Comparison {
  readonly trap: TrapName;
  readonly lever: LeverName;
  readonly over?: LeverName;
  readonly change?: string;
  /** Setting that distinguishes it from the row's other comparisons, besides lever and trap. */
  readonly setting?: Condition["setting"];
}

/** A row of the ledger before it is decided. */
interface Row {
  readonly claim: string;
  readonly source: string;
  readonly comparisons: readonly Comparison[];
}

const cells = (
  levers: readonly LeverName[],
  traps: readonly TrapName[] = inAll,
  over?: LeverName,
): Comparison[] => levers.flatMap((lever) => traps.map((trap) => ({ trap, lever, ...(over && { over }) })));

/** Each of the levers with a penalty, and the same with KL estimated in another way. */
const penalized = ["KL to reference .1", "clip penalty, KL", "SO-GRPO, KL", "SO-PPO, KL"] as const;
const estimates = (
  of: (lever: (typeof penalized)[number]) => readonly [lever: LeverName, over: LeverName],
): Comparison[] =>
  penalized.flatMap((penalty) =>
    (["reuse", "mismatch"] as const).map((trap) => {
      const [lever, over] = of(penalty);
      return { trap, lever, over, setting: { penalty, trap: letters[trap]! } };
    }),
  );

const noisy = [
  { change: "", beta: 1.5 },
  { change: "beta=2", beta: 2 },
].flatMap(({ change, beta }) =>
  (["filter 50 %", "filter 25 %"] as const).map((lever): Comparison => ({
    trap: "noisyReward",
    lever,
    change,
    setting: { beta, lever },
  })),
);

const rows: readonly Row[] = [
  {
    claim: "Fewer steps on a batch prevent the trap",
    source: "common practice [D]",
    comparisons: cells(["1 step per batch"]),
  },
  {
    claim: "An advantage that is not divided by the group's std prevents it",
    source: "common advice [N]",
    comparisons: cells(["no std", "batch std"]),
  },
  {
    claim: "SeeUPO prevents it",
    source: "common advice [N]",
    comparisons: cells(["SeeUPO, 1 step per turn", "SeeUPO, equal steps", "SeeUPO, equal steps, no std"]),
  },
  {
    claim: "SeeUPO does better than GRPO with as few steps",
    source: "this notebook",
    comparisons: cells(["SeeUPO, 1 step per turn"], inAll, "1 step per batch"),
  },
  {
    claim: "Filtering groups by reward variance (StarPO-S) prevents it",
    source: "RAGEN, section 4.4 [P]",
    comparisons: cells(["filter 50 %", "filter 25 %"]),
  },
  {
    claim: "The filter helps where noise drowns the signal",
    source: "RAGEN-2's argument [D]",
    comparisons: noisy,
  },
  {
    claim: "Turn-level importance ratios stabilize training",
    source: "SORL, abstract [P]",
    comparisons: cells(["turn ratio geometric", "turn ratio arithmetic"]),
  },
  {
    claim: "A dual clip at 3, which is always on in verl's loss, prevents it",
    source: "verl, trainer/ppo/core_algos.py [P]",
    comparisons: cells(["dual clip 3"]),
  },
  {
    claim: "Turn ratio and our KL penalty, triggered by clipping, are stable off policy together",
    source: "our own form of SORL's idea, after a secondary note [S]",
    comparisons: cells(["SO-GRPO, KL"]),
  },
  {
    claim:
      "Turn ratio and a division by the clipped gradient's norm are stable off policy together (SO-GRPO)",
    source: "SORL [P], read as a division [R]",
    comparisons: cells(["SO-GRPO, gradient"]),
  },
  {
    claim: "A KL penalty to the reference prevents the trap",
    source: "common practice; RAGEN's vanilla rows have it [P]",
    comparisons: cells(["KL to reference .1", "KL to reference .2"]),
  },
  {
    claim: "So does the penalty as it is usually estimated, by k3 of one sample",
    source: "TRL's default [P]",
    comparisons: cells(["KL to reference .1, k3 of TRL"]),
  },
  {
    claim: "Estimated by k3, a penalty ends lower than the KL that it stands for",
    source: "this notebook",
    comparisons: estimates((penalty) => [penalty, `${penalty}, k3 of TRL`]),
  },
  {
    claim: "The limits that verl puts on k3 repair it",
    source: "verl, trainer/ppo/core_algos.py [P]",
    comparisons: estimates((penalty) => [`${penalty}, k3 of verl`, `${penalty}, k3 of TRL`]),
  },
];

/** Stable is what ends alive: where both rows fail, the success with which they do says nothing. */
const stability: Row = {
  claim: "SO-PPO is more stable than PPO: more of its runs end with a success of .5 or more",
  source: "SORL, abstract [P]",
  comparisons: cells(["SO-PPO, KL", "SO-PPO, gradient"], inAll, "PPO (critic)"),
};

/**
 * Claims about fixes of the traps, with the effect of each lever in each of them. All comparisons of the rows, and
 * those of the matrix that no row names, are one family.
 */
export function leverClaims(runs: readonly StoredRun[]): Claim[] {
  const asked = [...rows, stability].flatMap((row) => {
    const conditions = row.comparisons.flatMap((one): Condition[] => {
      const { trap, lever, change, over } = one;
      const effect =
        row === stability ? aliveGain(runs, trap, lever, over!) : leverGain(runs, trap, lever, change, over);
      return effect ? [{ setting: settingOf(one), effect }] : [];
    });
    return conditions.length === 0 ? [] : [{ ...row, conditions, isStability: row === stability }];
  });
  if (asked.length === 0) return [];
  const questions = asked.map(({ claim, conditions, isStability }, i): [string, Question] => [
    claim,
    {
      conditions,
      smallestEffectOfInterest: isStability ? echoTrapEffects.share : echoTrapEffects.success,
      ...(i === 0 && { comparisons: unnamed(runs) }),
    },
  ]);
  const decided = verdicts(Object.fromEntries(questions));
  return asked.map(({ claim, source, comparisons }) => ({
    claim,
    source,
    measured: comparisons.flatMap((one) => measured(runs, one)).join("; "),
    verdict: decided[claim]!,
  }));
}

const settingOf = ({ trap, lever, setting }: Comparison): Condition["setting"] =>
  setting ?? { lever, trap: letters[trap] ?? trap };

/** The cells of the matrix that no row asks about. */
function unnamed(runs: readonly StoredRun[]): { effect: Effect }[] {
  const named = new Set(
    rows.flatMap((row) =>
      row.comparisons.filter(({ over }) => over === undefined).map(({ trap, lever }) => `${trap}|${lever}`),
    ),
  );
  return leverNames
    .filter((lever) => lever !== "vanilla")
    .flatMap((lever) => inAll.map((trap) => ({ trap, lever })))
    .filter(({ trap, lever }) => !named.has(`${trap}|${lever}`))
    .flatMap(({ trap, lever }) => {
      const effect = leverGain(runs, trap, lever);
      return effect ? [{ effect }] : [];
    });
}

/** Final success, what it is above that of the other row, and how many runs stopped on the way. */
function measured(
  runs: readonly StoredRun[],
  { trap, lever, over = "vanilla", change }: Comparison,
): string[] {
  const effect = leverEffect(runs, trap, lever, change);
  const other = cellOf(runs, trap, over, change);
  if (!effect || other.length === 0) return [];
  const gain = difference(
    cellOf(runs, trap, lever, change).map((run) => run.final),
    other.map((run) => run.final),
  );
  const success = (gap: Gap): string => shown(gap, 2);
  const where = `${lever} in ${letters[trap] ?? trap}${change ? `, ${change}` : ""}`;
  const than = over === "vanilla" ? "gain" : `over ${over}`;
  const alive = (lever_: LeverName): string => {
    const all = cellOf(runs, trap, lever_, change);
    return `${all.filter(({ final }) => final >= 0.5).length} of ${all.length}`;
  };
  if (over === "PPO (critic)") return [`${where}: ${alive(lever)}, PPO ${alive(over)}`];
  const stops = effect.stopped > 0 ? `, ${effect.stopped} of ${effect.final.n} stop` : "";
  return [`${where}: ${success(effect.final)}, ${than} ${success(gain)}${stops}`];
}
