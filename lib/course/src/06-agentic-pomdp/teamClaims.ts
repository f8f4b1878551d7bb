import { mean } from "turnwise/internal/base/statistics";
import type { Claim } from "turnwise/internal/plot/index";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { inBothHalves } from "../shared/inBothHalves";
import { gain, type Effect } from "turnwise/internal/verdict/effect";
import { verdicts, type Condition } from "turnwise/internal/verdict/verdict";
import { agenticPomdpEffects as smallest } from "./effects";
import type { TeamCreditJob, TeamCritic } from "./teamCredit";
import { teamLearningRates, teamWorlds, type TeamWorldName } from "./teamRun";

/** A rule against a plainer one, which differs from it in the advantage alone. */
interface Pair {
  readonly arm: string;
  readonly than: string;
}

const metrics = { final: "end", average: "mean of all updates" } as const;
type Metric = keyof typeof metrics;

const agents = "a baseline for each agent";
const agentPairs = {
  turns: [{ arm: agents, than: "one baseline over all turns" }],
  trajectories: [{ arm: agents, than: "one baseline over trajectories" }],
} as const;
const subgoals = "segments and roles";
const subgoalPairs = {
  turns: [
    { arm: subgoals, than: "GAE over turns" },
    { arm: `${subgoals}, not whitened`, than: "GAE over turns, not whitened" },
  ],
  tokens: [{ arm: subgoals, than: "GAE over tokens" }],
} as const;

/** Whether rules for agents and for subgoals help where there are agents and subgoals. */
export function teamClaims(team: readonly StoredRecord[], credit: readonly StoredRecord[]): Claim[] {
  return [...agentClaims(team, credit), ...subgoalClaims(team, credit)];
}

function agentClaims(team: readonly StoredRecord[], credit: readonly StoredRecord[]): Claim[] {
  const source = "Dr. MAS, arXiv 2602.08847 [P]";
  const noise = creditGaps(credit, "drMas", [...agentPairs.turns, ...agentPairs.trajectories], "logNoise");
  const bend = creditGaps(credit, "drMas", [...agentPairs.turns, ...agentPairs.trajectories], "cosine");
  const decided = verdicts({
    turns: asked(trained(team, "drMas", agentPairs.turns)),
    trajectories: asked(trained(team, "drMas", agentPairs.trajectories)),
    noise: { conditions: noise, smallestEffectOfInterest: smallest.logVariance },
    bend: { conditions: bend, claims: "no loss", smallestEffectOfInterest: smallest.cosine },
  });
  return [
    {
      claim: "Two agents learn better with a baseline each than with one over all turns",
      source: "this notebook",
      measured: trainedText(team, "drMas", agentPairs.turns),
      verdict: decided.turns,
    },
    {
      claim: "They learn better so than with GRPO's baseline over trajectories",
      source,
      measured: trainedText(team, "drMas", agentPairs.trajectories),
      verdict: decided.trajectories,
    },
    {
      claim: "A baseline for each agent makes a step less noisy",
      source,
      measured: `every group of four, exact: log variance by squared length, ${gapsText(noise)}`,
      verdict: decided.noise,
    },
    {
      claim: "It does not bend the step",
      source: "this notebook",
      measured: `cosine of the expected step with the exact gradient, ${gapsText(bend)}`,
      verdict: decided.bend,
    },
  ];
}

function subgoalClaims(team: readonly StoredRecord[], credit: readonly StoredRecord[]): Claim[] {
  const source = "HiPER, arXiv 2602.16165 [P]";
  const pairs = [...subgoalPairs.turns, ...subgoalPairs.tokens];
  const critics = ["one", "each"] as const;
  const noise = critics.flatMap((critic) => creditGaps(credit, "hiper", pairs, "logNoise", critic));
  const bend = critics.flatMap((critic) => creditGaps(credit, "hiper", pairs, "cosine", critic));
  const decided = verdicts({
    turns: asked(trained(team, "hiper", subgoalPairs.turns)),
    tokens: asked(trained(team, "hiper", subgoalPairs.tokens)),
    noise: { conditions: noise, smallestEffectOfInterest: smallest.logVariance },
    bend: { conditions: bend, claims: "no loss", smallestEffectOfInterest: smallest.cosine },
  });
  return [
    {
      claim: "Segments and roles learn subgoals better than GAE over turns",
      source,
      measured: trainedText(team, "hiper", subgoalPairs.turns),
      verdict: decided.turns,
    },
    {
      claim: "They learn subgoals better than PPO's GAE over tokens",
      source,
      measured: trainedText(team, "hiper", subgoalPairs.tokens),
      verdict: decided.tokens,
    },
    {
      claim: "Segments and roles make a step less noisy",
      source,
      measured: `perfect critic, 200 batches: log variance by squared length, ${gapsText(noise)}`,
      verdict: decided.noise,
    },
    {
      claim: "They do not bend the step",
      source: "this notebook",
      measured: `cosine of the expected step with the exact gradient, ${gapsText(bend)}`,
      verdict: decided.bend,
    },
  ];
}

