import type { MetricName } from "turnwise/internal/base/glossary";
import { anatomyChart } from "turnwise/internal/plot/anatomyChart";
import type { Chart } from "turnwise/internal/plot/chart";
import type { TrainRecord } from "turnwise/internal/train/index";

/** Chart to watch while a model is trained: success, entropy and the length of its episodes. */
export function drawLearning(records: readonly TrainRecord[]): Chart {
  const of = (name: MetricName): (number | undefined)[] => records.map(({ metrics }) => metrics[name]);
  return anatomyChart(
    [
      { title: "success", values: of("success/mean"), domain: [0, 1] },
      { title: "entropy", values: of("policy/entropy") },
      { title: "tokens", values: of("tokens/mean") },
    ],
    { title: "One model in training: success, nats per token, tokens per episode" },
  );
}
