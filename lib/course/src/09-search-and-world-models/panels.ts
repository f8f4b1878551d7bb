import { Chart, vegaLiteSchema } from "turnwise/internal/plot/chart";
import { largeLetters } from "turnwise/internal/plot/large";

/** Charts below or beside each other as one, under a title. */
export function panels(
  charts: readonly Chart[],
  {
    title,
    subtitle,
    beside = false,
  }: { readonly title: string; readonly subtitle: string; readonly beside?: boolean },
): Chart {
  const description = `${title}. ${charts.map(({ summary }) => summary).join(" ")}`;
  const own = charts.map(({ spec }) => {
    const { $schema: _, config: __, ...panel } = spec;
    return panel;
  });
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: { text: title, subtitle },
      ...(beside ? { hconcat: own } : { vconcat: own }),
      config: largeLetters,
    },
    description,
  );
}
