import { difference } from "turnwise/internal/base/difference";
import { bootstrapInterval, type Interval } from "turnwise/internal/base/interval";
import type { Claim } from "turnwise/internal/plot/index";
import { gain } from "turnwise/internal/verdict/effect";
import { verdict } from "turnwise/internal/verdict/verdict";
import { shown, type Gap, type Reproduced } from "turnwise/internal/verdict/words";
import { updateOrderEffects } from "./effects";
import { exactOrderClaims, type ExactOrderResults } from "./exactClaims";
import type { OrderArm } from "./orderAblation";
import type { OrderRun } from "./orderRuns";

/** Measurements for the claims about the order of turns. */
export interface UpdateOrderResults extends ExactOrderResults {
  /** Success on the sampled Ladder, T = 4, of every arm and scale. */
  readonly sampled: readonly (Gap & {
    readonly label: string;
    readonly scale: string;
    readonly runs: readonly number[];
  })[];
  /** Runs behind each of these. */
  readonly seeds: number;
  /** Success on the sampled Ladder from starting policies that go right with probability `start`. */
  readonly fromStart: readonly {
    readonly start: number;
    readonly label: string;
    readonly mean: number;
    readonly runs: readonly number[];
  }[];
  /** `datasets/measured/update-order.csv`. */
  readonly runs: readonly OrderRun[];
  /** Runs that were computed again, and how many of them equal the stored ones. */
  readonly again: Reproduced;
}

/** The claims of the lesson on the order of updates. */
export function updateOrderClaims(results: UpdateOrderResults): Claim[] {
  const exact = exactOrderClaims(results);
  return [
    exact.globalOptimum,
    exact.otherOrders,
    exact.carry,
    separateParameters(results),
    sharedModel(results.runs),
    optimizerSteps(results.runs),
    exact.enough,
    limitedMemory(results.runs),
    anyStart(results),
    scales(results.runs),
    callsFromScratch(results.runs),
    reproduction(results.again),
  ];
}

const { success: smallest } = updateOrderEffects;
const equalSteps = "simultaneous, equal steps" satisfies OrderArm;

/** Success of an arm's runs in a part of the study. */
function success(
  runs: readonly OrderRun[],
  part: string,
  arm: OrderArm,
  of: Partial<OrderRun> = {},
): number[] {
  const fits = (run: OrderRun): boolean =>
    Object.entries(of).every(([name, value]) => run[name as keyof OrderRun] === value);
  return runs.filter((run) => run.part === part && run.arm === arm && fits(run)).map((run) => run.success);
}

function separateParameters({ sampled, seeds }: UpdateOrderResults): Claim {
  const of = (label: string, scale: string): UpdateOrderResults["sampled"][number] | undefined =>
    sampled.find((one) => one.label === label && one.scale === scale);
  const arm = (label: string): Gap => of(label, "none")!;
  const conditions = [...new Set(sampled.map(({ scale }) => scale))].flatMap((scale) =>
    ["forward, exact carry", "simultaneous"].flatMap((other) => {
      const [own, against] = [of("reverse, exact carry", scale), of(other, scale)];
      if (!own || !against) return [];
      const setting = { scale, against: other.split(",")[0]! };
      return [{ setting, effect: gain(own.runs, against.runs) }];
    }),
  );
  const [reverse, forward, simultaneous] = [
    arm("reverse, exact carry"),
    arm("forward, exact carry"),
    arm("simultaneous"),
  ];
  return {
    claim: "Reverse beats forward and simultaneous with samples and separate parameters",
    source: "this notebook; SeeUPO Table 4 shares one model [R]",
    measured:
      `Ladder T = 4, ${seeds} seeds, no std: reverse ${shown(reverse)}, ` +
      `clipped ${shown(arm("reverse, clipped carry"))}, random ${shown(arm("random, exact carry"))}, ` +
      `forward ${shown(forward)}, simultaneous ${shown(simultaneous)}`,
    verdict: verdict({ conditions, smallestEffectOfInterest: smallest }),
  };
}

export function sharedModel(runs: readonly OrderRun[]): Claim {
  const over = (arm: OrderArm): Interval =>
    difference(success(runs, "order", "reverse"), success(runs, "order", arm));
  const [forward, simultaneous] = [over("forward"), over(equalSteps)];
  return {
    claim: "Reverse beats forward and simultaneous with one shared model",
    source:
      "SeeUPO Table 4 has one model and the orders reverse, sequential, random [R]; simultaneous: this notebook",
    measured:
      `ToolChain, ${success(runs, "order", "reverse").length} seeds, equal samples: ` +
      `reverse - forward ${shown(forward)}, reverse - simultaneous with equal steps ${shown(simultaneous)}`,
    verdict: verdict({
      conditions: (["forward", equalSteps, "simultaneous, 4 steps"] as const).map((against) => ({
        setting: { against },
        effect: gain(success(runs, "order", "reverse"), success(runs, "order", against)),
      })),
      smallestEffectOfInterest: smallest,
    }),
  };
}

export function optimizerSteps(runs: readonly OrderRun[]): Claim {
  const arm = (name: OrderArm): number[] => success(runs, "order", name);
  const more = difference(arm(equalSteps), arm("simultaneous, 4 steps"));
  const carried = difference(arm("reverse"), arm("reverse, no carry"));
  return {
    claim: "Part of a gain over a one-step baseline is the number of optimizer steps",
    source: "released configurations [P]",
    measured:
      `ToolChain: simultaneous with equal steps - 4 steps ${shown(more)}; ` +
      `reverse - no carry ${shown(carried)}`,
    verdict: verdict({
      effect: gain(arm(equalSteps), arm("simultaneous, 4 steps")),
      smallestEffectOfInterest: smallest,
    }),
  };
}

