import { exactIteration } from "turnwise/internal/exact/exactIteration";
import { exactRule, gradientStep, type ExactRule, type ExactStep } from "turnwise/internal/exact/exactRule";
import { phasePath, phasePortrait, returnSurface } from "turnwise/internal/exact/phasePortrait";
import { uniformPolicy, type TablePolicy } from "turnwise/internal/exact/tablePolicy";
import type { Chart } from "turnwise/internal/plot/chart";
import { phaseChart } from "turnwise/internal/plot/phaseChart";
import type { Tree } from "turnwise/internal/tree/tree";

/** Orders by the words of the lesson. */
export const orderWords = {
  reverse: "last turn first",
  forward: "first turn first",
  simultaneous: "all at once",
} as const satisfies Partial<Record<ExactRule["order"], string>>;

const axes = { x: { infoState: "turn 1", action: "R" }, y: { infoState: "after R", action: "y" } };

/** The way of an agent through the two-turn game in three orders: a corner wherever a turn was updated. */
export function drawWays(
  game: Tree,
  { step, updates = 3 }: { readonly step: number | "greedy"; readonly updates?: number },
): Chart {
  const kind: ExactStep = step === "greedy" ? { kind: "greedy" } : gradientStep(step);
  const ways = Object.entries(orderWords).map(([order, words]) => {
    const rule = exactRule({ order: order as keyof typeof orderWords, step: kind });
    const policies = turnByTurn(game, rule, updates);
    const { before: end } = exactIteration(game, policies.at(-1)!, rule);
    return { words, end, path: phasePath(game, policies, axes) };
  });
  const [first, ...others] = ways.map(({ words, end }) => ({ words, end: end.toFixed(2) }));
  const highest = others.reduce((a, b) => (b.end > a.end ? b : a));
  const field = phasePortrait(game, exactRule({ step: gradientStep(4) }), axes, { points: 9 });
  return phaseChart(field, {
    title: `The ${first!.words} ends at ${first!.end}, the others at most at ${highest.end}`,
    subtitle: `${step === "greedy" ? "greedy steps" : `gradient steps of ${step}`}; gray: the return, and where it rises`,
    xTitle: "turn 1: how often it goes right",
    yTitle: "turn 2: how often it takes y",
    surface: returnSurface(game, axes),
    paths: Object.fromEntries(ways.map(({ words, path }) => [words, path])),
    size: 340,
  });
}

/** The policy at the start and after every single turn's update. */
function turnByTurn(game: Tree, rule: ExactRule, updates: number): TablePolicy[] {
  const policies = [uniformPolicy(game)];
  for (let i = 0; i < updates; i++) {
    const { moves } = exactIteration(game, policies.at(-1)!, rule);
    for (const turns of new Set(moves.map((move) => move.turns))) {
      const own = moves.filter((move) => move.turns === turns);
      policies.push(
        policies
          .at(-1)!
          .map((row, s) => own.find(({ infoState }) => infoState === game.infoStates[s]!.name)?.to ?? row),
      );
    }
  }
  return policies;
}
