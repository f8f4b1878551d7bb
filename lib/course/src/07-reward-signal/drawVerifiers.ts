import { bootstrapInterval } from "turnwise/internal/base/interval";
import { Chart, vegaLiteSchema } from "turnwise/internal/plot/chart";
import { largeLetters } from "turnwise/internal/plot/large";
import { lineChart } from "turnwise/internal/plot/lineChart";
import type { VerifierName } from "./fallibleVerifier";
import type { VerifierRuns } from "./trainOnVerifiers";
import type { VerifierPoint } from "./verifierRun";

const panels = { paid: "what the verifier pays", score: "share of right answers" } as const;

/**
 * Above what each verifier pays, below what is true: lines are means over the seeds, with their intervals.
 *
 * @throws {RangeError} if there is no run
 */
export function drawVerifiers(runs: VerifierRuns): Chart {
  const names = Object.keys(runs) as VerifierName[];
  const seeds = names.length === 0 ? 0 : runs[names[0]!].length;
  const charts = (Object.keys(panels) as (keyof typeof panels)[]).map((column) =>
    lineChart(Object.fromEntries(names.map((name) => [name, curve(runs[name], column)])), {
      title: panels[column],
      xTitle: "update",
      yTitle: panels[column],
      height: 170,
      width: 440,
      dots: names.flatMap((name) => ends(runs[name], name, column)),
    }),
  );
  const ended = names.map((name) => {
    const [paid, score] = (["paid", "score"] as const).map((column) => curve(runs[name], column).at(-1)!.y);
    return { name, paid: paid!, score: score! };
  });
  const hole = ended.reduce((a, b) => (b.paid - b.score > a.paid - a.score ? b : a));
  const description = `Training on the word of a verifier, ${seeds} seeds. ${charts.map(({ summary }) => summary).join(" ")}`;
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: {
        text: `"${hole.name}" pays ${hole.paid.toFixed(2)}, and ${hole.score.toFixed(2)} of the answers are right`,
        subtitle: `LookUp-v0, ${seeds} seeds; band: 95 % interval; dots: where each seed ends`,
      },
      vconcat: charts.map(({ spec }) => {
        const { $schema: _, config: __, title: ___, ...panel } = spec;
        return panel;
      }),
      config: largeLetters,
    },
    description,
  );
}

function curve(
  runs: readonly (readonly VerifierPoint[])[],
  column: "paid" | "score",
): { x: number; y: number; low: number; high: number }[] {
  return (runs[0] ?? []).map(({ update }, i) => {
    const values = runs.map((run) => run[i]![column]);
    const { mean, low, high } = bootstrapInterval(values, { resamples: 400 });
    return { x: update, y: mean, low, high };
  });
}

function ends(
  runs: readonly (readonly VerifierPoint[])[],
  series: string,
  column: "paid" | "score",
): { series: string; x: number; y: number }[] {
  return runs.flatMap((run) => run.slice(-1).map((last) => ({ series, x: last.update, y: last[column] })));
}
