import { make } from "turnwise/internal/env/index";
import { toolChainPolicy } from "turnwise/internal/policy/index";
import type { TrainOptions } from "turnwise/internal/train/index";

/** A small world in which a twin is trained. */
export interface TwinWorld {
  readonly title: string;
  /** Why it is one of the three: the failure that it shows. */
  readonly why: string;
  readonly lesson: string;
  /** The property that the run's reward must have for this world to stand for the run; null if none. */
  readonly supposes: string | null;
  /** Adam's step size: near the largest at which the healthy settings keep their success, so that a failure shows soon. */
  readonly learningRate: number;
  /** As many as show it. */
  readonly updates: number;
  /** Success that the healthy settings reach. */
  readonly reached: number;
  /** Mean of 1 - p over the first batch's tokens, which turns the noise of a token into a mean log-prob gap. */
  readonly uncertainty: number;
  readonly start: (o: {
    readonly seed: number;
    readonly temperature: number;
    readonly valueHead: boolean;
  }) => Pick<TrainOptions, "env" | "policy">;
}

/** A policy for ToolChain-v0 with this competence, whose logits are divided by the temperature. */
const chain =
  (beta: number, turnCost: number): TwinWorld["start"] =>
  ({ seed, temperature, valueHead }) => {
    const env = make("ToolChain-v0", { turnCost });
    return { env, policy: toolChainPolicy(env.spec, { beta: beta / temperature, seed, valueHead }) };
  };

/** The worlds of a twin. Each shows a failure that the others do not. */
export const twinWorlds = {
  tools: {
    title: "chain of tools",
    why: "three tool calls in order, from an agent that solves half of the tasks: many steps on a batch break it under Adam",
    lesson: "04-echo-trap",
    supposes: null,
    learningRate: 0.3,
    updates: 300,
    reached: 1,
    uncertainty: 0.482,
    start: chain(4, 0),
  },
  costs: {
    title: "chain of tools that cost 1%",
    why: "the same from an agent that solves one task in twenty, with a cost on each turn: division by a group's std makes the cost outweigh the task",
    lesson: "04-echo-trap",
    supposes: "a small cost in the reward, such as one for each turn or token",
    learningRate: 0.05,
    updates: 200,
    reached: 1,
    uncertainty: 0.811,
    start: chain(2, 0.01),
  },
  hidden: {
    title: "tiger behind a door",
    why: "a POMDP: the state is hidden, listening costs 1, a wrong door 100; steps without a bound, and engines that disagree, break it",
    lesson: "06-agentic-pomdp",
    supposes: null,
    learningRate: 0.2,
    updates: 200,
    reached: 0.85,
    uncertainty: 0.667,
    start: ({ seed, valueHead }) => ({
      env: make("Tiger-v0"),
      policy: { kind: "tabular", seed, valueHead },
    }),
  },
} as const satisfies Readonly<Record<string, TwinWorld>>;

export type TwinWorldName = keyof typeof twinWorlds;

export const twinWorldNames = Object.freeze(Object.keys(twinWorlds)) as readonly TwinWorldName[];
