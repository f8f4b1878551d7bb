import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { finalsOf, runsWith } from "../shared/languageRuns/runsOf";
import type { StoredLanguageRun } from "../shared/languageRuns/stored";

const taught = [
  { world: "calculator", skill: 0.2, group: "calculator, skill 0.2" },
  { world: "searchQa", skill: 0.5, group: "search, skill 0.5" },
  { world: "searchQa", skill: 0.8, group: "search, skill 0.8" },
] as const;
/** Success above which a model has learned the tool. */
const LEARNED = 0.75;
const titles = { grpo: "GRPO", seeUpo: "SeeUPO" } as const;

/** Chart of how GRPO ends with the calculator, by how often its demonstrators had handed in the result. */
export function drawHints(runs: readonly StoredLanguageRun[]): Chart {
  const own = runsWith(runs, { world: "calculator", rule: "grpo" });
  const skills = [...new Set(own.map(({ skill }) => skill))].sort((a, b) => a - b);
  const rows = skills.map((skill) => {
    const ends = finalsOf(runsWith(own, { skill }));
    return { label: `skill ${skill}`, runs: ends, ...bootstrapInterval(ends) };
  });
  return estimateChart(rows, {
    title: "What nobody has shown, GRPO does not find",
    subtitle: `${rows[0]?.runs.length ?? 0} seeds each; diamond: mean, bar: 95 % interval, dots: models`,
    xTitle: "success after 300 updates",
    domain: [0, 1],
  });
}

/** Chart of how both rules end with either tool, from the same imitated models. */
export function drawTwoTools(runs: readonly StoredLanguageRun[]): Chart {
  const rows = taught.flatMap(({ group, ...setting }) =>
    (["grpo", "seeUpo"] as const).map((rule) => {
      const ends = finalsOf(runsWith(runs, { ...setting, rule }));
      return { group, label: titles[rule], runs: ends, ...bootstrapInterval(ends) };
    }),
  );
  const half = rows
    .filter(({ group }) => group === taught[1].group)
    .map(({ label, mean }) => `${label} ${mean.toFixed(2)}`);
  return estimateChart(rows, {
    title: `Search from skill 0.5: ${half.join(", ")}`,
    subtitle: "10 seeds each; diamond: mean, bar: 95 % interval, dots: models",
    xTitle: "success after 300 updates",
    domain: [0, 1],
  });
}

/** Chart of how GRPO ends if the sampler's weights are rounded to a number of bits. */
export function drawBits(runs: readonly StoredLanguageRun[]): Chart {
  const names = { 0: "24 bits: no rounding", 8: "8 bits: bfloat16", 4: "4 bits: FP8, E4M3" } as const;
  const other = { 3: "3 bits: FP8, E5M2", 2: "2 bits" } as const;
  const rows = Object.entries({ ...names, ...other })
    .map(([bits, label]) => ({ bits: Number(bits), label: label as string }))
    .sort((a, b) => (b.bits || 24) - (a.bits || 24))
    .map(({ bits, label }) => {
      const ends = finalsOf(runsWith(runs, { world: "calculator", rule: "grpo", skill: 0.3, bits }));
      return { label, runs: ends, ...bootstrapInterval(ends) };
    });
  const learns = rows.filter(({ mean }) => mean > LEARNED);
  return estimateChart(rows, {
    title: `${learns.length} of ${rows.length} samplers teach the tool: ${learns.map(({ label }) => label.split(":")[0]).join(", ")}`,
    subtitle: "GRPO, skill 0.3, 10 seeds each; success of the model with its exact weights",
    xTitle: "success after 300 updates",
    domain: [0, 1],
  });
}
