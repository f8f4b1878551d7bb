import { pairedInterval, pairedMean } from "turnwise/internal/monitor/pairedMean";
import { outranks } from "turnwise/internal/monitor/sameAge";
import type { Area } from "./run";

/** The area under the ROC curve of bets: how often the bet on a run that fell is higher than on one that held, ties counted half. */
export function areaOf(bets: readonly { readonly bet: number; readonly fell: boolean }[]): Area | undefined {
  const falls = bets.filter(({ fell }) => fell);
  const held = bets.filter(({ fell }) => !fell);
  if (falls.length === 0 || held.length === 0) return undefined;
  const paired = pairedMean([falls.map((one) => held.map((other) => outranks(one.bet, other.bet)))]);
  return { mean: paired.mean, ...pairedInterval(paired) };
}