type TeamCondition = Condition & { readonly effect: Effect };

function asked(conditions: readonly TeamCondition[]): {
  readonly conditions: readonly TeamCondition[];
  readonly smallestEffectOfInterest: number;
} {
  return { conditions, smallestEffectOfInterest: smallest.score };
}

function worldsOf(rule: TeamCreditJob["rule"]): TeamWorldName[] {
  const all = Object.keys(teamWorlds) as TeamWorldName[];
  return all.filter((world) => teamWorlds[world].rule === rule);
}

/** The runs of an arm in a world at a learning rate. */
function runsOf(
  team: readonly StoredRecord[],
  world: string,
  arm: string,
  learningRate: number,
): StoredRecord[] {
  return team.filter(
    (row) => row["world"] === world && row["arm"] === arm && row["learningRate"] === learningRate,
  );
}

function trained(
  team: readonly StoredRecord[],
  rule: TeamCreditJob["rule"],
  pairs: readonly Pair[],
): TeamCondition[] {
  return worldsOf(rule).flatMap((world) =>
    pairs.flatMap(({ arm, than }) =>
      teamLearningRates.flatMap((learningRate) =>
        (Object.keys(metrics) as Metric[]).map((metric) => {
          const seeded = (name: string): { readonly seed: number; readonly value: number }[] =>
            runsOf(team, world, name, learningRate).map((row) => ({
              seed: Number(row["seed"]),
              value: Number(row[metric]),
            }));
          return {
            setting: { world, "compared with": than, learningRate, score: metrics[metric] },
            effect: inBothHalves(seeded(arm), seeded(than), (a, b) => gain(a, b)),
          };
        }),
      ),
    ),
  );
}

/** Mean scores by learning rate, in each world. */
function trainedText(
  team: readonly StoredRecord[],
  rule: TeamCreditJob["rule"],
  pairs: readonly Pair[],
): string {
  const scores = (world: string, arm: string): string =>
    (Object.keys(metrics) as Metric[])
      .map((metric) =>
        teamLearningRates
          .map((rate) => mean(runsOf(team, world, arm, rate).map((row) => Number(row[metric]))).toFixed(2))
          .join("/"),
      )
      .join(", ");
  const seeds = new Set(team.map((row) => row["seed"])).size;
  const worlds = worldsOf(rule).map(
    (world) =>
      `${world}: ${pairs.map(({ arm, than }) => `${arm} ${scores(world, arm)}; ${than} ${scores(world, than)}`).join("; ")}`,
  );
  return `${seeds} seeds, score at learning rates ${teamLearningRates.join("/")}, at the end and on the way: ${worlds.join(". ")}`;
}

/** Gain of a rule's step over the plainer one's, over the policies: less noise, or a higher cosine. */
function creditGaps(
  credit: readonly StoredRecord[],
  rule: TeamCreditJob["rule"],
  pairs: readonly Pair[],
  column: "logNoise" | "cosine",
  critic?: TeamCritic,
): (Condition & { readonly effect: Effect })[] {
  const of = (arm: string, by: TeamCritic): number[] =>
    credit
      .filter((row) => row["rule"] === rule && row["arm"] === arm && row["critic"] === by)
      .map((row) => Number(row[column]));
  return pairs.map(({ arm, than }) => {
    const [own, plain] = [of(arm, critic ?? "one"), of(than, "one")];
    const [better, worse] = column === "cosine" ? [own, plain] : [plain, own];
    return {
      setting: {
        "compared with": than,
        ...(critic && { values: critic === "one" ? "one" : "one for each level" }),
      },
      effect: gain(better, worse, { paired: true }),
    };
  });
}

function gapsText(gaps: readonly (Condition & { readonly effect: Effect })[]): string {
  return gaps
    .map(({ setting, effect }) => {
      const values = setting["values"] === undefined ? "" : `values: ${setting["values"]}, `;
      return `${values}better than ${String(setting["compared with"])} by ${effectText(effect)}`;
    })
    .join(", ");
}
