import { inspect } from "node:util";
import type { MimeBundle } from "../../protocol/message.js";
import { htmlTable } from "../html.js";
import { adapter } from "./contract.js";
import { hasMethods, stored } from "./traits.js";

/** The shape of a TensorFlow.js tensor; the library itself is not loaded. */
interface TensorLike {
  shape: number[];
  dtype: string;
  isDisposed?: boolean;
  dataSync(): ArrayLike<number | string>;
  arraySync(): unknown;
}

const shownValues = 1_000;
const largestHeatMap = 32;

export const tensor = adapter<TensorLike>({
  shows: "tensors and variables of TensorFlow.js",
  types: ["text/html"],
  fits: (value): value is TensorLike =>
    Array.isArray(stored(value, "shape")) &&
    typeof stored(value, "dtype") === "string" &&
    hasMethods(value, "dataSync", "arraySync"),
  bundle: tensorBundle,
});

/** Type, shape and values; a small matrix of numbers also as a heat map. */
function tensorBundle(tensor: TensorLike): MimeBundle {
  const title = `Tensor ${tensor.dtype} [${tensor.shape.join(", ")}]`;
  if (tensor.isDisposed) return { "text/plain": `${title} (disposed)` };
  const size = tensor.shape.reduce((product, n) => product * n, 1);
  const values =
    size <= shownValues
      ? inspect(tensor.arraySync(), { depth: 10, maxArrayLength: shownValues, breakLength: 100 })
      : `${inspect(Array.from(tensor.dataSync()).slice(0, 20), { breakLength: 100 })} ... ${size} values`;
  const bundle: MimeBundle = { "text/plain": `${title}\n${values}` };
  const heatMap = matrixHtml(tensor, title);
  if (heatMap !== undefined) bundle["text/html"] = heatMap;
  return bundle;
}

function matrixHtml(tensor: TensorLike, title: string): string | undefined {
  const [rows = 0, columns = 0] = tensor.shape;
  if (tensor.shape.length !== 2 || rows === 0 || columns === 0) return undefined;
  if (rows > largestHeatMap || columns > largestHeatMap || /string|complex/.test(tensor.dtype))
    return undefined;
  const matrix = tensor.arraySync() as number[][];
  const finite = matrix.flat().map(Number).filter(Number.isFinite);
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  const table = htmlTable({
    columns: Array.from({ length: columns }, (_, j) => String(j)),
    labels: Array.from({ length: rows }, (_, i) => String(i)),
    rows: matrix.map((row) => row.map((value) => String(Number(Number(value).toPrecision(4))))),
    color: (i, j) => heatColor((Number(matrix[i]![j]) - low) / (high - low || 1)),
  });
  return `<p>${title}</p>${table}`;
}

/** From white to a mid blue on which black text is still readable; gray for anything that is not a number. */
function heatColor(level: number): string {
  if (!Number.isFinite(level)) return "background:#ddd;color:#000";
  const mix = (from: number, to: number): number => Math.round(from + (to - from) * level);
  return `background:rgb(${mix(255, 107)},${mix(255, 174)},${mix(255, 214)});color:#000`;
}
