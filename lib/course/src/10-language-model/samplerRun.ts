import { formatCsv, parseCsv } from "turnwise/internal/base/csv";
import { mean } from "turnwise/internal/base/statistics";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import { languageRecipe, languageStart, languageWorld } from "./languageRun";
import { mismatch, played, type Mismatch } from "./played";
import { roundedSampler } from "./roundedSampler";

/** Change in the rule, since its sampler cannot be changed. */
export type SamplerRemedy = "none" | "open" | "recomputed";

/** One small language model that is trained on what a rounded copy of it samples. */
export interface SamplerJob {
  /** Significant bits of the sampler's weights. */
  readonly bits: number;
  readonly remedy: SamplerRemedy;
  readonly seed: number;
  /** Default 300. */
  readonly updates?: number;
}

/** Its success at the end, and how far sampler and trainer were apart while it learned. */
export interface SamplerRun extends Required<SamplerJob>, Mismatch {
  readonly final: number;
  /** `outside` before the first update, where the rules that are compared share one model. */
  readonly outsideAtStart: number;
}

/** Updates from one look at the mismatch to the next. */
const between = 30;

/** GRPO as in lesson 10, with the clip wide open, or with old log-probs that the trainer computes again, as verl does. */
export function samplerRecipe(remedy: SamplerRemedy): Recipe {
  const { update } = languageRecipe({ rule: "grpo" });
  if (remedy === "open") return recipe("grpo", { update, gate: { clipLow: 0.999, clipHigh: 1000 } });
  if (remedy === "recomputed") return recipe("grpo", { update, order: { oldLogProb: "recomputed" } });
  return recipe("grpo", { update });
}

/** Imitates and trains one model, and looks at the mismatch every thirty updates, on episodes that training never sees. */
export async function samplerRun({ bits, remedy, seed, updates = 300 }: SamplerJob): Promise<SamplerRun> {
  const env = languageWorld("calculator");
  const trained = await languageStart(env, { skill: 0.3, seed });
  const policy = roundedSampler(trained, bits);
  const { outside: outsideAtStart } = mismatch(env, policy, { episodes: 100, seed: 0 });
  const looks: Mismatch[] = [];
  for await (const { update } of train({ env, policy, recipe: samplerRecipe(remedy), updates, seed }))
    if (update % between === 0) looks.push(mismatch(env, policy, { episodes: 100, seed: update }));
  return {
    ...{ bits, remedy, seed, updates },
    final: played(env, trained, { seed }).success,
    outsideAtStart,
    mean: mean(looks.map((look) => look.mean)),
    least: Math.min(...looks.map(({ least }) => least)),
    largest: Math.max(...looks.map(({ largest }) => largest)),
    outside: mean(looks.map(({ outside }) => outside)),
  };
}

const numbers = [
  ...["bits", "seed", "updates", "final", "outsideAtStart"],
  ...["mean", "least", "largest", "outside"],
] as const;

/** The text of `language-sampler.csv`: a row for each run, to six digits. */
export function samplerRunsToCsv(runs: readonly SamplerRun[]): string {
  return formatCsv(
    ["remedy", ...numbers],
    runs.map((run) => ({
      remedy: run.remedy,
      ...Object.fromEntries(numbers.map((name) => [name, Number(run[name].toPrecision(6))])),
    })),
  );
}

/** The runs of `language-sampler.csv`. */
export function storedSamplerRuns(csv: string): readonly SamplerRun[] {
  return parseCsv("a stored table of samplers", csv).map((row) => ({
    ...(Object.fromEntries(numbers.map((name) => [name, Number(row[name])])) as unknown as Omit<
      SamplerRun,
      "remedy"
    >),
    remedy: row["remedy"] as SamplerRemedy,
  }));
}

const titles: Readonly<Record<SamplerRemedy, string>> = {
  none: "",
  open: ", clip wide open",
  recomputed: ", old log-probs recomputed",
};

/** Title of a setting in tables and charts. */
export const samplerTitle = ({ bits, remedy }: Pick<SamplerJob, "bits" | "remedy">): string =>
  `${bits} bits${titles[remedy]}`;