function limitedMemory(runs: readonly OrderRun[]): Claim {
  const arm = (name: OrderArm): number[] => success(runs, "keyDoor", name);
  const text = (name: OrderArm): string => shown(bootstrapInterval(arm(name)));
  const gap = difference(arm("reverse"), arm(equalSteps));
  return {
    claim: "Reverse order helps where memory is limited",
    source: "this notebook",
    measured:
      `KeyDoor, ${arm("reverse").length} seeds: reverse ${text("reverse")}, forward ${text("forward")}, ` +
      `simultaneous ${text(equalSteps)}; reverse - simultaneous ${shown(gap)}`,
    verdict: verdict({ effect: gain(arm("reverse"), arm(equalSteps)), smallestEffectOfInterest: smallest }),
  };
}

function anyStart({ runs, fromStart }: UpdateOrderResults): Claim {
  const ofBeta = (beta: number, arm: OrderArm): number[] =>
    beta === 2 ? success(runs, "order", arm) : success(runs, "beta", arm, { beta });
  const betas = [1.5, 2, 3].map((beta) => ({
    beta,
    ...difference(ofBeta(beta, "reverse"), ofBeta(beta, equalSteps)),
  }));
  const starts = [...new Set(fromStart.map(({ start }) => start))];
  const gaps = starts.map((start) => {
    const own = fromStart.filter((one) => one.start === start);
    const simultaneous = own.find(({ label }) => label === "simultaneous")!;
    const reverse = own.find((one) => one !== simultaneous)!;
    const effect = gain(reverse.runs, simultaneous.runs);
    return { start, gap: reverse.mean - simultaneous.mean, effect };
  });
  return {
    claim: "The order matters from any start",
    source: "this notebook",
    measured:
      `ToolChain, reverse - simultaneous: ${betas.map((g) => `beta ${g.beta}: ${shown(g)}`).join(", ")}; Ladder: ` +
      gaps
        .map((g) => `pi(right) = ${g.start.toFixed(2)}: reverse - simultaneous ${g.gap.toFixed(2)}`)
        .join("; "),
    verdict: verdict({
      conditions: [
        ...[1.5, 2, 3].map((beta) => ({
          setting: { world: "ToolChain", beta },
          effect: gain(ofBeta(beta, "reverse"), ofBeta(beta, equalSteps)),
        })),
        ...gaps.map(({ start, effect }) => ({
          setting: { world: "Ladder", "pi(right)": start },
          effect,
        })),
      ],
      smallestEffectOfInterest: smallest,
    }),
  };
}

function scales(runs: readonly OrderRun[]): Claim {
  type Scale = OrderRun["scale"];
  const of = (scale: Scale, arm: OrderArm): number[] =>
    scale === "none" ? success(runs, "order", arm) : success(runs, "scale", arm, { scale });
  const text = (scale: Scale, arm: OrderArm): string => shown(bootstrapInterval(of(scale, arm)));
  const without = (scale: Scale): Interval => difference(of("none", "reverse"), of(scale, "reverse"));
  const [batch, group] = [without("batch"), without("group")];
  const simultaneous = (["none", "batch", "group"] as const).map((scale) => text(scale, equalSteps));
  return {
    claim: "Dividing by the group's std is harmful, by the batch's harmless",
    source: "notes [N]; the paper's Table 5 has group above batch on one item [R]",
    measured:
      `ToolChain, reverse: none ${text("none", "reverse")}, batch ${text("batch", "reverse")}, ` +
      `group ${text("group", "reverse")}; simultaneous: ${simultaneous.join(", ")}; ` +
      `none - group ${shown(group)}, none - batch ${shown(batch)}`,
    verdict: verdict({
      conditions: (["reverse", equalSteps] as const).flatMap((order) => [
        { setting: { scale: "group", order }, effect: gain(of("none", order), of("group", order)) },
        {
          setting: { scale: "batch", order },
          effect: gain(of("batch", order), of("none", order)),
          claims: "no loss" as const,
        },
      ]),
      smallestEffectOfInterest: smallest,
    }),
  };
}

function callsFromScratch(runs: readonly OrderRun[]): Claim {
  const own = runs.filter(({ part }) => part === "apiChain");
  const rewards = (arm: OrderArm): number[] => own.filter((run) => run.arm === arm).map((run) => run.reward);
  const [reverse, simultaneous] = [rewards("reverse"), rewards(equalSteps)];
  const gap = difference(reverse, simultaneous);
  const best = Math.max(...own.map((run) => run.success));
  return {
    claim: "Reverse order helps to learn a chain of calls from scratch",
    source: "this notebook",
    measured:
      `ApiChain level 1, ${reverse.length} seeds, reward: reverse ${shown(bootstrapInterval(reverse))}, ` +
      `simultaneous ${shown(bootstrapInterval(simultaneous))}, difference ${shown(gap)}; ` +
      `best success of any run ${best.toFixed(3)}`,
    verdict: verdict({ effect: gain(reverse, simultaneous), smallestEffectOfInterest: smallest }),
  };
}

function reproduction({ equal, of }: Reproduced): Claim {
  return {
    claim: "Stored runs are what the library computes now",
    source: "this notebook",
    measured: `${equal} of ${of} live runs over worker threads equal the stored ones bit by bit`,
    verdict: verdict({ equal, of }),
  };
}
