import type { RowGroups } from "./rowGroups";
import { logSoftmax } from "./softmax";

/** A table of logits: `size` of them at the beginning of every row of `stride` numbers. */
export interface LogitTable {
  readonly values: Float64Array;
  readonly stride: number;
  readonly size: number;
}

/**
 * The softmaxes of the rows that a batch reads, each computed once.
 *
 * Works row by row, and in a row cell by cell in the order of the batch: every sum is that of going through the cells of the
 * batch one by one.
 */
export class RowSoftmax {
  /** Of group after group. */
  #logProb = new Float64Array(0);
  #probability = new Float64Array(0);
  #entropy = new Float64Array(0);

  /** Computes the rows of the groups; the other methods read what it left. */
  compute({ values, stride, size }: LogitTable, { rows }: RowGroups): void {
    if (this.#entropy.length < rows.length) {
      this.#entropy = new Float64Array(2 * rows.length);
      this.#logProb = new Float64Array(2 * rows.length * size);
      this.#probability = new Float64Array(2 * rows.length * size);
    }
    for (let g = 0; g < rows.length; g++) {
      this.#entropy[g] = logSoftmax(values, rows[g]! * stride, size, 1, this.#logProb, g * size);
    }
  }

  /** Writes the log-prob of each cell's token, and the entropy in nats. */
  read(
    size: number,
    { rows, cells, begins }: RowGroups,
    token_ntl: Int32Array,
    logProb_ntl: Float64Array,
    entropy_ntl: Float64Array,
  ): void {
    const logProb = this.#logProb;
    for (let g = 0; g < rows.length; g++) {
      const entropy = this.#entropy[g]!;
      const end = begins[g + 1]!;
      for (let k = begins[g]!; k < end; k++) {
        const cell = cells[k]!;
        entropy_ntl[cell] = entropy;
        logProb_ntl[cell] = logProb[g * size + token_ntl[cell]!]!;
      }
    }
  }

  /**
   * Adds d loss / d logits of every cell to `into`, and the rows that it touched to `touched`.
   *
   * d logProb[token] / d logit[v] = 1{v = token} - p[v];  d entropy / d logit[v] = -p[v] (logProb[v] + entropy).
   */
  addGradient(
    { stride, size }: Omit<LogitTable, "values">,
    { rows, cells, begins }: RowGroups,
    token_ntl: Int32Array,
    dLogProb_ntl: Float64Array,
    dEntropy_ntl: Float64Array | undefined,
    into: Float64Array,
    touched: number[],
  ): void {
    const p = this.#probability;
    for (let g = 0; g < rows.length; g++) {
      const first = g * size;
      const offset = rows[g]! * stride;
      const end = begins[g + 1]!;
      let asleep = true;
      for (let k = begins[g]!; k < end; k++) {
        const cell = cells[k]!;
        const dLogProb = dLogProb_ntl[cell]!;
        const dEntropy = dEntropy_ntl === undefined ? 0 : dEntropy_ntl[cell]!;
        // Where a group's returns are equal there is nothing to learn, and an optimiser need not look.
        if (dLogProb === 0 && dEntropy === 0) continue;
        if (asleep) {
          asleep = false;
          touched.push(rows[g]!);
          for (let i = first; i < first + size; i++) p[i] = Math.exp(this.#logProb[i]!);
        }
        const token = token_ntl[cell]!;
        const before = into[offset + token]!;
        if (dEntropy === 0) {
          for (let v = 0; v < size; v++) into[offset + v]! -= dLogProb * p[first + v]!;
          into[offset + token] = before + (dLogProb - dLogProb * p[first + token]!);
          continue;
        }
        const entropy = this.#entropy[g]!;
        for (let v = 0; v < size; v++) {
          let d = -dLogProb * p[first + v]!;
          if (p[first + v]! > 0) d -= dEntropy * p[first + v]! * (this.#logProb[first + v]! + entropy);
          if (v === token) d += dLogProb;
          into[offset + v]! += d;
        }
      }
    }
  }
}
