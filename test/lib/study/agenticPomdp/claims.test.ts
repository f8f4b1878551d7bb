import { agenticPomdpClaims, type AgenticPomdpResults, type StoredRow } from "turnwise/study";
import { testVerdicts } from "../support";

const seeds = [0, 1, 2];
const views = (oneStep: number): AgenticPomdpResults["views"] => [
  { game: "guessOrLookUp", "one step": oneStep, "turn by turn": 1, "state in sight": 1 },
  { game: "note", "one step": 1, "turn by turn": 1, "state in sight": 1.2 },
];
const choices = (oneStep: number): AgenticPomdpResults["choices"] => [
  { choice: "level of the ratio", "one step": oneStep, "turn by turn": 0.1 },
];
const rulesOfExample = ["RLHF / DPO: the pair 5, 6", "GRPO", "DAPO"];
const critics = ["StepPO", "HiPER, a segment per turn", "verifier of next state"];
/** Equal credit under the first rules, and more for the call under those with a critic or a verifier. */
const example = (change: Readonly<Record<string, number>> = {}): AgenticPomdpResults["example"] => [
  ...rulesOfExample.map((rule) => ({ rule, clock: 0.5, call: change[rule] ?? 0.5, answer: 0.5 })),
  ...critics.map((rule) => ({ rule, clock: 0.2, call: change[rule] ?? 0.5, answer: 0 })),
];

const names = [
  "GRPO, DAPO: whole return, group std",
  "Dr.GRPO: whole return",
  "per turn, rewards from the turn on",
  "StepPO, lambda 1, perfect critic",
  "StepPO, lambda 0, perfect critic",
] as const;
/** Three policies alike: the direction of each rule, and the direction of one batch. */
const quality = (std: number, whole: number, critic: number): StoredRow[] =>
  names.flatMap((rule, i) =>
    seeds.map((seed) => ({
      ...{ seed, rule, correlation: 0.5 },
      direction: i === 0 ? std : i === 1 ? whole : 0.9,
      oneBatch: rule === "StepPO, lambda 0, perfect critic" ? critic : 0.5,
    })),
  );

const arms = {
  "memory: KeyDoor": ["remembers the episode", "sees turn and last observation"],
  "memory: TMaze": ["remembers the episode", "sees turn and last observation"],
  "tool: LookUp": ["the tool tells the truth", "the tool guesses"],
  "planning: now or later": ["credit with what follows", "credit with the turn's own reward"],
  "action: LookUp": ["knows how a call is written", "knows nothing"],
} as const;
/** Three seeds of each skill, alike: 1 with the faculty and .5 without, unless told. */
const skillRuns = (
  change: Partial<Record<keyof typeof arms, readonly [number, number]>> = {},
): AgenticPomdpResults["skillRuns"] =>
  new Map(
    Object.entries(arms).flatMap(([skill, own]) =>
      own.map((arm, i) => {
        const score = (change[skill as keyof typeof arms] ?? [1, 0.5])[i]!;
        return [`${skill}|${arm}`, seeds.map(() => ({ score, malformed: [0.5, 0.1] }))] as const;
      }),
    ),
  );
const calculator: StoredRow[] = ["trajectory", "rewardToGo"].flatMap((credit) =>
  seeds.map((seed) => ({ reward: "outcome", credit, seed, score: 0.25 })),
);

interface Mask {
  readonly average?: number;
  readonly success?: number;
  readonly forged?: number;
}
/** Three seeds alike; without the mask learning is slower by .1 after eight words, unless told. */
const retrieved = (bare: Mask = {}, wordy: Mask = { average: 0.8, forged: 0.1 }): StoredRow[] =>
  (
    [
      [0, bare],
      [8, wordy],
    ] as const
  ).flatMap(([words, change]) =>
    ["masked", "trained"].flatMap((kind) =>
      seeds.map((seed) => ({
        ...{ words, retrieved: kind, seed, average: 0.9, success: 0.95, forged: 0 },
        ...(kind === "trained" && change),
      })),
    ),
  );

const base: AgenticPomdpResults = {
  atHorizon1: { pomdp: 0.1, bandit: 0.1 },
  views: views(0.25),
  choices: choices(0),
  example: example(),
  quality: quality(0.8, 0.9, 0.6),
  calculator,
  skillRuns: skillRuns(),
  retrieved: retrieved(),
  again: { credit: { equal: 1, of: 1 }, masks: { equal: 2, of: 2 } },
};

describe("the claims of the agentic POMDP", () => {
  const contains0 = "not reproduced: the interval contains 0";
  testVerdicts(agenticPomdpClaims, base, [
    ["RLHF is not", {}, "not reproduced: it is exactly the case of one step"],
    ["RLHF is not", { atHorizon1: { pomdp: 0.1, bandit: 0.1001 } }, "holds"],
    ["The single-step view", {}, "holds only if later actions need what earlier ones reveal"],
    ["The single-step view", { views: views(1) }, "not reproduced"],
    ["In one step", {}, "holds"],
    ["In one step", { choices: choices(0.001) }, "not reproduced"],
    ["GRPO pushes", {}, "holds"],
    ["GRPO pushes", { example: example({ GRPO: 0.6 }) }, "not reproduced"],
    ["StepPO and HiPER", {}, "holds only if the critic did not expect the call"],
    ["StepPO and HiPER", { example: example({ StepPO: 0 }) }, "not reproduced"],
    ["A verifier of", {}, "holds"],
    ["A verifier of", { example: example({ "verifier of next state": 0.1 }) }, "not reproduced"],
    [
      "Credit for the whole",
      {},
      "holds only if it is divided by the group's std: without, it is noisy, not wrong",
    ],
    ["Credit for the whole", { quality: quality(0.9, 0.9, 0.6) }, "not reproduced: it is noisy, not wrong"],
    ["Credit for the whole", { quality: quality(0.5, 0.8, 0.6) }, "holds"],
    ["Step-level credit", {}, "holds only if the critic is good: this one is perfect"],
    ["Step-level credit", { quality: quality(0.8, 0.9, 0.5) }, contains0],
    ["Without step credit", {}, "not reproduced: LookUp is learned without it, and Calculator not with it"],
    ["Without step credit", { skillRuns: skillRuns({ "tool: LookUp": [0.9, 0.5] }) }, "holds"],
    ["Memory decides", {}, "holds only if the world keeps no trace of what was seen: in TMaze time does"],
    ["Memory decides", { skillRuns: skillRuns({ "memory: KeyDoor": [1, 1] }) }, contains0],
    ["So do tools", {}, "holds"],
    [
      "So do tools",
      { skillRuns: skillRuns({ "planning: now or later": [1, 1] }) },
      "holds only if the interval excludes 0: not for all three",
    ],
    ["Without the mask training", {}, "not reproduced: it learns"],
    ["Without the mask training", { retrieved: retrieved({}, { success: 0.2 }) }, "holds"],
    ["Masking retrieved", {}, "holds only if answers are long: then learning is slower without it"],
    ["Masking retrieved", { retrieved: retrieved({ average: 0.8 }, { average: 0.8 }) }, "holds"],
    ["Masking retrieved", { retrieved: retrieved({ average: 0.8 }, {}) }, contains0],
    ["Without the mask the policy", {}, "holds"],
    ["Without the mask the policy", { retrieved: retrieved({ forged: 0.1 }, {}) }, contains0],
    ["Stored runs", {}, "holds"],
    [
      "Stored runs",
      { again: { ...base.again, masks: { equal: 1, of: 2 } } },
      "not reproduced: another version of the library?",
    ],
  ]);
});
