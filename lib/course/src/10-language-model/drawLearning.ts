import type { MetricName } from "turnwise/internal/base/glossary";
import { mean } from "turnwise/internal/base/statistics";
import { anatomyChart } from "turnwise/internal/plot/anatomyChart";
import type { Chart } from "turnwise/internal/plot/chart";
import type { TrainRecord } from "turnwise/internal/train/index";

/** So many updates at either end are averaged for the title. */
const WINDOW = 10;

/** Chart to watch while a model is trained: success, entropy and the length of its episodes. */
export function drawLearning(records: readonly TrainRecord[]): Chart {
  const of = (name: MetricName): (number | undefined)[] => records.map(({ metrics }) => metrics[name]);
  const span = (name: MetricName, digits: number): string => {
    const values = of(name).filter((value) => value !== undefined);
    const ends = [values.slice(0, WINDOW), values.slice(-WINDOW)];
    return ends.map((some) => (some.length === 0 ? "?" : mean(some).toFixed(digits))).join(" to ");
  };
  const told = [
    `Success ${span("success/mean", 2)}`,
    `entropy ${span("policy/entropy", 2)}`,
    `tokens ${span("tokens/mean", 0)}`,
  ];
  return anatomyChart(
    [
      { title: "success", values: of("success/mean"), domain: [0, 1] },
      { title: "entropy", values: of("policy/entropy") },
      { title: "tokens", values: of("tokens/mean") },
    ],
    { title: told.join(", ") },
  );
}
