import type { Claim } from "../../plot/ledger";
import { measured } from "../files/measured";
import { retold } from "../retold";
import { storedTable, type StoredRow } from "../storedTable";
import { shapleyClaims } from "./shapleyClaims";
import { thinkingClaims } from "./thinkingClaims";
import { worldModelClaims } from "./worldModelClaims";

/** The ledger of the lesson on search and models of worlds. */
export function searchLesson(): Claim[] {
  const table = (name: string): StoredRow[] => storedTable(measured(name));
  const rows = [
    ...thinkingClaims(table("thinking")),
    ...worldModelClaims(table("simulators"), table("dyna")),
    ...shapleyClaims(table("shapley")),
  ];
  return retold(rows, [
    { of: "Thinking ahead finds more than trying again with as many steps" },
    {
      of: "Planning on counts of what was seen learns more from the same batches of the world",
      claim: "Planning on a counted model learns more from the same batches of the world",
    },
    {
      of: "A simulated world is worse to learn in than one that runs as code",
      source: "notes on agentic RL",
    },
    { of: "A simulator's own score says how good the agent is" },
    {
      of: "What the team loses without each agent adds up to what the team earns",
      claim: "What a team loses without each agent adds up to what it earns",
    },
    {
      of: "Agents that each raise their own Shapley value raise the team's return most steeply",
      claim: "Agents that each raise their own Shapley value climb the team's return most steeply",
    },
  ]);
}
