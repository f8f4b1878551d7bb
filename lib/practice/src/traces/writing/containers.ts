import type { SchemaElement } from "hyparquet";
import type { ParquetWriter } from "hyparquet-writer";
import type { Row } from "../../logs/row";

/** Takes records one after the other, with their JSON, and has no more than a few of them in memory. */
export interface Container {
  push(record: Row, json: string): void;
  end(): void;
}

type ColumnSource = Parameters<ParquetWriter["write"]>[0]["columnData"][number];

const PIECE = 1 << 18;

/** A record a line. */
export function jsonl(write: (bytes: Uint8Array) => void): Container {
  let text = "";
  const flush = (): void => {
    write(new TextEncoder().encode(text));
    text = "";
  };
  return {
    push: (_, json) => {
      text += `${json}\n`;
      if (text.length > PIECE) flush();
    },
    end: flush,
  };
}

/** A row group ends after a number of characters, as a reader has a whole one in memory. */
const GROUP = 1 << 23;
const messages = (name: string): SchemaElement[] => [
  {
    repetition_type: "OPTIONAL",
    name,
    num_children: 1,
    converted_type: "LIST",
    logical_type: { type: "LIST" },
  },
  { repetition_type: "REPEATED", name: "list", num_children: 1 },
  { repetition_type: "OPTIONAL", name: "element", num_children: 2 },
  text("role"),
  text("content"),
];
const text = (name: string): SchemaElement => ({
  type: "BYTE_ARRAY",
  repetition_type: "OPTIONAL",
  name,
  converted_type: "UTF8",
  logical_type: { type: "STRING" },
});

/** A column for a value, as pandas and pyarrow make it. */
function columnOf(name: string, value: unknown): SchemaElement[] {
  if (name === "prompt" || name === "completion") return messages(name);
  if (name === "step") return [{ type: "INT64", repetition_type: "OPTIONAL", name }];
  if (typeof value === "number" || name === "advantage") {
    return [{ type: "DOUBLE", repetition_type: "OPTIONAL", name }];
  }
  if (typeof value === "boolean") return [{ type: "BOOLEAN", repetition_type: "OPTIONAL", name }];
  if (typeof value === "string") return [text(name)];
  const is = value === null ? "null" : typeof value;
  throw new RangeError(
    `Cannot write a Parquet file: each column must hold numbers, strings or booleans, but ${name} holds ${is}.`,
  );
}

/** Rows of the same columns, a row group at a time. */
export async function parquet(write: (bytes: Uint8Array) => void): Promise<Container> {
  const library = await import("hyparquet-writer");
  const bytes = new library.ByteWriter();
  let writer: ParquetWriter | undefined;
  let names: string[] = [];
  let rows: Row[] = [];
  let size = 0;
  const flush = (): void => {
    write(new Uint8Array(bytes.buffer, 0, bytes.index));
    // The offset goes on counting: it says where in the file a column begins.
    bytes.index = 0;
  };
  const group = (): void => {
    if (writer === undefined || rows.length === 0) return;
    const columnData = names.map((name): ColumnSource => ({
      name,
      data: rows.map((row) => cell(name, row[name])),
    }));
    void writer.write({ columnData, rowGroupSize: rows.length });
    [rows, size] = [[], 0];
    flush();
  };
  return {
    push: (record, json) => {
      if (writer === undefined) {
        names = Object.keys(record);
        const columns = names.map((name) => columnOf(name, record[name]));
        const schema = [{ name: "schema", num_children: columns.length }, ...columns.flat()];
        writer = new library.ParquetWriter({ writer: bytes, schema });
      }
      const own = Object.keys(record);
      if (own.length !== names.length || own.some((name) => !names.includes(name))) {
        throw new RangeError(
          `Cannot write a Parquet file: all rows must have the same columns, but one has ${names.join(", ")}, another ${own.join(", ")}.`,
        );
      }
      rows.push(record);
      size += json.length;
      if (size > GROUP) group();
    },
    end: () => {
      if (writer === undefined) {
        throw new RangeError(
          "Cannot write a Parquet file: its columns come from the rows, and there are none.",
        );
      }
      group();
      void writer.finish();
      flush();
    },
  };
}

const cell = (name: string, value: unknown): unknown =>
  name === "step" ? BigInt(value as number) : (value ?? null);
