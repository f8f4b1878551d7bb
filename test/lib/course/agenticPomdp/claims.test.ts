import { agenticPomdpClaims } from "turnwise-course/agentic-pomdp";
import { type StoredRecord } from "turnwise-course";
import type { AgenticPomdpResults } from "turnwise-course/internal/06-agentic-pomdp/claims";
import { testVerdicts } from "../support";

const seeds = [0, 1, 2, 3, 4, 5, 6, 7];
const views = (oneStep: number): AgenticPomdpResults["views"] => [
  { game: "guessOrLookUp", "one step": oneStep, "turn by turn": 1, "state in sight": 1 },
  { game: "note", "one step": 1, "turn by turn": 1, "state in sight": 1.2 },
];
const choices = (oneStep: number): AgenticPomdpResults["choices"] => [
  { choice: "level of the ratio", "one step": oneStep, "turn by turn": 0.1 },
];
const rulesOfExample = ["RLHF / DPO: the pair 5, 6", "GRPO", "DAPO"];
const critics = ["StepPO", "HiPER, a segment per turn", "verifier of next state"];
type Credit = AgenticPomdpResults["example"]["some call"];
/** Equal credit under the first rules, and more for the call under those with a critic or a verifier. */
const someCall = (change: Readonly<Record<string, number>> = {}): Credit => [
  ...rulesOfExample.map((rule) => ({ rule, clock: 0.5, call: change[rule] ?? 0.5, answer: 0.5 })),
  ...critics.map((rule) => ({ rule, clock: 0.2, call: change[rule] ?? 0.5, answer: 0 })),
];
const allCall = (call = 0): Credit => critics.map((rule) => ({ rule, clock: 0.2, call, answer: 0.5 }));
const example = (
  change: Readonly<Record<string, number>> = {},
  expected = 0,
): AgenticPomdpResults["example"] => ({ "some call": someCall(change), "all call": allCall(expected) });

const names = [
  "GRPO, DAPO: whole return, group std",
  "Dr.GRPO: whole return",
  "per turn, rewards from the turn on",
  "StepPO, lambda 1, perfect critic",
  "StepPO, lambda 0, perfect critic",
  "StepPO, lambda 0, critic 20 updates behind",
  "StepPO, lambda 0, critic before training",
] as const;
/** Policies alike: the direction of each rule, and the direction of one batch, .5 but for critics that are told. */
const quality = (std: number, whole: number, critic: readonly [number, number, number]): StoredRecord[] =>
  names.flatMap((rule, i) =>
    seeds.map((seed) => ({
      ...{ seed, rule, correlation: 0.5 },
      direction: i === 0 ? std : i === 1 ? whole : 0.9,
      oneBatch: critic[i - 4] ?? 0.5,
    })),
  );

const arms = {
  "memory: KeyDoor": ["remembers the episode", "sees turn and last observation"],
  "memory: TMaze": ["remembers the episode", "sees turn and last observation"],
  "tool: LookUp": ["the tool tells the truth", "the tool guesses", "it tells the truth, step credit"],
  "planning: now or later": ["credit with what follows", "credit with the turn's own reward"],
  "action: LookUp": ["knows how a call is written", "knows nothing"],
} as const;
/** Seeds of each skill, alike: 1 with the faculty and .5 without, unless told. */
const skillRuns = (
  change: Partial<Record<keyof typeof arms, readonly number[]>> = {},
): AgenticPomdpResults["skillRuns"] =>
  new Map(
    Object.entries(arms).flatMap(([skill, own]) =>
      own.map((arm, i) => {
        const score = (change[skill as keyof typeof arms] ?? [1, 0.5, 1])[i]!;
        return [`${skill}|${arm}`, seeds.map(() => ({ score, malformed: [0.5, 0.1] }))] as const;
      }),
    ),
  );
const calculator = (step = 0.25): StoredRecord[] =>
  ["trajectory", "rewardToGo"].flatMap((credit) =>
    seeds.map((seed) => ({
      ...{ reward: "outcome", credit, seed },
      score: credit === "trajectory" ? 0.25 : step,
    })),
  );

interface Mask {
  readonly average?: number;
  readonly success?: number;
  readonly forged?: number;
}
/** Seeds alike; success .3 before, and .95 at the end, .9 on average, with and without the mask unless told. */
const retrieved = (bare: Mask = {}, wordy: Mask = {}): StoredRecord[] =>
  (
    [
      [0, bare],
      [8, wordy],
    ] as const
  ).flatMap(([words, change]) =>
    ["masked", "trained"].flatMap((kind) =>
      seeds.map((seed) => ({
        ...{ words, retrieved: kind, seed, before: 0.3, average: 0.9, success: 0.95, forged: 0 },
        ...(kind === "trained" && change),
      })),
    ),
  );

