import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { samplerTitle, type SamplerRun } from "./samplerRun";
import { samplerArms, samplerStudy, studyRuns } from "./samplerStudy";

/** Chart of how GRPO ends on a sampler of three bits, with its clip and with either change, next to no rounding. */
export function drawClip(runs: readonly SamplerRun[]): Chart {
  const arms = samplerArms.filter((arm) => arm !== "fourBits");
  const rows = arms.map((arm) => {
    const ends = studyRuns(runs, arm).map(({ final }) => final);
    return { arm, label: samplerTitle(samplerStudy.arms[arm]), runs: ends, ...bootstrapInterval(ends) };
  });
  const [, clipped, open] = rows.map(({ mean: end }) => end.toFixed(2));
  return estimateChart(
    rows.map(({ arm: _, ...row }) => row),
    {
      title: `Three bits: ${clipped!} with the clip, ${open!} with the clip wide open`,
      subtitle: `GRPO, skill 0.3, ${rows[0]!.runs.length} seeds each; success of the model with its exact weights`,
      xTitle: "success after 300 updates",
      domain: [0, 1],
    },
  );
}
