import { csvParseRows } from "d3-dsv";
import { files } from "turnwise/browser";

/** Replacement of danfojs in a page: a data frame to look at. The notebook shows it like danfo's own. */

type Cell = number | string | boolean | null;
type Columns = Readonly<Record<string, readonly Cell[]>>;
type Row = Readonly<Record<string, Cell>>;

const dtypeOf = (values: readonly Cell[]): string => {
  if (values.every((x) => typeof x === "number"))
    return values.every((x) => Number.isInteger(x)) ? "int32" : "float32";
  return values.every((x) => typeof x === "boolean") ? "boolean" : "string";
};

/** A column of a data frame. */
export class Series {
  readonly index: (number | string)[];
  readonly dtypes: string[];

  constructor(
    readonly values: Cell[],
    o: { readonly columns?: readonly string[]; readonly index?: readonly (number | string)[] } = {},
  ) {
    this.columns = [...(o.columns ?? ["0"])];
    this.index = [...(o.index ?? values.keys())];
    this.dtypes = [dtypeOf(values)];
  }

  readonly columns: string[];

  get shape(): [number, number] {
    return [this.values.length, 1];
  }

  get size(): number {
    return this.values.length;
  }

  mean(): number {
    const numbers = this.#numbers();
    return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  }

  sum(): number {
    return this.#numbers().reduce((sum, x) => sum + x, 0);
  }

  min(): number {
    return Math.min(...this.#numbers());
  }

  max(): number {
    return Math.max(...this.#numbers());
  }

  /** Numbers that are there: danfo leaves out NaN as well. */
  #numbers(): number[] {
    return this.values.filter((x): x is number => typeof x === "number" && !Number.isNaN(x));
  }
}

/** Rows and columns of numbers and text. */
export class DataFrame {
  readonly columns: string[];
  readonly index: (number | string)[];
  readonly values: Cell[][];

  /** @param data columns by name, rows as objects, or rows as lists */
  constructor(
    data: Columns | readonly Row[] | readonly (readonly Cell[])[],
    o: { readonly columns?: readonly string[]; readonly index?: readonly (number | string)[] } = {},
  ) {
    if (!isList(data)) {
      this.columns = [...(o.columns ?? Object.keys(data))];
      const length = Math.max(0, ...Object.values(data).map((column) => column.length));
      this.values = Array.from({ length }, (_, i) => this.columns.map((name) => data[name]?.[i] ?? NaN));
    } else if (data.every((row) => isList(row))) {
      const rows = data as readonly (readonly Cell[])[];
      this.columns = [...(o.columns ?? (rows[0] ?? []).map((_, i) => String(i)))];
      this.values = rows.map((row) => [...row]);
    } else {
      const rows = data as readonly Row[];
      this.columns = [...(o.columns ?? new Set(rows.flatMap((row) => Object.keys(row))))];
      this.values = rows.map((row) => this.columns.map((name) => row[name] ?? NaN));
    }
    this.index = [...(o.index ?? this.values.keys())];
  }

  get shape(): [number, number] {
    return [this.values.length, this.columns.length];
  }

  get size(): number {
    return this.values.length * this.columns.length;
  }

  get dtypes(): string[] {
    return this.columns.map((name) => dtypeOf(this.#column(name)));
  }

  /** One column. */
  column(name: string): Series {
    return new Series(this.#column(name), { columns: [name], index: this.index });
  }

  head(rows = 5): DataFrame {
    return this.#rows([...this.index.keys()].filter((i) => i < rows));
  }

  tail(rows = 5): DataFrame {
    return this.#rows([...this.index.keys()].filter((i) => i >= this.values.length - rows));
  }

  /** Some columns, in their order. */
  loc({ columns = this.columns }: { readonly columns?: readonly string[] }): DataFrame {
    const values = this.values.map((_, i) => columns.map((name) => this.#column(name)[i]!));
    return new DataFrame(values, { columns, index: this.index });
  }

  /** The rows by the numbers of a column. */
  sortValues(by: string, o: { readonly ascending?: boolean } = {}): DataFrame {
    const column = this.#column(by);
    const sign = o.ascending === false ? -1 : 1;
    const order = [...column.keys()].sort((a, b) => {
      const [x, y] = [column[a]!, column[b]!];
      return sign * (x < y ? -1 : x > y ? 1 : 0);
    });
    return this.#rows(order.values());
  }

  toJSON(): Row[] {
    return toJSON(this);
  }

  toCSV(): string {
    return toCSV(this);
  }

  toString(): string {
    return toCSV(this);
  }

  print(): void {
    console.log(this.toString());
  }

  #column(name: string): Cell[] {
    const at = this.columns.indexOf(name);
    if (at < 0) {
      throw new RangeError(
        `Cannot read a column: it must be in the data frame, but "${name}" is not among ${this.columns.join(", ")}.`,
      );
    }
    return this.values.map((row) => row[at]!);
  }

  #rows(which: Iterable<number>): DataFrame {
    const kept = [...which];
    return new DataFrame(
      kept.map((i) => this.values[i]!),
      { columns: this.columns, index: kept.map((i) => this.index[i]!) },
    );
  }
}

/** The rows as objects. */
export function toJSON(frame: DataFrame): Row[] {
  return frame.values.map((row) => Object.fromEntries(frame.columns.map((name, i) => [name, row[i]!])));
}

/** The rows of a file, whose first line names the columns: numbers where a whole column has them. */
export async function readCSV(file: string): Promise<DataFrame> {
  const text = files.readFileSync(file, "utf8");
  const [columns = [], ...rows] = csvParseRows(text.trimEnd());
  const numeric = columns.map((_, c) =>
    rows.every((row) => row[c] === "" || (row[c]?.trim() !== "" && !Number.isNaN(Number(row[c])))),
  );
  const cell = (given: string | undefined, c: number): Cell =>
    numeric[c] ? (given ? Number(given) : NaN) : (given ?? "");
  return new DataFrame(
    rows.map((row) => columns.map((_, c) => cell(row[c], c))),
    { columns },
  );
}

/** The rows as lines of text, or as a file. */
export function toCSV(frame: DataFrame, o: { readonly filePath: string }): void;
export function toCSV(frame: DataFrame): string;
export function toCSV(frame: DataFrame, o?: { readonly filePath: string }): string | void {
  const quoted = (cell: Cell): string => {
    const text = String(cell);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const text = [frame.columns, ...frame.values].map((row) => row.map(quoted).join(",")).join("\n") + "\n";
  if (!o) return text;
  files.writeFileSync(o.filePath, text);
}

const isList = (x: unknown): x is readonly unknown[] => Array.isArray(x);
