/** The orders of turns that are compared. */
export const orders = ["reverse", "forward", "random", "simultaneous"] as const;

/** The quantity held equal between an arm and all turns at once, in addition to the samples. */
export const holds = ["steps", "passes", "kl"] as const;

type Order = (typeof orders)[number];
type Ratio = "product" | "geometric";
type Carry = "exact" | "clipped" | "off";

/** The quantity held equal: optimizer steps per batch, passes over each token, or the KL moved per batch. */
export type Held = (typeof holds)[number];

/** A way to train: one of the cross of orders, ratios, carries and what is held equal, or one with a form of its own. */
export interface MatchedArm {
  readonly name: string;
  /** `cross`: of the design; `recomputed`: old log-probs measured again before each turn; `released`: as SeeUPO's code; `rtpo`. */
  readonly form: "cross" | "recomputed" | "released" | "rtpo";
  readonly order: Order;
  readonly ratio: Ratio;
  /** "none" where there is nothing to carry. */
  readonly carry: Carry | "none";
  /** `rollouts`: samples alone. */
  readonly held: Held | "rollouts";
}

/** The worlds of the study. */
export const matchedWorldNames = ["toolChain", "toolChainApart", "apiChain", "ladder", "keyDoor"] as const;

export type MatchedWorld = (typeof matchedWorldNames)[number];

/** A world of the study. */
export interface MatchedWorldFacts {
  readonly title: string;
  /** Whether turns share parameters. */
  readonly shared: boolean;
  /** Tokens of a turn; with one, the two ratios are the same number, and so there is one of them. */
  readonly tokens: number;
  /** Turns of the longest episode. */
  readonly turns: number;
  readonly updates: number;
  /** The smallest of the learning rates that are tried. */
  readonly leastRate: number;
  /** A run whose success is below has not learned the task: halfway between the plateau and the optimum. */
  readonly stuckBelow: number;
  /** Whether all orders are crossed with all carries. */
  readonly full: boolean;
}

export const matchedWorlds: Readonly<Record<MatchedWorld, MatchedWorldFacts>> = Object.freeze({
  toolChain: {
    title: "ToolChain, one model for all turns",
    shared: true,
    tokens: 3,
    turns: 4,
    updates: 300,
    leastRate: 0.125,
    stuckBelow: 0.7,
    full: true,
  },
  toolChainApart: {
    title: "ToolChain, parameters of its own for each turn",
    shared: false,
    tokens: 3,
    turns: 4,
    updates: 300,
    leastRate: 0.125,
    stuckBelow: 0.7,
    full: false,
  },
  apiChain: {
    title: "ApiChain, a table by turn and observation",
    shared: false,
    tokens: 3,
    turns: 6,
    updates: 150,
    leastRate: 1,
    stuckBelow: 0.5,
    full: false,
  },
  ladder: {
    title: "Ladder of four rungs, a table",
    shared: false,
    tokens: 1,
    turns: 4,
    updates: 300,
    leastRate: 0.5,
    stuckBelow: 0.775,
    full: false,
  },
  keyDoor: {
    title: "KeyDoor, one model that sees its last note alone",
    shared: true,
    tokens: 1,
    turns: 3,
    updates: 300,
    leastRate: 0.125,
    stuckBelow: 0.6,
    full: false,
  },
});

/** Groups and members of every batch, and the updates at the end that a run is judged by. */
export const matchedBatch = Object.freeze({ groups: 8, groupSize: 8, last: 20 });

/** Minibatches of every batch, and optimizer steps for each turn where each turn has its own. */
export const matchedSteps = Object.freeze({ minibatches: 2, epochs: 2, perTurn: 4 });

/** Learning rates that every arm of a world is tuned over: eight, each twice the one before. */
export const matchedRates = (world: MatchedWorld): readonly number[] =>
  [1, 2, 4, 8, 16, 32, 64, 128].map((factor) => factor * matchedWorlds[world].leastRate);

const range = (from: number, to: number): readonly number[] =>
  Object.freeze(Array.from({ length: to - from }, (_, i) => from + i));

