import { exp } from "../base/elementary/exp";
import { COMPILED_FROM, compiledTable } from "../tensor/fused/table";
import type { EvaluationGradient } from "./policy";
import type { RowGroups } from "./rowGroups";
import { logSoftmax } from "./softmax";

/** A table of logits: each row of `stride` numbers begins with `size` of them. */
export interface LogitTable {
  readonly values: Float64Array;
  readonly stride: number;
  readonly size: number;
}

/**
 * The softmaxes of the rows that a batch reads, each computed once.
 *
 * It works row by row and, within a row, cell by cell in the order of the batch, so every sum has the same bits as if the
 * batch's cells were visited one by one.
 */
export class RowSoftmax {
  /** Log-probs, group after group. */
  #logProb = new Float64Array(0);
  #probability = new Float64Array(0);
  #entropy = new Float64Array(0);
  /** The rows that the compiled gradient changed, behind their number. */
  #touched = new Int32Array(0);

  /** Computes the softmaxes of the groups' rows, which the other methods read. */
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

  /** Writes the log-prob of each cell's token and the entropy, both in nats. */
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

  /** Writes the log-probs of every token of the vocabulary to each cell, in nats. */
  readAll(size: number, { rows, cells, begins }: RowGroups, logProb_ntlv: Float64Array): void {
    for (let g = 0; g < rows.length; g++) {
      const own = this.#logProb.subarray(g * size, (g + 1) * size);
      for (let k = begins[g]!; k < begins[g + 1]!; k++) logProb_ntlv.set(own, cells[k]! * size);
    }
  }

  /**
   * Adds d loss / d logits of every cell to `into`, and the rows that this changes to `touched`.
   *
   * d logProb[token] / d logit[v] = 1{v = token} - p[v];  d entropy / d logit[v] = -p[v] (logProb[v] + entropy).
   */
  addGradient(
    { stride, size }: Omit<LogitTable, "values">,
    { rows, cells, begins }: RowGroups,
    token_ntl: Int32Array,
    { dLogProb_ntl, dEntropy_ntl, dLogit_ntlv }: EvaluationGradient,
    into: Float64Array,
    touched: number[],
  ): void {
    if (dEntropy_ntl === undefined && dLogit_ntlv === undefined && cells.length >= COMPILED_FROM) {
      const compiled = compiledTable();
      if (compiled) {
        if (this.#touched.length <= rows.length) this.#touched = new Int32Array(2 * rows.length + 1);
        const cut = { rows, cells, begins, tokens: token_ntl, dLogProb: dLogProb_ntl };
        compiled.gradient(cut, this.#logProb, size, stride, into, this.#touched);
        for (let i = 1; i <= this.#touched[0]!; i++) touched.push(this.#touched[i]!);
        return;
      }
    }
    for (let g = 0; g < rows.length; g++) {
      const first = begins[g]!;
      const end = begins[g + 1]!;
      let awake = false;
      for (let k = first; k < end && !awake; k++) {
        awake =
          dLogProb_ntl[cells[k]!] !== 0 || (dEntropy_ntl !== undefined && dEntropy_ntl[cells[k]!] !== 0);
        if (dLogit_ntlv !== undefined) awake ||= someIn(dLogit_ntlv, cells[k]! * size, size);
      }
      // If all derivatives are 0, as where a group's returns are equal, the optimizer can skip the row.
      if (!awake) continue;
      touched.push(rows[g]!);
      for (let i = g * size; i < (g + 1) * size; i++) this.#probability[i] = exp(this.#logProb[i]!);
      const part = { g, size, cells, first, end, token_ntl, offset: rows[g]! * stride, into };
      if (dEntropy_ntl === undefined) this.#addRow(part, dLogProb_ntl);
      else this.#addRowWithEntropy(part, dLogProb_ntl, dEntropy_ntl);
      if (dLogit_ntlv !== undefined) addDense(part, dLogit_ntlv);
    }
  }

  /** Four logits at a time, whose sums stay in registers: this takes half the time of one at a time. */
  #addRow(
    { g, size, cells, first, end, token_ntl, offset, into }: RowPart,
    dLogProb_ntl: Float64Array,
  ): void {
    const p = this.#probability;
    let v = 0;
    for (; v + 4 <= size; v += 4) {
      const at = g * size + v;
      const to = offset + v;
      const [p0, p1, p2, p3] = [p[at]!, p[at + 1]!, p[at + 2]!, p[at + 3]!];
      let [sum0, sum1, sum2, sum3] = [into[to]!, into[to + 1]!, into[to + 2]!, into[to + 3]!];
      for (let k = first; k < end; k++) {
        const cell = cells[k]!;
        const d = dLogProb_ntl[cell]!;
        const chosen = token_ntl[cell]! - v;
        sum0 += (chosen === 0 ? d : 0) - d * p0;
        sum1 += (chosen === 1 ? d : 0) - d * p1;
        sum2 += (chosen === 2 ? d : 0) - d * p2;
        sum3 += (chosen === 3 ? d : 0) - d * p3;
      }
      into[to] = sum0;
      into[to + 1] = sum1;
      into[to + 2] = sum2;
      into[to + 3] = sum3;
    }
    for (; v < size; v++) {
      const pv = p[g * size + v]!;
      let sum = into[offset + v]!;
      for (let k = first; k < end; k++) {
        const d = dLogProb_ntl[cells[k]!]!;
        sum += (token_ntl[cells[k]!] === v ? d : 0) - d * pv;
      }
      into[offset + v] = sum;
    }
  }

  #addRowWithEntropy(
    { g, size, cells, first, end, token_ntl, offset, into }: RowPart,
    dLogProb_ntl: Float64Array,
    dEntropy_ntl: Float64Array,
  ): void {
    const p = this.#probability.subarray(g * size, (g + 1) * size);
    const logProb = this.#logProb.subarray(g * size, (g + 1) * size);
    const entropy = this.#entropy[g]!;
    for (let k = first; k < end; k++) {
      const cell = cells[k]!;
      const dLogProb = dLogProb_ntl[cell]!;
      const dEntropy = dEntropy_ntl[cell]!;
      for (let v = 0; v < size; v++) {
        let d = -dLogProb * p[v]!;
        if (dEntropy !== 0 && p[v]! > 0) d -= dEntropy * p[v]! * (logProb[v]! + entropy);
        if (v === token_ntl[cell]!) d += dLogProb;
        into[offset + v]! += d;
      }
    }
  }
}

function someIn(values: Float64Array, from: number, count: number): boolean {
  for (let i = from; i < from + count; i++) if (values[i] !== 0) return true;
  return false;
}

function addDense({ size, cells, first, end, offset, into }: RowPart, dLogit_ntlv: Float64Array): void {
  for (let k = first; k < end; k++) {
    const from = cells[k]! * size;
    for (let v = 0; v < size; v++) into[offset + v]! += dLogit_ntlv[from + v]!;
  }
}

/** Group g, cells[first .. end], whose derivative is added to into[offset .. offset + size]. */
interface RowPart {
  readonly g: number;
  readonly size: number;
  readonly cells: Int32Array;
  readonly first: number;
  readonly end: number;
  readonly token_ntl: Int32Array;
  readonly offset: number;
  readonly into: Float64Array;
}