const teamWorlds = {
  "hand over, 3 tries": "drMas",
  "hand over, 8 tries": "drMas",
  "hand over, 2 doors": "drMas",
  "subgoals, 6 turns": "hiper",
} as const;
const teamArms = {
  drMas: ["a baseline for each agent", "one baseline over all turns", "one baseline over trajectories"],
  hiper: [
    "segments and roles",
    "segments and roles, not whitened",
    "GAE over turns",
    "GAE over turns, not whitened",
    "GAE over tokens",
  ],
} as const;
type TeamScore = (run: { world: string; arm: string; learningRate: number; seed: number }) => number;
/** Runs that all end alike, in both halves of the seeds, unless told; the mean of all updates is .1 less. */
const team = (scoreOf: TeamScore = () => 0.8): StoredRecord[] =>
  Object.entries(teamWorlds).flatMap(([world, rule]) =>
    teamArms[rule].flatMap((arm) =>
      [0.01, 0.03, 0.1].flatMap((learningRate) =>
        [...seeds, ...seeds.map((seed) => 20 + seed)].map((seed) => {
          const final = scoreOf({ world, arm, learningRate, seed });
          return { world, arm, learningRate, seed, final, average: final - 0.1 };
        }),
      ),
    ),
  );
const teamCredit = (
  change: Readonly<Record<string, { cosine?: number; logNoise?: number }>> = {},
): StoredRecord[] =>
  Object.entries(teamArms).flatMap(([rule, own]) =>
    own.flatMap((arm) =>
      (rule === "hiper" ? ["one", "each"] : ["one"]).flatMap((critic) =>
        seeds.map((seed) => ({
          ...{ rule, arm, critic, seed, cosine: 0.9, logNoise: 1 },
          ...change[arm],
          ...change[`${arm}, ${critic}`],
        })),
      ),
    ),
  );
const [eachAgent, overTurns, overTrajectories] = teamArms.drMas;
const [segments, , gaeTurns, gaeTurnsRaw, gaeTokens] = teamArms.hiper;
const higher =
  (own: string, of = "", by = 0.1): TeamScore =>
  ({ arm, world }) =>
    arm.startsWith(own) && world.startsWith(of) ? 0.8 + by : 0.8;

const base: AgenticPomdpResults = {
  atHorizon1: { pomdp: 0.1, bandit: 0.1 },
  views: views(0.25),
  choices: choices(0),
  example: example(),
  quality: quality(0.8, 0.9, [0.6, 0.5, 0.5]),
  calculator: calculator(),
  skillRuns: skillRuns(),
  retrieved: retrieved(),
  team: team(),
  teamCredit: teamCredit(),
  again: { credit: { equal: 1, of: 1 }, masks: { equal: 2, of: 2 }, team: { equal: 3, of: 3 } },
};

