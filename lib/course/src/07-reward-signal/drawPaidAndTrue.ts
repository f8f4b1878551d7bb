import { mean } from "turnwise/internal/base/statistics";
import { Chart, vegaLiteSchema } from "turnwise/internal/plot/chart";
import { largeLetters } from "turnwise/internal/plot/large";
import { neutralColor, seriesColors } from "turnwise/internal/plot/palette";
import { measured } from "../shared/measured";
import { storedTable, type StoredRecord } from "../shared/storedTable";
import { numbers } from "../shared/samples";

/** Reward of each agent in the end, and its true score. */
export interface PaidAndTrue {
  readonly reward: string;
  readonly paid: number;
  readonly score: number;
}

/** Which runs of which table stand for a reward. */
const sources: Readonly<Record<string, readonly [table: string, where: StoredRecord]>> = {
  "outcome, a tool to be found": ["reward-calculator", { reward: "outcome", credit: "trajectory" }],
  "checklist that reads the state": ["reward-calculator", { reward: "checklist", credit: "reward" }],
  "verifier that never errs": ["verifier", { verifier: "never errs", update: 200 }],
  "verifier that errs at random": ["verifier", { verifier: "errs at random", update: 200 }],
  "verifier that always accepts 2": ["verifier", { verifier: "always accepts 2", update: 200 }],
  "proxy that counts calls": ["goodhart", { arm: "proxy", update: 400 }],
};

/** Means over all seeds of the stored runs, at the end of training. */
export function paidAndTrue(): PaidAndTrue[] {
  return Object.entries(sources).map(([reward, [table, where]]) => {
    const rows = storedTable(measured(table)).filter((row) =>
      Object.entries(where).every(([name, value]) => row[name] === value),
    );
    return { reward, paid: mean(numbers(rows, "paid")), score: mean(numbers(rows, "score")) };
  });
}

/** A rule climbs whatever it is paid for: the slide to take along from the lesson on the reward signal. */
export function drawPaidAndTrue(rows: readonly PaidAndTrue[] = paidAndTrue()): Chart {
  const rewards = rows.map(({ reward }) => reward);
  const kinds = ["what is paid", "what is true"];
  const points = rows.flatMap(({ reward, paid, score }) => [
    { reward, kind: kinds[0], value: paid },
    { reward, kind: kinds[1], value: score },
  ]);
  const told = rows.map(
    ({ reward, paid, score }) => `${reward}: paid ${paid.toFixed(2)}, true ${score.toFixed(2)}`,
  );
  const description = `A rule climbs whatever it is paid for. At the end of training, ${told.join("; ")}.`;
  const y = { field: "reward", type: "ordinal", title: null, sort: rewards };
  const x = (field: string): object => ({
    field,
    type: "quantitative",
    title: "at the end of training, mean over 40 seeds",
    scale: { domain: [0, 1.02] },
    axis: { values: [0, 0.25, 0.5, 0.75, 1], format: ".2f" },
  });
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: {
        text: "A rule climbs whatever it is paid for",
        subtitle: "where the pay is to the right of the true score, the rule earned it without the task",
      },
      width: 420,
      height: { step: 44 },
      layer: [
        {
          data: { values: rows },
          mark: { type: "rule", strokeWidth: 4, color: neutralColor, opacity: 0.5 },
          encoding: { x: x("paid"), x2: { field: "score" }, y },
        },
        {
          data: { values: points },
          mark: { type: "point", filled: true, size: 260, opacity: 1 },
          encoding: {
            x: x("value"),
            y,
            color: {
              field: "kind",
              type: "nominal",
              title: null,
              scale: { domain: kinds, range: [seriesColors[1], seriesColors[0]] },
              legend: { orient: "bottom", symbolSize: 200 },
            },
            shape: {
              field: "kind",
              type: "nominal",
              title: null,
              scale: { domain: kinds, range: ["diamond", "circle"] },
            },
          },
        },
      ],
      config: largeLetters,
    },
    description,
  );
}
