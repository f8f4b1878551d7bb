import { Chart, vegaLiteSchema } from "./chart";
import {
  arrowLayers,
  checkPaths,
  isFall,
  pathLayers,
  shadeOfReturn,
  tellPaths,
  type Axes,
  type PlaneArrow,
  type PlanePoint,
} from "./flow";
import { largeLetters } from "./large";
import { neutralColor } from "./palette";

/** An arrow of `phasePortrait`; it is orange and dashed where the return falls. */
export type PhaseArrow = PlaneArrow;

/** Titles and paths of a phase chart. */
export interface PhaseChartOptions {
  readonly title: string;
  readonly subtitle?: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** The return over the square, drawn under the arrows. */
  readonly surface?: readonly { readonly x: number; readonly y: number; readonly J: number }[];
  /** At most three paths of training, from `phasePath`. */
  readonly paths?: Readonly<Record<string, readonly PlanePoint[]>>;
  readonly size?: number;
}

/**
 * Arrows that show where a rule moves two probabilities, and the paths of training, over the return in gray.
 *
 * An arrow at (x, y) points along (E[x'] - x, E[y'] - y), the exact expected update. Arrows are scaled together so that the
 * longest nearly reaches the next grid point. Color and dash mark falls of the return and tell the paths apart, each of
 * which goes from a circle to a diamond.
 *
 * @throws {RangeError} if there is no arrow, a path has no point, or there are more than three paths
 * @example
 * import { exactRule, exactRun, games, gradientStep, phasePath, phasePortrait, uniformPolicy } from "turnwise/exact";
 * import { phaseChart } from "turnwise/plot";
 * const order = games.order();
 * const rule = exactRule({ step: gradientStep(0.5) });
 * const axes = { x: { infoState: "turn 1", action: "R" }, y: { infoState: "after R", action: "y" } };
 * const run = exactRun(order, uniformPolicy(order), rule, { iterations: 60 });
 * phaseChart(phasePortrait(order, rule, axes), {
 *   title: "Gradient ascent on two turns",
 *   xTitle: "P(R)",
 *   yTitle: "P(y)",
 *   paths: { training: phasePath(order, run.policies, axes) },
 * });
 */
export function phaseChart(field: readonly PhaseArrow[], options: PhaseChartOptions): Chart {
  if (field.length === 0) {
    throw new RangeError("Cannot draw a phase portrait: there must be an arrow, got none.");
  }
  const { title, subtitle, xTitle, yTitle, surface = [], paths = {}, size = 380 } = options;
  checkPaths(paths);
  const xs = [...new Set(field.map((arrow) => arrow.x))].sort((a, b) => a - b);
  const gap = xs.length > 1 ? xs[1]! - xs[0]! : 1;
  const falls = field.filter(({ gain }) => isFall(gain)).length;
  const description =
    `${title}: ${field.length} arrows over ${xTitle} and ${yTitle}; the return falls at ${falls} of them.` +
    tellPaths(paths, ({ x, y }) => `(${x.toFixed(2)}, ${y.toFixed(2)})`);
  const axis = (name: string, text: string): object => ({
    field: name,
    type: "quantitative",
    title: text,
    scale: { domain: [0, 1], nice: false },
    axis: { tickCount: 5 },
  });
  const axes: Axes = { x: (name) => axis(name, xTitle), y: (name) => axis(name, yTitle) };
  const muted = Object.keys(paths).length > 0;
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: subtitle === undefined ? title : { text: title, subtitle },
      width: size,
      height: size,
      layer: [
        ...(surface.length > 0 ? [ground(surface)] : []),
        { layer: arrowLayers(field, axes, { longest: 0.85 * gap, muted }) },
        ...(muted ? [{ layer: pathLayers(paths, axes) }] : []),
      ],
      resolve: { scale: { color: "independent", strokeDash: "independent" } },
      config: largeLetters,
    },
    description,
  );
}

function ground(surface: readonly { x: number; y: number; J: number }[]): object {
  const half = 0.5 / Math.sqrt(surface.length);
  const values = surface.map(({ x, y, J }) => ({ x: x - half, x2: x + half, y: y - half, y2: y + half, J }));
  return {
    data: { values },
    mark: { type: "rect", color: neutralColor },
    encoding: {
      x: { field: "x", type: "quantitative" },
      x2: { field: "x2" },
      y: { field: "y", type: "quantitative" },
      y2: { field: "y2" },
      opacity: shadeOfReturn,
    },
  };
}
