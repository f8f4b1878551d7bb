import { exp } from "../base/elementary/exp";
import { log } from "../base/elementary/log";
import { Chart, vegaLiteSchema } from "./chart";
import { largeLetters } from "./large";
import { seriesColors } from "./palette";

/** Titles and bins of a histogram of ratios. */
export interface RatioHistogramOptions {
  readonly title?: string;
  readonly subtitle?: string;
  /** Radii of the clip; bars beyond them differ in color and have an outline. */
  readonly clipLow?: number;
  readonly clipHigh?: number;
  /** Number of bars. Default 40. */
  readonly bins?: number;
}

interface Bar {
  readonly from: number;
  readonly to: number;
  /** Start of the bar; a bar that a clip bound divides is drawn in two parts. */
  readonly below: number;
  readonly count: number;
  readonly place: "inside" | "beyond the clip";
}

/**
 * The distribution of the tokens' probability ratios on a logarithmic axis, where 1/2 is as far from 1 as 2.
 *
 * Bars have equal width in log-ratio; one that a clip bound divides is drawn in two parts. Ratios with mask 0 do not count.
 *
 * @throws {TypeError} if the lengths differ
 * @throws {RangeError} if no ratio is active, or one is not above 0
 */
export function ratioHistogram(
  ratio_ntl: ArrayLike<number>,
  mask_ntl: ArrayLike<number>,
  { title = "Probability ratios", subtitle, clipLow, clipHigh, bins = 40 }: RatioHistogramOptions = {},
): Chart {
  if (ratio_ntl.length !== mask_ntl.length) {
    throw new TypeError(
      `Cannot draw ratios: there must be one mask for each, got ${ratio_ntl.length} ratios and ${mask_ntl.length} masks.`,
    );
  }
  const ratios = Array.from(ratio_ntl).filter((_, i) => mask_ntl[i] === 1);
  if (ratios.length === 0) throw new RangeError("Cannot draw ratios: one must be active.");
  const wrong = ratios.find((ratio) => !(ratio > 0 && ratio < Infinity));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot draw ratios: each must be finite and above 0, got ${wrong}.`);
  }
  const low = clipLow === undefined ? undefined : 1 - clipLow;
  const high = clipHigh === undefined ? undefined : 1 + clipHigh;
  const edges = edgesOf(ratios, bins);
  const isBeyond = (ratio: number): boolean =>
    (low !== undefined && ratio < low) || (high !== undefined && ratio > high);
  const bars = edges.slice(1).flatMap((to, k): Bar[] => {
    const from = edges[k]!;
    const last = k === edges.length - 2;
    const held = ratios.filter((ratio) => ratio >= from && (ratio < to || last));
    const inside = held.filter((ratio) => !isBeyond(ratio)).length;
    const both: Bar[] = [
      { from, to, below: 0, count: inside, place: "inside" },
      { from, to, below: inside, count: held.length, place: "beyond the clip" },
    ];
    return both.filter(({ below, count }) => count > below);
  });
  const outside = ratios.filter(isBeyond).length;
  const share = `${((100 * outside) / ratios.length).toFixed(1)} % of ${ratios.length} tokens`;
  const description =
    `${title}. Ratios from ${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}` +
    (low === undefined && high === undefined ? `, ${ratios.length} tokens.` : `; ${share} beyond the clip.`);
  const clipped = low !== undefined || high !== undefined;
  const lines = [low, high].flatMap((at) => (at === undefined ? [] : [{ at }]));
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: {
        text: title,
        subtitle: subtitle ?? (clipped ? `${share} beyond the clip` : `${ratios.length} tokens`),
      },
      width: 460,
      height: 220,
      layer: [
        {
          data: { values: bars },
          mark: { type: "rect", stroke: "#808080" },
          encoding: {
            x: {
              field: "from",
              type: "quantitative",
              title: "ratio of new to old probability (log scale)",
              scale: { type: "log", domain: [edges[0]!, edges.at(-1)!], nice: false },
              axis: { values: ticksWithin(edges[0]!, edges.at(-1)!), format: "~g", grid: false },
            },
            x2: { field: "to" },
            y: { field: "count", type: "quantitative", title: "tokens", scale: { zero: true } },
            y2: { field: "below" },
            color: {
              field: "place",
              type: "nominal",
              title: null,
              scale: { domain: ["inside", "beyond the clip"], range: [seriesColors[0], seriesColors[1]] },
            },
            strokeWidth: { condition: { test: "datum.place !== 'inside'", value: 2 }, value: 0.5 },
          },
        },
        ...(lines.length === 0
          ? []
          : [
              {
                data: { values: lines },
                mark: { type: "rule", strokeDash: [6, 3], color: "#808080" },
                encoding: { x: { field: "at", type: "quantitative" } },
              },
            ]),
      ],
      config: largeLetters,
    },
    description,
  );
}

/** The edges of bars of equal width in log-ratio, symmetric around 1. */
function edgesOf(ratios: readonly number[], bins: number): number[] {
  const far = Math.max(...ratios.map((ratio) => Math.abs(log(ratio))), 0.1) * 1.02;
  return Array.from({ length: bins + 1 }, (_, k) => exp(-far + (2 * far * k) / bins));
}

/** Round ratios on both sides of 1, few of which a logarithmic axis would mark by itself. */
function ticksWithin(low: number, high: number): number[] {
  const wide = high > 4;
  const steps = wide ? [2, 5, 10, 100, 1e3, 1e4, 1e6, 1e8] : [1.1, 1.25, 1.5, 2, 3];
  return [...steps.map((x) => Number((1 / x).toPrecision(2))).reverse(), 1, ...steps].filter(
    (x) => x >= low && x <= high,
  );
}
