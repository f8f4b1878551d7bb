import type { MimeBundle } from "../../protocol/message.js";
import { limits } from "../settings.js";
import { tableBundle } from "../table.js";
import { adapter } from "./contract.js";
import { has, hasMethods } from "./traits.js";

interface Chunk {
  rowCount: number;
  getRows(): unknown[][];
}

interface Result {
  columnNames(): string[];
  isStreaming: boolean;
}

/** A result whose rows DuckDB holds. */
interface Materialized extends Result {
  rowCount: number;
  chunkCount: number;
  getChunk(i: number): Chunk;
}

export const duckdb = adapter<Result>({
  shows: "results of DuckDB (`@duckdb/node-api`), which stay readable afterward",
  types: ["text/html"],
  fits: (value): value is Result =>
    has(value, "isStreaming") && hasMethods(value, "columnNames", "columnTypes", "fetchChunk"),
  bundle(result) {
    if (!isMaterialized(result)) return streamed(result.columnNames());
    const size = result.rowCount;
    const rows = limits.get("tableMost") >= size ? all(result) : sample(result, size);
    return tableBundle({ columns: result.columnNames(), size, rows });
  },
});

const isMaterialized = (result: Result): result is Materialized =>
  !result.isStreaming && has(result, "rowCount", "chunkCount") && hasMethods(result, "getChunk");

type Rows = (from: number, to: number) => unknown[][];

/** Looks at chunks: reading rows from the result itself would take them from whoever reads it next. */
function sample(result: Materialized, size: number): Rows {
  const starts = [0];
  const rows = new Map<number, unknown[][]>();
  const chunk = (i: number): unknown[][] => {
    const known = rows.get(i) ?? result.getChunk(i).getRows();
    rows.set(i, known);
    return known;
  };
  const last = result.chunkCount - 1;
  const lastStart = last >= 0 ? size - result.getChunk(last).rowCount : 0;
  return (from, to) => {
    const found: unknown[][] = [];
    if (from >= lastStart && last >= 0) return chunk(last).slice(from - lastStart, to - lastStart);
    for (let i = 0; i <= last && starts[i]! < to; i++) {
      const here = chunk(i);
      starts[i + 1] = starts[i]! + here.length;
      found.push(...here.slice(Math.max(0, from - starts[i]!), Math.max(0, to - starts[i]!)));
    }
    return found;
  };
}

function all(result: Materialized): Rows {
  const rows: unknown[][] = [];
  for (let i = 0; i < result.chunkCount; i++) rows.push(...result.getChunk(i).getRows());
  return (from, to) => rows.slice(from, to);
}

function streamed(columns: readonly string[]): MimeBundle {
  const names = columns.join(", ");
  return {
    "text/plain": `<DuckDB stream of ${names}: showing its rows would use them up; read them with getRows()>`,
  };
}
