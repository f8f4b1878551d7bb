import { Chart, vegaLiteSchema } from "./chart";
import { largeLetters } from "./large";

export interface PhaseArrow {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  /** Change of the return; the arrow is orange and dashed where it falls. */
  readonly gain: number;
}

export interface PhaseChartOptions {
  readonly title: string;
  readonly subtitle?: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** The return over the square, drawn under the arrows. */
  readonly surface?: readonly { readonly x: number; readonly y: number; readonly J: number }[];
  readonly size?: number;
}

/**
 * Arrows that show where a rule moves two probabilities, over the return as grey ground.
 *
 * Arrows are scaled together, so that the longest nearly reaches the next grid point. Falls of the return are told by
 * colour and by dash.
 *
 * @throws RangeError when there is no arrow
 */
export function phaseChart(field: readonly PhaseArrow[], options: PhaseChartOptions): Chart {
  if (field.length === 0) {
    throw new RangeError("Cannot draw a phase portrait as there must be an arrow: current length is 0");
  }
  const { title, subtitle, xTitle, yTitle, surface = [], size = 380 } = options;
  const xs = [...new Set(field.map((arrow) => arrow.x))].sort((a, b) => a - b);
  const gap = xs.length > 1 ? xs[1]! - xs[0]! : 1;
  const longest = Math.max(...field.map(({ dx, dy }) => Math.hypot(dx, dy)), Number.MIN_VALUE);
  const zoom = (0.85 * gap) / longest;
  const arrows = field.map(({ x, y, dx, dy, gain }) => ({
    x,
    y,
    x2: x + dx * zoom,
    y2: y + dy * zoom,
    // Vega measures the angle of a mark clockwise from up, in degrees.
    angle: (Math.atan2(dx, dy) * 180) / Math.PI,
    change: gain < -1e-12 ? "return falls" : "return rises or stays",
  }));
  const falls = arrows.filter((arrow) => arrow.change === "return falls").length;
  const description = `${title}: ${arrows.length} arrows over ${xTitle} and ${yTitle}; the return falls at ${falls} of them.`;
  const axis = (field_: string, text: string): object => ({
    field: field_,
    type: "quantitative",
    title: text,
    scale: { domain: [0, 1], nice: false },
  });
  const change = {
    field: "change",
    type: "nominal",
    title: null,
    scale: { domain: ["return rises or stays", "return falls"], range: ["#0072B2", "#D55E00"] },
    legend: { orient: "bottom" },
  };
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: subtitle === undefined ? title : { text: title, subtitle },
      width: size,
      height: size,
      layer: [
        ...(surface.length > 0 ? [ground(surface)] : []),
        ...arrowLayers(arrows, axis, change, xTitle, yTitle),
      ],
      resolve: { scale: { color: "independent" } },
      config: largeLetters,
    },
    description,
  );
}

function ground(surface: readonly { x: number; y: number; J: number }[]): object {
  const half = 0.5 / Math.sqrt(surface.length);
  const values = surface.map(({ x, y, J }) => ({ x: x - half, x2: x + half, y: y - half, y2: y + half, J }));
  const legend = { title: "J", orient: "right", format: ".2f" };
  return {
    data: { values },
    mark: { type: "rect", opacity: 0.6 },
    encoding: {
      x: { field: "x", type: "quantitative" },
      x2: { field: "x2" },
      y: { field: "y", type: "quantitative" },
      y2: { field: "y2" },
      color: { field: "J", type: "quantitative", scale: { scheme: "greys" }, legend },
    },
  };
}

function arrowLayers(
  values: readonly object[],
  axis: (field: string, text: string) => object,
  change: object,
  xTitle: string,
  yTitle: string,
): object[] {
  const strokeDash = {
    field: "change",
    type: "nominal",
    scale: {
      domain: ["return rises or stays", "return falls"],
      range: [
        [1, 0],
        [4, 3],
      ],
    },
    legend: null,
  };
  return [
    {
      data: { values },
      mark: { type: "rule", strokeWidth: 2 },
      encoding: {
        x: axis("x", xTitle),
        y: axis("y", yTitle),
        x2: { field: "x2" },
        y2: { field: "y2" },
        color: change,
        strokeDash,
      },
    },
    {
      data: { values },
      mark: { type: "point", shape: "triangle", filled: true, size: 60, opacity: 1 },
      encoding: {
        x: axis("x2", xTitle),
        y: axis("y2", yTitle),
        angle: { field: "angle", type: "quantitative", scale: null },
        color: { ...change, legend: null },
      },
    },
  ];
}
