import type { Claim } from "turnwise/internal/plot/ledger";
import { retold } from "../shared/retold";
import { impossibilityClaims } from "./claims";
import { measureImpossibility } from "./measure";

/** The ledger of the lesson on the impossibility theorem, computed when it is asked for. */
export function impossibilityLesson(): Claim[] {
  const results = measureImpossibility();
  const { counts, push, contexts, noisyEnd, greedy, ratios } = results;
  const falls = (advantage: string, regime: string): string => {
    const found = counts.find(
      (c) => c.advantage === advantage && c.update === "PPU" && c.regime.startsWith(regime),
    )!;
    return `${found.decreases} of ${found.trees}`;
  };
  const end = (name: keyof typeof contexts): string => contexts[name].at(-1)!.toFixed(2);
  const worth = (G: number): string =>
    noisyEnd.find(({ rule }) => rule.endsWith(`std, G = ${G}`))!["J at the end"].toFixed(2);
  return retold(impossibilityClaims(results), [
    {
      of: "GRPO (GRAE with group std + PPU) is not monotone",
      source: "SeeUPO, Table 1",
      claim: "GRPO can make an agent worse without any noise",
      measured: `with rare large rewards, ${falls("GRAE, group std", "heavy")} random games fall; with rewards of 0 or 1, ${falls("GRAE, group std", "separate")}`,
    },
    {
      of: "A larger group repairs the std",
      claim: "A larger group repairs the division by the std",
      measured: `push towards the better arm: ${push(8, 0.5).toFixed(2)} in groups of 8, ${push(16, 0.5).toFixed(2)} in groups of 16; tasks that look alike: ${end("group std, G = infinity")} of ${end("no std")}, however large`,
    },
    {
      of: "A noisy tool is unlearned by groups with std",
      claim: "Dividing by the group's std makes an agent unlearn a tool whose answer pays in 40%",
      measured: `return at the end: ${worth(8)} in groups of 8, ${worth(32)} in groups of 32, ${worth(Infinity)} in infinite groups`,
    },
    {
      of: "A critic keeps PPO monotone",
      source: "SeeUPO, Table 1",
      claim: "A perfect critic keeps every update from falling",
      measured: `one set of parameters for all turns: ${falls("GAE, exact critic", "one shared")} games fall with it, ${falls("GRAE, no std", "one shared")} with the group's mean`,
    },
    {
      of: "GSPO's length-normalized ratio keeps the single-turn guarantee, whatever the lengths",
      source: "SeeUPO, Table 1",
      claim: "A ratio normalized by length keeps the guarantee in a single turn",
      measured: `one counterexample: the return goes from ${ratios.before.toFixed(2)} to ${ratios.geometric.toFixed(2)}`,
    },
    {
      of: "No algorithm is critic-free and convergent",
      source: "often said",
      measured: `SeeUPO has no critic, and misses the optimum of ${greedy.failures} of ${greedy.trees} random games`,
    },
  ]);
}
