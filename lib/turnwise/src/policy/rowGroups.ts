/** The cells of a batch, grouped by the row of the table that they read; the cells of a row keep their order. */
export interface RowGroups {
  /** The rows, ascending, each once. */
  readonly rows: Int32Array;
  /** The cells, group after group. */
  readonly cells: Int32Array;
  /** Start of each group in `cells`, and the end of the last one. */
  readonly begins: Int32Array;
}

/** Scratch space, by row: how many cells a row has, then where its next cell goes. All 0 between calls. */
let slots = new Int32Array(256);

/** Groups any cells of a batch, given in any order. */
export function groupByRow(cells: Int32Array, row_ntl: Int32Array): RowGroups {
  const met = new Int32Array(cells.length);
  let count = 0;
  for (const cell of cells) {
    const row = row_ntl[cell]!;
    if (row >= slots.length) slots = grown(slots, row);
    if (slots[row] === 0) met[count++] = row;
    slots[row]!++;
  }
  const rows = met.subarray(0, count).sort();
  const begins = new Int32Array(count + 1);
  for (let g = 0; g < count; g++) {
    begins[g + 1] = begins[g]! + slots[rows[g]!]!;
    slots[rows[g]!] = begins[g]!;
  }
  const sorted = new Int32Array(cells.length);
  for (const cell of cells) {
    const row = row_ntl[cell]!;
    sorted[slots[row]!] = cell;
    slots[row]!++;
  }
  for (let g = 0; g < count; g++) slots[rows[g]!] = 0;
  return { rows, cells: sorted, begins };
}

function grown(values: Int32Array, index: number): Int32Array<ArrayBuffer> {
  const result = new Int32Array(2 * index);
  result.set(values);
  return result;
}
