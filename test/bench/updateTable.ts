import { short, table } from "./peers/statistics.js";
import type { Figure } from "./record.js";

/** Contenders in the order of the columns, and how the head names them. */
const columns = [
  ["fused", "ours 1T"],
  ["fused 2T", "ours 2T"],
  ["WASM 1T", "WASM alone 1T"],
  ["Node 24 1T", "Node 24 1T"],
  ["Node 24 2T", "Node 24 2T"],
  ["torch 1T", "torch 1T"],
  ["torch 2T", "torch 2T"],
  ["torch compiled 1T", "torch compiled 1T"],
  ["JAX jit", "JAX jit"],
] as const;

/** Medians of wall time in ms, one row for each piece of work, and how many times as fast the better of ours is. */
export function updateTable(figures: readonly Figure[]): string {
  const wall = (work: string, contender: string): number | undefined =>
    figures.find((f) => f.work === work && f.contender === contender)?.wall;
  const present = columns.filter(([name]) => figures.some(({ contender }) => contender === name));
  const against = ["torch 1T", "torch 2T", "torch compiled 1T", "JAX jit"].filter((name) =>
    present.some(([there]) => there === name),
  );
  const rows = [...new Set(figures.map(({ work }) => work))].map((work) => {
    const ours = Math.min(...["fused", "fused 2T"].map((name) => wall(work, name) ?? Infinity));
    const times = present.map(([name]) => wall(work, name));
    const ratios = against.map((name) => wall(work, name)).map((time) => time && time / ours);
    return [work.replace(" ", ", "), ...[...times, ...ratios].map((x) => (x === undefined ? "" : short(x)))];
  });
  const head = ["samples", ...present.map(([, title]) => title), ...against.map((name) => `${name} / ours`)];
  return table(head, rows);
}