/** Seeds of the study, of which those from `confirmFrom` confirm, and of the tuning. No other run had any of them. */
export const matchedSeeds = Object.freeze({
  study: range(1000, 1100),
  confirmFrom: 1050,
  tuning: range(8000, 8012),
});

/** The smallest effects that matter. */
export const matchedEffects = Object.freeze({
  /** Mean success, or a return whose optimum is 1. */
  success: 0.05,
  /** Share of the seeds that are stuck. */
  stuck: 0.1,
});

const words = { steps: "equal steps", passes: "equal passes", kl: "equal KL", rollouts: "equal rollouts" };

const orderWords: Readonly<Record<Order, string>> = {
  reverse: "reverse",
  forward: "forward",
  random: "random",
  simultaneous: "all at once",
};

function arm(
  order: Order,
  ratio: Ratio,
  carry: MatchedArm["carry"],
  held: MatchedArm["held"],
  form: MatchedArm["form"] = "cross",
): MatchedArm {
  const head = form === "rtpo" ? "RTPO" : orderWords[order];
  const parts = [
    head,
    ...(form === "rtpo" ? [] : [`${ratio} ratio`]),
    ...(carry === "none" ? [] : [`carry ${carry}`]),
    ...(form === "recomputed" ? ["old log-probs recomputed"] : []),
    ...(form === "released" ? ["as released"] : []),
    words[held],
  ];
  return Object.freeze({ name: parts.join(", "), form, order, ratio, carry, held });
}

/**
 * The arms of a world.
 *
 * In the `full` world all orders meet all carries. Elsewhere each order has the exact carry of SeeUPO's theorem, and the other carries
 * come with the reverse order alone. With equal KL, all turns at once is the arm of equal passes, from which the KL is taken.
 */
export function matchedArms(world: MatchedWorld): readonly MatchedArm[] {
  const { full, tokens } = matchedWorlds[world];
  const ratios: readonly Ratio[] = tokens === 1 ? ["product"] : ["product", "geometric"];
  const cross = holds.flatMap((held) =>
    ratios.flatMap((ratio) => [
      ...(["reverse", "forward", "random"] as const).flatMap((order) =>
        (["exact", "clipped", "off"] as const)
          .filter((carry) => full || carry === "exact" || order === "reverse")
          .map((carry) => arm(order, ratio, carry, held)),
      ),
      ...(held === "kl" ? [] : [arm("simultaneous", ratio, "none", held)]),
    ]),
  );
  const released =
    tokens === 1
      ? []
      : [
          arm("reverse", "geometric", "clipped", "rollouts", "released"),
          arm("simultaneous", "geometric", "none", "rollouts", "released"),
        ];
  const recomputed = full
    ? [
        arm("reverse", "product", "exact", "passes", "recomputed"),
        arm("reverse", "geometric", "clipped", "passes", "recomputed"),
      ]
    : [];
  return [...cross, ...recomputed, ...released, arm("reverse", "product", "none", "rollouts", "rtpo")];
}

/** The arms that are tuned; those of equal KL take their rate from the tuning of the same arm at equal passes. */
export const tunedArms = (world: MatchedWorld): readonly MatchedArm[] =>
  matchedArms(world).filter(({ held }) => held !== "kl");

/** The arm of a name. @throws {RangeError} if the world has none of it */
export function matchedArm(world: MatchedWorld, name: string): MatchedArm {
  const found = matchedArms(world).find((one) => one.name === name);
  if (found) return found;
  throw new RangeError(`Cannot find an arm: ${matchedWorlds[world].title} has none of the name "${name}".`);
}

/** The arm whose tuning an arm takes its rate from: at equal KL the same arm at equal passes, else itself. */
export const tunedAs = ({ order, ratio, carry, held, form }: MatchedArm): string =>
  arm(order, ratio, carry, held === "kl" ? "passes" : held, form).name;

/** All turns at once with the same ratio and with this held equal. */
export const allAtOnce = (ratio: Ratio, held: Held): string =>
  arm("simultaneous", ratio, "none", held === "kl" ? "passes" : held).name;

/** The name of an arm of the cross. */
export const crossArm = (
  order: Exclude<Order, "simultaneous">,
  ratio: Ratio,
  carry: Carry,
  held: Held,
): string => arm(order, ratio, carry, held).name;
