import { exactRule, type ExactRule } from "turnwise/internal/exact/exactRule";
import { rowAdvantage } from "turnwise/internal/exact/rowAdvantage";
import { tablePolicy, uniformPolicy } from "turnwise/internal/exact/tablePolicy";
import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import { order } from "turnwise/internal/tree/games/index";

/** Signal that the first turn of the two-turn game gets for its actions L and R once turn 2 takes y with probability q. */
export function carriedAdvantage(
  carry: ExactRule["carry"],
  q: number,
): { readonly L: number; readonly R: number } {
  const game = order();
  const behavior = uniformPolicy(game);
  const current = tablePolicy(game, { "after R": { x: 1 - q, y: q } });
  const rule = exactRule({ order: "reverse", carry });
  const { positive, negative } = rowAdvantage(game, rule, { behavior, current, updated: [1] }, [0]);
  const [L, R] = behavior[0]!.map((p, a) => (positive[0]![a]! + negative[0]![a]!) / p);
  return { L: L!, R: R! };
}

const carries = {
  exact: "with the carry",
  clipped: "clipped to 0.8 ... 1.2",
  off: "without a carry",
} as const;

/** The signal for going right once turn 2 has learned everything. */
const learned = (carry: ExactRule["carry"]): string => carriedAdvantage(carry, 1).R.toFixed(2);

/** Chart of the signal of turn 1 for going right, while turn 2 learns. */
export function drawCarry(): Chart {
  const lines = Object.entries(carries).map(([carry, words]) => [
    words,
    Array.from({ length: 51 }, (_, i) => {
      const x = 0.5 + i / 100;
      return { x, y: carriedAdvantage(carry as ExactRule["carry"], x).R };
    }),
  ]);
  return lineChart(Object.fromEntries(lines), {
    title: `Turn 1 hears that R is worth up to ${learned("exact")}, or ${learned("clipped")} if the carry is clipped`,
    subtitle: "advantage of going right in one batch, after turn 2 was updated",
    xTitle: "turn 2 has learned to take y with this probability",
    yTitle: "advantage of R",
    reference: { y: carriedAdvantage("exact", 0.5).L, label: "advantage of L" },
  });
}
