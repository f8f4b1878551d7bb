import type { Claim } from "turnwise/internal/plot/index";
import { inBothHalves } from "../shared/inBothHalves";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { above, gain, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { comparedSteps, searchedWorlds, type SearchedArm, type SearchedWorld } from "./expertIterationRun";

/** A world counts as solved above this score of the policy alone, without search; 1 is the optimum. Named before the runs. */
const SOLVED = 0.9;
/** The smallest gain over GRPO that matters, in score. */
const SMALLEST_GAIN = 0.05;

const worlds = Object.keys(searchedWorlds) as SearchedWorld[];

/**
 * Whether search teaches a table to solve the worlds that no rule of the table solves, and how far it is ahead of GRPO: in the seeds
 * that find it, and in those that confirm it.
 */
export function expertIterationClaims(searched: readonly StoredRecord[]): Claim[] {
  const solved = worlds.map((world) => {
    const { steps } = searchedWorlds[world];
    const own = scoresAt(searched, world, "expert iteration", steps);
    return {
      setting: { world, steps },
      effect: inBothHalves(own, own, (values) => above(values, SOLVED)),
    };
  });
  const ahead = worlds.map((world) => {
    const at = (arm: SearchedArm): SeedValue[] => scoresAt(searched, world, arm, comparedSteps);
    return { setting: { world }, effect: inBothHalves(at("expert iteration"), at("grpo"), gain) };
  });
  const decided = verdicts({
    solved: { conditions: solved, smallestEffectOfInterest: 0 },
    ahead: { conditions: ahead, smallestEffectOfInterest: SMALLEST_GAIN },
  });
  const text = (all: typeof solved | typeof ahead): string =>
    all.map(({ setting: { world }, effect }) => `${world} ${effectText(effect, 2)}`).join(", ");
  return [
    {
      claim: `Search and imitation solve it within its budget: the policy alone scores above ${SOLVED} on average`,
      source: "this library; Anthony, Tian, Barber, arXiv 1705.08439, for expert iteration",
      measured: `${seedsOf(searched, "expert iteration")} seeds, score minus ${SOLVED}: ${text(solved)}`,
      verdict: decided.solved,
    },
    {
      claim: `After ${comparedSteps} environment steps, search and imitation are ahead of GRPO`,
      source: "this library",
      measured: `${seedsOf(searched, "expert iteration")} seeds against ${seedsOf(searched, "grpo")}, score of expert iteration minus GRPO: ${text(ahead)}`,
      verdict: decided.ahead,
    },
  ];
}

/** The score of each seed at the first point of its run that has taken so many steps. */
function scoresAt(
  rows: readonly StoredRecord[],
  world: SearchedWorld,
  arm: SearchedArm,
  steps: number,
): SeedValue[] {
  const own = rows.filter(
    (row) => row["world"] === world && row["arm"] === arm && Number(row["steps"]) >= steps,
  );
  const first = new Map<number, StoredRecord>();
  for (const row of own) {
    const seed = Number(row["seed"]);
    const known = first.get(seed);
    if (!known || Number(row["steps"]) < Number(known["steps"])) first.set(seed, row);
  }
  return [...first].map(([seed, row]) => ({ seed, value: Number(row["score"]) }));
}

const seedsOf = (rows: readonly StoredRecord[], arm: SearchedArm): number =>
  new Set(rows.filter((row) => row["arm"] === arm).map((row) => row["seed"])).size;
