import { renderSvg, neutralColor, seriesColors, seriesDashes } from "turnwise/plot";

export interface GrowthPoint {
  readonly axis: string;
  readonly kind: string;
  readonly x: number;
  readonly ms: number;
}

/** One panel for each axis, both axes logarithmic; a gray line is time in proportion. */
export function growthFigure(points: readonly GrowthPoint[], rounds: number): Promise<string> {
  const kinds = [...new Set(points.map(({ kind }) => kind))];
  const axes = [...new Set(points.map(({ axis }) => axis))];
  const log = { type: "log", nice: false };
  const panel = (axis: string): object => {
    const own = points.filter((point) => point.axis === axis);
    const [low, high] = [Math.min(...own.map(({ x }) => x)), Math.max(...own.map(({ x }) => x))];
    const sizes = [...new Set(own.map(({ x }) => x))];
    const bottom = Math.min(...own.map(({ ms }) => ms));
    const proportional = [low, high].map((x) => ({ x, ms: (bottom * x) / low }));
    const y = { field: "ms", type: "quantitative", scale: log, title: "median of an update, ms" };
    const x = {
      field: "x",
      type: "quantitative",
      scale: log,
      title: axis,
      // Doubled sizes name themselves; the numbers of parameters are too odd for that.
      axis: sizes.length > 6 ? { format: "~s", tickCount: 4 } : { values: sizes },
    };
    const kind = { field: "kind", type: "nominal", title: "policy" };
    return {
      width: 260,
      height: 200,
      layer: [
        {
          data: { values: proportional },
          mark: { type: "line", color: neutralColor, strokeWidth: 1 },
          encoding: { x, y },
        },
        {
          data: { values: own },
          mark: { type: "line", point: true },
          encoding: {
            ...{ x, y },
            color: { ...kind, scale: { domain: kinds, range: seriesColors.slice(0, kinds.length) } },
            strokeDash: { ...kind, scale: { domain: kinds, range: seriesDashes.slice(0, kinds.length) } },
          },
        },
      ],
    };
  };
  return renderSvg({
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    background: "white",
    title: `Processor time of one full update, fused policies, ${rounds} rounds (gray: in proportion)`,
    description:
      `Median processor time of a full update against ${axes.join(", ")}, for ${kinds.join(", ")}; both axes logarithmic. ` +
      points.map(({ axis, kind, x, ms }) => `${kind} at ${axis} ${x}: ${ms.toPrecision(3)} ms`).join("; "),
    columns: 2,
    concat: axes.map(panel),
  });
}
