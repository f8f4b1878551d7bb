import { createPolicy, imitate, make, recipe, train, type Observation } from "turnwise";
import { setting, world } from "./setting.js";

/** An update of our own run, as a line of own.jsonl. */
export interface OwnLine {
  readonly seed: number;
  readonly update: number;
  readonly metrics: Readonly<Record<string, number>>;
}

const kept = ["reward/mean", "reward/fracZeroStd", "policy/entropy"];

/** The row of TRL's trainer: GRPO, one step on each batch, with TRL's epsilon and its largest gradient. */
export const row = recipe("grpo", {
  scale: { epsilon: setting.deviationEpsilon },
  regularizer: { entropyCoef: setting.entropyCoef },
  update: {
    epochs: 1,
    minibatches: 1,
    optimizer: { kind: "adam", learningRate: setting.learningRate, maxGradNorm: setting.maxGradNorm },
  },
});

/** The number that the world has just said, if it is one: a question that lists all of them says none. */
function saidNumber({ text }: Observation): string | undefined {
  const numbers = text.match(/\d+/g) ?? [];
  return numbers.length === 1 ? numbers[0] : undefined;
}

/** Our run of the same row: a transformer of our own that was taught the form of a call in the same way. */
export async function ownRun(seed: number): Promise<OwnLine[]> {
  const { taught, updates, groups, groupSize, width, layers, heads } = setting;
  const env = make(world);
  const { vocabulary, syntax } = env.spec;
  const policy = createPolicy(env.spec, { kind: "transformer", width, layers, heads, compute: "wasm", seed });
  await imitate(env, policy, {
    teacher: ({ observations }, rng) => {
      const turn = syntax!.map((words) => words[Math.floor(rng.next() * words.length)]!);
      const said = saidNumber(observations.at(-1)!);
      if (said !== undefined && rng.next() < taught.quote) turn[turn.length - 1] = vocabulary.indexOf(said);
      return turn;
    },
    episodes: taught.episodes,
    steps: taught.steps,
    turnsPerStep: taught.episodesPerStep,
    optimizer: { kind: "adam", learningRate: taught.learningRate },
    seed,
  });
  const lines: OwnLine[] = [];
  for await (const { update, metrics } of train({
    env,
    recipe: row,
    policy,
    groups,
    groupSize,
    updates,
    seed,
  })) {
    const told = kept.flatMap((name) => {
      const value = (metrics as Readonly<Record<string, number | undefined>>)[name];
      return value === undefined ? [] : [[name, Number(value.toPrecision(6))] as const];
    });
    lines.push({ seed, update, metrics: Object.fromEntries(told) });
  }
  return lines;
}
