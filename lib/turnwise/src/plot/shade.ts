import { seriesColors } from "./palette";

/** Above this opacity, letters in the color of the page's text would be hard to read in one of the themes. */
const strongest = 0.7;

/**
 * Encoding of a value as a shade: blue above 0 and orange below, the stronger the farther from 0.
 *
 * The page shows through weak shades, and letters keep the color of its text: so a chart suits light and dark pages.
 *
 * @param most the value at which the shade is strongest
 */
export const shadeOf = (field: string, most: number): Readonly<Record<string, unknown>> => ({
  color: {
    condition: { test: `datum[${JSON.stringify(field)}] < 0`, value: seriesColors[1] },
    value: seriesColors[0],
  },
  fillOpacity: {
    field,
    type: "quantitative",
    scale: { domain: [-most, 0, most], range: [strongest, 0, strongest], clamp: true },
    legend: null,
  },
});
