import { make, type Env, type Observation, type Outcome } from "turnwise/internal/env/index";
import { GameEnv } from "turnwise/internal/env/game";
import { inTurns } from "turnwise/internal/env/inTurns";
import { toolChain, type ToolChainState } from "turnwise/internal/env/toolChain";
import { dot } from "turnwise/internal/base/vectors";
import { teamShapley } from "turnwise/internal/exact/shapley/teamShapley";
import { recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";

/** ToolChain-v0 without the thought that begins each of its turns: what is left can be enumerated in a moment. */
export function shortChain(): GameEnv<ToolChainState> {
  const whole = toolChain();
  const vocabulary = whole.spec.vocabulary.slice(0, 7);
  const dropped = whole.spec.vocabulary.length - vocabulary.length;
  const known = new Map<Observation, Observation>();
  const short = (outcome: Outcome<ToolChainState>): Outcome<ToolChainState> => {
    let observation = known.get(outcome.observation);
    if (!observation) {
      const { tokens, text } = outcome.observation;
      known.set(outcome.observation, (observation = { tokens: tokens.map((one) => one - dropped), text }));
    }
    return { ...outcome, observation };
  };
  const [, tools, values] = whole.spec.syntax!;
  return new GameEnv({
    spec: { ...whole.spec, id: "ShortChain-v0", vocabulary, maxTokens: 2, syntax: [tools!, values!] },
    start: () => whole.start().map(short),
    transition: (state, action) => whole.transition(state, [7, ...action]).map(short),
    render: ({ turn }) => `turn ${turn}`,
  });
}

/** Teams, and what a silent agent of theirs writes. */
export const shapleyTeams = Object.freeze({
  "scout, opener": { env: () => make("HandOver-v0"), silence: [3], rate: 0.05 },
  "finder, answerer": {
    env: (): Env => inTurns(shortChain(), ["finder", "finder", "answerer"]),
    silence: [0, 0],
    rate: 0.05,
  },
  "searcher, reader, answerer": {
    env: (): Env => inTurns(shortChain(), ["searcher", "reader", "answerer"]),
    silence: [0, 0],
    rate: 0.05,
  },
});

/** A team of `shapleyTeams`. */
export type ShapleyTeam = keyof typeof shapleyTeams;

/** After a number of updates the agents of a team are judged. */
export const shapleyUpdates = Object.freeze([20, 200] as const);

/** One team in training. */
export interface ShapleyJob {
  readonly team: ShapleyTeam;
  readonly seed: number;
}

/** Contributions of a team's agents by updates, exact. */
export interface ShapleyPoint {
  readonly update: number;
  readonly J: number;
  /** Return of the team beyond that with all agents silent: the sum of the Shapley values. */
  readonly gained: number;
  /** By agent, in the order of the team's name. */
  readonly value: readonly number[];
  readonly oneSided: readonly number[];
  /** Cosine of the direction in which every agent raises its own Shapley value with the gradient of the team's return. */
  readonly cosine: number;
}

/** Trains a team by Dr. MAS and divides its return after each of `shapleyUpdates`. */
export async function shapleyRun({ team, seed }: ShapleyJob): Promise<ShapleyPoint[]> {
  const { env: maker, silence, rate } = shapleyTeams[team];
  const env = maker();
  const run = train({
    env,
    policy: { memory: "turnObservation" },
    recipe: recipe("drMas", { update: { optimizer: { kind: "adam", learningRate: rate } } }),
    updates: shapleyUpdates.at(-1)!,
    seed,
  });
  const points: ShapleyPoint[] = [];
  for await (const { update } of run) {
    if (!shapleyUpdates.some((due) => due === update)) continue;
    const divided = teamShapley(env, run.policy, { silence, gradients: true });
    const { J, value, oneSided, coalitions, gradient, shapleyGradient } = divided;
    const lengths = Math.sqrt(dot(gradient, gradient) * dot(shapleyGradient, shapleyGradient));
    points.push({
      update,
      J,
      gained: J - coalitions[""]!,
      value: Object.values(value),
      oneSided: Object.values(oneSided),
      cosine: dot(gradient, shapleyGradient) / lengths,
    });
  }
  return points;
}

/**
 * `shapleyRun` as a job of a sweep.
 *
 * @public
 */
export function shapleyJob(job: ShapleyJob): Promise<ShapleyPoint[]> {
  return shapleyRun(job);
}
