import type { Claim } from "turnwise/internal/plot/ledger";
import { effectText } from "turnwise/internal/verdict/effectText";
import { measured } from "../shared/measured";
import { retold, type Retelling } from "../shared/retold";
import { exactOrderClaims } from "./exactClaims";
import { matchedClaims, matchedEffectsOf } from "./matched/claims";
import type { MatchedWorld } from "./matched/design";
import { matchedQuestions, type MatchedQuestionName } from "./matched/questions";
import type { MatchedRun } from "./matched/run";
import { storedMatchedRuns } from "./matched/stored";
import { measureExactOrders } from "./measureExact";

/** The ledger of the lesson on the order of updates: exact games, computed when asked for, and questions of the preregistered study. */
export function updateOrderLesson(): Claim[] {
  return [...exactLedger(), ...sampledLedger(storedMatchedRuns(measured("order-matched")))];
}

function exactLedger(): Claim[] {
  const results = measureExactOrders();
  const { greedyEnd, ladder, sharedRows, notes } = results;
  const climbed = (carry: "exact carry" | "clipped carry" | "no carry"): number =>
    ladder.runs[`reverse, ${carry}`].J.findIndex((J) => J >= 0.95);
  const noted = (order: string): string => notes.find((note) => note.order === order)!.greedy.toFixed(2);
  return retold(Object.values(exactOrderClaims(results)), [
    {
      of: "Reverse order reaches the global optimum where other orders stop at a Nash point",
      claim: "Last turn first reaches the optimum where other orders get stuck",
      source: "this lesson; the first half is SeeUPO's Theorem 2",
      measured: `two turns, greedy steps: ${greedyEnd["reverse"]} last turn first, ${greedyEnd["forward"]} first turn first, ${greedyEnd["simultaneous"]} all at once`,
    },
    {
      of: "The carry of ratios is what makes reverse order work",
      claim: "The carry is what makes the order work",
      measured: `ladder of ${ladder.T} rungs, updates to 0.95: ${climbed("exact carry")} with the carry, ${climbed("clipped carry")} if it is clipped, ${climbed("no carry")} without`,
    },
    {
      of: "Reverse order is enough for the global optimum",
      source: "often said",
      claim: "Last turn first is enough for the optimum",
      measured: `one parameter for both turns: from ${sharedRows[0]!.before.toFixed(2)} to ${sharedRows[0]!["after turn 1"].toFixed(2)}; a turn that sees only a note: ${noted("reverse")}, first turn first ${noted("forward")}`,
    },
  ]);
}

/** The primary questions that the lesson names, in its words. */
const told = {
  forward: {
    claim: "Last turn first beats first turn first",
    source: "SeeUPO, Table 4; asked before the runs",
  },
  passes: {
    claim: "Last turn first beats all at once, at equal passes over each token",
    source: "this lesson; asked before the runs",
  },
  steps: {
    claim: "Last turn first beats all at once, at equally many optimizer steps",
    source: "this lesson; asked before the runs",
  },
} as const satisfies Partial<Record<MatchedQuestionName, Partial<Retelling>>>;

const worldWords: Readonly<Record<MatchedWorld, string>> = {
  toolChain: "ToolChain",
  toolChainApart: "ToolChain, a model per turn",
  apiChain: "ApiChain",
  ladder: "ladder",
  keyDoor: "KeyDoor",
};

/** The rows that the study decides. */
function sampledLedger(runs: readonly MatchedRun[]): Claim[] {
  const retellings = Object.entries(told).map(([name, words]): Retelling => {
    const question = matchedQuestions[name as keyof typeof told];
    const effects = matchedEffectsOf(question, runs).map(({ comparison: { world, setting }, effect }) => {
      const ratio = setting["ratio"] === "either" ? "" : `, ${setting["ratio"]} ratio`;
      return `${worldWords[world]}${ratio}: ${effectText(effect, 2)}`;
    });
    return { of: question.claim, ...words, measured: effects.join("; ") };
  });
  return retold(matchedClaims(runs), retellings);
}