describe("the claims of the agentic POMDP", () => {
  const none = "no effect that matters";
  testVerdicts(agenticPomdpClaims, base, [
    ["RLHF is not", {}, "refuted"],
    ["RLHF is not", { atHorizon1: { pomdp: 0.1, bandit: 0.1001 } }, "not shown"],
    ["The single-step view", {}, "holds if game = guessOrLookUp of {guessOrLookUp, note}"],
    ["The single-step view", { views: views(1) }, none],
    ["In one step", {}, "holds"],
    ["In one step", { choices: choices(0.001) }, "refuted"],
    ["GRPO pushes", {}, "holds"],
    ["GRPO pushes", { example: example({ GRPO: 0.6 }) }, "refuted"],
    ["StepPO and HiPER", {}, "holds if group = some call of {some call, all call}"],
    ["StepPO and HiPER", { example: example({}, 0.6) }, "holds"],
    ["StepPO and HiPER", { example: example({ StepPO: 0, [critics[1]!]: 0 }) }, "refuted"],
    ["A verifier of", {}, "holds"],
    ["A verifier of", { example: example({ "verifier of next state": 0.1 }) }, "refuted"],
    ["Credit for the whole", {}, "holds if divided by = group std of {none, group std}"],
    ["Credit for the whole", { quality: quality(0.88, 0.89, [0.6, 0.5, 0.5]) }, none],
    ["Credit for the whole", { quality: quality(0.5, 0.8, [0.6, 0.5, 0.5]) }, "holds"],
    [
      "Step-level credit",
      {},
      "holds if critic = perfect critic of {perfect critic, critic 20 updates behind, critic before training}",
    ],
    ["Step-level credit", { quality: quality(0.8, 0.9, [0.6, 0.6, 0.6]) }, "holds"],
    ["Step-level credit", { quality: quality(0.8, 0.9, [0.5, 0.5, 0.5]) }, none],
    ["Two agents learn", {}, none],
    ["Two agents learn", { team: team(higher(eachAgent)) }, "holds"],
    [
      "Two agents learn",
      { team: team(higher(eachAgent, "hand over, 8")) },
      "holds if world = hand over, 8 tries of {hand over, 3 tries; hand over, 8 tries; hand over, 2 doors}",
    ],
    ["Two agents learn", { team: team(higher(overTurns)) }, "refuted"],
    // What the first half finds, the second does not confirm.
    [
      "Two agents learn",
      { team: team((run) => (run.seed < 20 && run.arm === eachAgent ? 0.9 : 0.8)) },
      "not shown",
    ],
    ["They learn better so", {}, none],
    ["They learn better so", { team: team(higher(eachAgent)) }, "holds"],
    ["They learn better so", { team: team(higher(overTrajectories)) }, "refuted"],
    ["A baseline for each agent makes", {}, none],
    [
      "A baseline for each agent makes",
      { teamCredit: teamCredit({ [eachAgent]: { logNoise: 0.5 } }) },
      "holds",
    ],
    [
      "A baseline for each agent makes",
      { teamCredit: teamCredit({ [overTurns]: { logNoise: 1.5 } }) },
      "holds if compared with = one baseline over all turns of {one baseline over all turns, one baseline over trajectories}",
    ],
    ["It does not bend", {}, "holds"],
    ["It does not bend", { teamCredit: teamCredit({ [eachAgent]: { cosine: 0.7 } }) }, "refuted"],
    ["Segments and roles learn", {}, none],
    ["Segments and roles learn", { team: team(higher(segments)) }, "holds"],
    ["Segments and roles learn", { team: team(higher(gaeTurns)) }, "refuted"],
    [
      "Segments and roles learn",
      { team: team(({ arm }) => (arm === segments ? 0.9 : 0.8)) },
      "holds if compared with = GAE over turns of {GAE over turns; GAE over turns, not whitened}",
    ],
    ["They learn subgoals better", {}, none],
    ["They learn subgoals better", { team: team(higher(segments)) }, "holds"],
    ["Segments and roles make", {}, none],
    [
      "Segments and roles make",
      { teamCredit: teamCredit({ [segments]: { logNoise: 0.5 }, [gaeTurnsRaw]: { logNoise: 1.5 } }) },
      "holds",
    ],
    ["They do not bend", {}, "holds"],
    [
      "They do not bend",
      {
        teamCredit: teamCredit({
          [`${segments}, one`]: { cosine: 0.7 },
          [`${segments}, not whitened, one`]: { cosine: 0.7 },
        }),
      },
      "holds if values = one for each level of {one, one for each level}",
    ],
    [
      "They do not bend",
      { teamCredit: teamCredit({ [segments]: { cosine: 0.8 }, [gaeTokens]: { cosine: 0.7 } }) },
      "holds if compared with = GAE over turns, not whitened or GAE over tokens of {GAE over turns; GAE over turns, not whitened; GAE over tokens}",
    ],
    ["Without step credit", {}, none],
    [
      "Without step credit",
      { calculator: calculator(0.6) },
      "holds if world = Calculator of {LookUp, Calculator}",
    ],
    ["Memory decides", {}, "holds"],
    [
      "Memory decides",
      { skillRuns: skillRuns({ "memory: TMaze": [1, 1] }) },
      "holds if world = KeyDoor of {KeyDoor, TMaze}",
    ],
    ["So do tools", {}, "holds"],
    [
      "So do tools",
      { skillRuns: skillRuns({ "planning: now or later": [1, 1] }) },
      "holds if skill = tool or action of {tool, planning, action}",
    ],
    ["Without the mask training", {}, "refuted"],
    ["Without the mask training", { retrieved: retrieved({ success: 0.2 }, { success: 0.2 }) }, "holds"],
    ["Masking retrieved", {}, none],
    // A gain of four hundredths is one that nobody would look for.
    [
      "Masking retrieved",
      { retrieved: retrieved({ average: 0.86 }, { average: 0.86, success: 0.943 }) },
      none,
    ],
    [
      "Masking retrieved",
      { retrieved: retrieved({}, { average: 0.7, success: 0.8 }) },
      "holds if answers = eight words of {bare, eight words}",
    ],
    ["Without the mask the policy", {}, none],
    [
      "Without the mask the policy",
      { retrieved: retrieved({}, { forged: 0.2 }) },
      "holds if answers = eight words of {bare, eight words}",
    ],
    ["Stored runs", {}, "holds"],
    ["Stored runs", { again: { ...base.again, team: { equal: 1, of: 3 } } }, "refuted"],
  ]);
});
