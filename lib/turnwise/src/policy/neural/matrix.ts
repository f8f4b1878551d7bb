/** A row-major matrix inside a larger array. */
export interface Matrix {
  readonly data: Float64Array;
  readonly offset: number;
  readonly rows: number;
  readonly columns: number;
}

export function matrix(data: Float64Array, rows: number, columns: number, offset = 0): Matrix {
  return { data, offset, rows, columns };
}

/** out += a b. */
export function addProduct(a: Matrix, b: Matrix, out: Matrix): void {
  const [m, k, n] = [a.rows, a.columns, b.columns];
  for (let i = 0; i < m; i++) {
    const row = out.offset + i * n;
    for (let j = 0; j < k; j++) {
      const x = a.data[a.offset + i * k + j]!;
      if (x === 0) continue;
      const from = b.offset + j * n;
      for (let c = 0; c < n; c++) out.data[row + c]! += x * b.data[from + c]!;
    }
  }
}

/** out += a^T b: the gradient of a weight matrix from its inputs a and the derivative b of its outputs. */
export function addTransposedProduct(a: Matrix, b: Matrix, out: Matrix): void {
  const [rows, k, n] = [a.rows, a.columns, b.columns];
  for (let i = 0; i < rows; i++) {
    const from = b.offset + i * n;
    for (let j = 0; j < k; j++) {
      const x = a.data[a.offset + i * k + j]!;
      if (x === 0) continue;
      const row = out.offset + j * n;
      for (let c = 0; c < n; c++) out.data[row + c]! += x * b.data[from + c]!;
    }
  }
}

/** out += a b^T: the derivative of a layer's inputs from the derivative a of its outputs and its weights b. */
export function addProductTransposed(a: Matrix, b: Matrix, out: Matrix): void {
  const [m, n, k] = [a.rows, a.columns, b.rows];
  for (let i = 0; i < m; i++) {
    const left = a.offset + i * n;
    for (let j = 0; j < k; j++) {
      const right = b.offset + j * n;
      let sum = 0;
      for (let c = 0; c < n; c++) sum += a.data[left + c]! * b.data[right + c]!;
      out.data[out.offset + i * k + j]! += sum;
    }
  }
}

/** Every row of out += bias. */
export function addBias(bias: Float64Array, offset: number, out: Matrix): void {
  for (let i = 0; i < out.rows; i++) {
    for (let c = 0; c < out.columns; c++) out.data[out.offset + i * out.columns + c]! += bias[offset + c]!;
  }
}

/** bias += the sum of the rows of d. */
export function addColumnSums(d: Matrix, bias: Float64Array, offset: number): void {
  for (let i = 0; i < d.rows; i++) {
    for (let c = 0; c < d.columns; c++) bias[offset + c]! += d.data[d.offset + i * d.columns + c]!;
  }
}
