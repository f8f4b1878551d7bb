import { difference } from "turnwise/internal/base/difference";
import type { Claim } from "turnwise/internal/plot/ledger";
import { measured } from "../shared/measured";
import { retold } from "../shared/retold";
import { shown } from "turnwise/internal/verdict/words";
import { optimizerSteps, sharedModel } from "./claims";
import { exactOrderClaims } from "./exactClaims";
import { measureExactOrders } from "./measureExact";
import type { OrderArm } from "./orderAblation";
import { storedOrderRuns } from "./orderRuns";

/** The ledger of the lesson on the order of updates: exact games computed when asked for, and the stored runs. */
export function updateOrderLesson(): Claim[] {
  const results = measureExactOrders();
  const runs = storedOrderRuns(measured("update-order"));
  const success = (arm: OrderArm): number[] =>
    runs.filter((run) => run.part === "order" && run.arm === arm).map((run) => run.success);
  const gap = (one: OrderArm, other: OrderArm): string => shown(difference(success(one), success(other)));
  const { greedyEnd, toOptimum, ladder, sharedRows, notes } = results;
  const updates = (order: string): string =>
    toOptimum.find(({ row, column }) => row.startsWith("gradient") && column === order)!.label;
  const climbed = (carry: "exact carry" | "clipped carry" | "no carry"): number =>
    ladder.runs[`reverse, ${carry}`].J.findIndex((J) => J >= 0.95);
  const noted = (order: string): string => notes.find((note) => note.order === order)!.greedy.toFixed(2);
  const rows = [...Object.values(exactOrderClaims(results)), sharedModel(runs), optimizerSteps(runs)];
  return retold(rows, [
    {
      of: "Reverse order reaches the global optimum where other orders stop at a Nash point",
      claim: "Last turn first reaches the optimum where other orders get stuck",
      measured: `two turns, greedy steps: ${greedyEnd["reverse"]} last turn first, ${greedyEnd["forward"]} first turn first, ${greedyEnd["simultaneous"]} all at once`,
    },
    {
      of: "Other orders cannot reach the optimum",
      source: "often said",
      claim: "No other order can reach the optimum",
      measured: `two turns, gradient steps of 5, updates to 0.99: ${updates("reverse")} last turn first, ${updates("forward")} first turn first, ${updates("simultaneous")} all at once`,
    },
    {
      of: "The carry of ratios is what makes reverse order work",
      claim: "The carry is what makes the order work",
      measured: `ladder of ${ladder.T} rungs, updates to 0.95: ${climbed("exact carry")} with the carry, ${climbed("clipped carry")} if it is clipped, ${climbed("no carry")} without`,
    },
    {
      of: "Reverse beats forward and simultaneous with one shared model",
      source: "SeeUPO, Table 4",
      claim: "Last turn first beats the other orders with one model for all turns",
      measured: `ToolChain, ${success("reverse").length} seeds: ${gap("reverse", "forward")} over first turn first, ${gap("reverse", "simultaneous, equal steps")} over all at once with as many steps`,
    },
    {
      of: "Part of a gain over a one-step baseline is the number of optimizer steps",
      source: "released configurations",
      claim: "Part of the gain over a baseline is its larger number of optimizer steps",
      measured: `all turns at once, 16 steps less 4 steps: ${gap("simultaneous, equal steps", "simultaneous, 4 steps")}`,
    },
    {
      of: "Reverse order is enough for the global optimum",
      source: "often said",
      claim: "Last turn first is enough for the optimum",
      measured: `one parameter for both turns: from ${sharedRows[0]!.before.toFixed(2)} to ${sharedRows[0]!["after turn 1"].toFixed(2)}; a turn that sees only a note: ${noted("reverse")}, first turn first ${noted("forward")}`,
    },
  ]);
}
