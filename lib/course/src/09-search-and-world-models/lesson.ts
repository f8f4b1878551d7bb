import type { Claim } from "turnwise/internal/plot/ledger";
import { measured } from "../shared/measured";
import { retold } from "../shared/retold";
import { storedTable, type StoredRecord } from "../shared/storedTable";
import { expertIterationClaims } from "./expertIterationClaims";
import { sharpClaims } from "./sharpClaims";
import { thinkingClaims } from "./thinkingClaims";
import { worldModelClaims } from "./worldModelClaims";

/** The ledger of the lesson on search and models of worlds. */
export function searchLesson(): Claim[] {
  const table = (name: string): StoredRecord[] => storedTable(measured(name));
  const rows = [
    ...thinkingClaims(table("thinking")),
    ...expertIterationClaims([...table("searched-expert"), ...table("searched-grpo")]),
    ...worldModelClaims(table("simulators"), table("dyna")),
    ...sharpClaims(table("sharp")),
  ];
  return retold(rows, [
    { of: "Thinking ahead finds more than trying again with as many steps" },
    {
      of: "Search and imitation solve it within its budget: the policy alone scores above 0.9 on average",
      claim: "On average, the student of a search scores above 0.9 alone, in Codebreaker and in ApiChain",
      source: "expert iteration, arXiv 1705.08439",
    },
    {
      of: "After 300000 environment steps, search and imitation are ahead of GRPO",
      claim: "After 300,000 environment steps, the student of a search is ahead of GRPO",
      source: "this lesson",
    },
    {
      of: "Planning on counts of what was seen learns more from the same batches of the world",
      claim: "Planning on a counted model learns more from the same batches of the world",
    },
    {
      of: "A simulated world is worse to learn in than one that runs as code",
      source: "a common saying about agentic RL",
    },
    {
      of: "For as many steps, a team learns more without SHARP's losses",
      claim: "With as many steps, a team learns more without SHARP's payment of losses",
    },
  ]);
}
