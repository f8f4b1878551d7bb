import { adapter } from "./contract.js";
import { isPlain, stored } from "./traits.js";

type Trace = Readonly<Record<string, unknown>>;

interface Figure {
  data: readonly Trace[];
  layout: Readonly<Record<string, unknown>>;
}

const parts = new Set(["data", "layout", "config", "frames"]);
/** A trace without a type is a scatter plot of these. */
const coordinates = ["x", "y", "z", "r", "theta", "values", "labels", "lat", "lon", "locations"];

export const plotly = adapter<Figure>({
  shows:
    "figures of Plotly: plain objects with `data` (a list of traces), `layout`, and perhaps `config` and `frames`",
  types: ["application/vnd.plotly.v1+json"],
  fits(value): value is Figure {
    if (!isPlain(value)) return false;
    const data = stored(value, "data");
    // Asked first, as an object may have millions of keys.
    if (!Array.isArray(data) || !isPlain(stored(value, "layout"))) return false;
    return Object.keys(value).every((name) => parts.has(name)) && data.every(isTrace);
  },
  bundle(figure) {
    const kinds = [...new Set(figure.data.map(({ type }) => (typeof type === "string" ? type : "scatter")))];
    const title = titleOf(figure.layout);
    const count = `${figure.data.length} trace${figure.data.length === 1 ? "" : "s"}`;
    const what = `${title === undefined ? "" : ` ${JSON.stringify(title)}`}: ${count}`;
    return {
      "application/vnd.plotly.v1+json": numbers(figure),
      "text/plain": `<Plotly figure${what}${kinds.length > 0 ? ` (${kinds.join(", ")})` : ""}>`,
    };
  },
});

function isTrace(value: unknown): boolean {
  if (!isPlain(value)) return false;
  const isList = (name: string): boolean => {
    const list = stored(value, name);
    return Array.isArray(list) || ArrayBuffer.isView(list);
  };
  return typeof stored(value, "type") === "string" || coordinates.some(isList);
}

function titleOf(layout: Readonly<Record<string, unknown>>): string | undefined {
  const { title } = layout as { title?: unknown };
  const text = isPlain(title) ? title.text : title;
  return typeof text === "string" ? text : undefined;
}

/** The figure as JSON can hold it: arrays instead of typed ones, and numbers instead of big integers. */
function numbers(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value)) {
    if (value instanceof DataView) return value;
    return Array.from(value as unknown as ArrayLike<number | bigint>, Number);
  }
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    return list.some((one) => typeof one === "object" || typeof one === "bigint") ? list.map(numbers) : list;
  }
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, numbers(one)]));
}
