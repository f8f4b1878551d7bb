import { Chart, vegaLiteSchema } from "./chart";
import {
  arrowLayers,
  checkPaths,
  isFall,
  pathLayers,
  shadeOfReturn,
  tellPaths,
  type Axes,
  type PlanePoint,
} from "./flow";
import { largeLetters } from "./large";
import { neutralColor } from "./palette";

/** Probabilities of three actions. */
type Simplex = readonly [number, number, number];

/** An arrow of `simplexPortrait`. */
export interface SimplexArrow {
  readonly p: Simplex;
  readonly dp: Simplex;
  readonly gain: number;
}

/** Titles and paths of a simplex chart. */
export interface SimplexChartOptions {
  readonly title: string;
  readonly subtitle?: string;
  /** Names of the three actions, for the left, the right and the upper corner. */
  readonly actions: readonly [string, string, string];
  /** The return over the triangle, from `simplexSurface`, drawn under the arrows. */
  readonly surface?: readonly { readonly corners: readonly Simplex[]; readonly J: number }[];
  /** At most three paths of training, from `simplexPath`. */
  readonly paths?: Readonly<Record<string, readonly { readonly p: Simplex }[]>>;
  readonly size?: number;
}

const height = Math.sqrt(3) / 2;

/** A policy's point in the plane: x = p_2 + p_3 / 2, y = (sqrt 3 / 2) p_3. */
const plane = ([, right, upper]: Simplex): PlanePoint => ({ x: right + upper / 2, y: height * upper });

/**
 * The probabilities of three actions as a triangle, with arrows where a rule moves them and the paths of training.
 *
 * A policy (p_1, p_2, p_3) is drawn at x = p_2 + p_3/2, y = (sqrt(3)/2) p_3: in a corner it always takes one action, in the
 * center all three equally often. An arrow points along the exact expected update E[p'] - p; arrows are scaled together.
 * Color and dash mark falls of the return and tell the paths apart, each of which goes from a circle to a diamond.
 *
 * @throws {RangeError} if there is no arrow, a path has no point, or there are more than three paths
 * @example
 * import { exactRule, exactRun, games, simplexPath, simplexPortrait, uniformPolicy } from "turnwise/exact";
 * import { simplexChart } from "turnwise/plot";
 * const dice = games.dice();
 * const rule = exactRule({ scale: "group", groupSize: 2 });
 * const run = exactRun(dice, uniformPolicy(dice), rule, { iterations: 30 });
 * simplexChart(simplexPortrait(dice, rule, "dice"), {
 *   title: "Three dice",
 *   actions: ["a", "b", "c"],
 *   paths: { training: simplexPath(dice, run.policies, "dice") },
 * });
 */
export function simplexChart(field: readonly SimplexArrow[], options: SimplexChartOptions): Chart {
  if (field.length === 0) {
    throw new RangeError("Cannot draw a simplex: there must be an arrow, got none.");
  }
  const { title, subtitle, actions, surface = [], paths = {}, size = 400 } = options;
  checkPaths(paths);
  const arrows = field.map(({ p, dp, gain }) => {
    const { x: dx, y: dy } = plane(dp);
    return { ...plane(p), dx, dy, gain };
  });
  const falls = field.filter(({ gain }) => isFall(gain)).length;
  const description =
    `${title}: ${field.length} arrows over the policies on ${actions.join(", ")}; the return falls at ${falls} of them.` +
    tellPaths(paths, ({ p }) => `(${p.map((x) => x.toFixed(2)).join(", ")})`);
  // There are n (n + 1) / 2 arrows, 1/n apart.
  const gap = 2 / (Math.sqrt(8 * field.length + 1) - 1);
  const axes: Axes = {
    x: (name) => position(name, [-0.04, 1.04]),
    y: (name) => position(name, [-0.04 * height, 1.04 * height]),
  };
  const drawn = Object.fromEntries(
    Object.entries(paths).map(([name, line]) => [name, line.map(({ p }) => plane(p))]),
  );
  const muted = Object.keys(paths).length > 0;
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: subtitle === undefined ? title : { text: title, subtitle },
      width: size,
      height: size * height,
      view: { stroke: null },
      layer: [
        ...(surface.length > 0 ? [ground(surface, axes)] : []),
        ...frame(actions, axes),
        { layer: arrowLayers(arrows, axes, { longest: 0.85 * gap, muted }) },
        ...(muted ? [{ layer: pathLayers(drawn, axes) }] : []),
      ],
      resolve: { scale: { color: "independent", strokeDash: "independent" } },
      config: largeLetters,
    },
    description,
  );
}

function position(field: string, domain: readonly [number, number]): object {
  return { field, type: "quantitative", axis: null, scale: { domain, nice: false, zero: false } };
}

const corners: readonly Simplex[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** The triangle and the names of its corners, which take the place of axis titles. */
function frame(actions: readonly string[], axes: Axes): object[] {
  const outline = [...corners, corners[0]!].map((p, step) => ({ ...plane(p), step }));
  const label = (k: number, more: object): object => ({
    data: { values: [{ ...plane(corners[k]!), text: `pi(${actions[k]!}) = 1` }] },
    mark: { type: "text", color: neutralColor, fontSize: 14, ...more },
    encoding: { x: axes.x("x"), y: axes.y("y"), text: { field: "text" } },
  });
  return [
    {
      data: { values: outline },
      mark: { type: "line", color: neutralColor, strokeWidth: 1.5 },
      encoding: { x: axes.x("x"), y: axes.y("y"), order: { field: "step", type: "quantitative" } },
    },
    label(0, { align: "center", baseline: "top", dy: 8 }),
    label(1, { align: "center", baseline: "top", dy: 8 }),
    label(2, { align: "center", baseline: "bottom", dy: -8 }),
  ];
}

/** Filled triangles, each of which is a closed line. */
function ground(surface: NonNullable<SimplexChartOptions["surface"]>, axes: Axes): object {
  const values = surface.flatMap(({ corners: three, J }, cell) =>
    three.map((p, step) => ({ ...plane(p), cell, step, J })),
  );
  return {
    data: { values },
    mark: { type: "line", filled: true, strokeWidth: 0, color: neutralColor },
    encoding: {
      x: axes.x("x"),
      y: axes.y("y"),
      order: { field: "step", type: "quantitative" },
      detail: { field: "cell", type: "nominal" },
      opacity: shadeOfReturn,
    },
  };
}
