import { bootstrapInterval } from "turnwise/internal/base/interval";
import { mean } from "turnwise/internal/base/statistics";
import { Chart, vegaLiteSchema } from "turnwise/internal/plot/chart";
import { largeLetters } from "turnwise/internal/plot/large";
import { lineChart } from "turnwise/internal/plot/lineChart";
import { numbers } from "../shared/samples";
import type { StoredRecord } from "../shared/storedTable";

const series = { with: "with the step reward", without: "outcome alone" } as const;

/**
 * Success at the end of training over how well the policy could read a result before it: rows of
 * `datasets/measured/step-reading.csv`, a panel for each arm.
 *
 * @throws {RangeError} if there is no row of an arm
 */
export function drawReading(
  reading: readonly StoredRecord[],
  arms: readonly string[] = ["information gain"],
): Chart {
  const panels = arms.map((arm) => {
    const own = reading.filter((row) => row["arm"] === arm);
    const levels = [...new Set(numbers(own, "reading"))].sort((a, b) => a - b);
    const at = (paid: string, level: number): number[] =>
      numbers(
        own.filter((row) => row["paid"] === paid && row["reading"] === level),
        "score",
      );
    const lines = Object.fromEntries(
      Object.entries(series).map(([paid, name]) => [
        name,
        levels.map((x) => {
          const { mean: y, low, high } = bootstrapInterval(at(paid, x));
          return { x, y, low, high };
        }),
      ]),
    );
    return lineChart(lines, {
      title: arm,
      xTitle: "how much likelier the result's answer is at the start, in nats",
      yTitle: "success at the end",
      height: arms.length > 1 ? 150 : 240,
      width: 440,
      // The dots of the first level stand left of it.
      xDomain: [-0.15, Math.max(...levels)],
      dots: Object.entries(series).flatMap(([paid, name]) =>
        levels.flatMap((x) => at(paid, x).map((y) => ({ series: name, x, y }))),
      ),
    });
  });
  const most = arms.map((arm) => {
    const own = reading.filter((row) => row["arm"] === arm);
    const at = (paid: string, level: number): number =>
      mean(
        numbers(
          own.filter((row) => row["paid"] === paid && row["reading"] === level),
          "score",
        ),
      );
    const gains = [...new Set(numbers(own, "reading"))].map((x) => at("with", x) - at("without", x));
    return `${arm} ${Math.max(...gains).toFixed(2)}`;
  });
  const description = panels.map(({ summary }) => summary).join(" ");
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: {
        text: `The most gained over the outcome: ${most.join(", ")}`,
        subtitle: "LookUp-v0, a blind answer is right in one of four; dots: 40 seeds; band: 95 % interval",
      },
      vconcat: panels.map(({ spec }) => {
        const { $schema: _, config: __, ...panel } = spec;
        return panel;
      }),
      config: largeLetters,
    },
    description,
  );
}
