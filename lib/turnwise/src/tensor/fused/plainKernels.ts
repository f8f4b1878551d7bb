// One file because all operations share three views of one memory, which change together when it grows.

import { exp } from "../../base/elementary/exp";
import { log } from "../../base/elementary/log";
import { square } from "../../base/elementary/square";
import { tanh } from "../../base/elementary/tanh";
import type { Kernels, Pointer } from "./kernels";

/**
 * The kernels in plain JavaScript on a Float32Array, for engines without WebAssembly SIMD, and for readers. The results agree
 * with the compiled ones up to 32-bit rounding but not bit by bit, because sums are rounded at other places.
 */
export function plainKernels(): Kernels {
  let buffer = new ArrayBuffer(1 << 16);
  let f = new Float32Array(buffer);
  let d = new Float64Array(buffer);
  let n = new Int32Array(buffer);

  const gemm: Kernels["gemm"] = (a, aRow, aColumn, b, bRow, c, cRow, rows, columns, products) => {
    const [a0, b0, c0] = [a / 4, b / 4, c / 4];
    for (let i = 0; i < rows; i++) {
      const out = c0 + i * cRow;
      for (let p = 0; p < products; p++) {
        const x = f[a0 + i * aRow + p * aColumn]!;
        const from = b0 + p * bRow;
        for (let j = 0; j < columns; j++) f[out + j]! += x * f[from + j]!;
      }
    }
  };
  const addRow = (x: number, y: number, width: number, factor = 1): void => {
    for (let c = 0; c < width; c++) f[x + c]! += factor * f[y + c]!;
  };
  const dot = (x: number, y: number, width: number): number => {
    let sum = 0;
    for (let c = 0; c < width; c++) sum += f[x + c]! * f[y + c]!;
    return sum;
  };
  const each = (x: Pointer, count: number, of: (value: number, i: number) => number): void => {
    for (let i = 0; i < count; i++) f[x / 4 + i] = of(f[x / 4 + i]!, i);
  };
  const sigmoid = (x: number): number => 1 / (1 + exp(-x));
  const softmaxRow = (x: number, count: number): void => {
    let most = -Infinity;
    for (let i = 0; i < count; i++) most = Math.max(most, f[x + i]!);
    let sum = 0;
    for (let i = 0; i < count; i++) sum += f[x + i] = exp(f[x + i]! - most);
    for (let i = 0; i < count; i++) f[x + i]! /= sum;
  };

  return {
    name: "plain",
    reason: "plain JavaScript",
    relaxed: false,
    threads: 1,
    inParts(_work, _size, parts, part) {
      for (let i = 0; i < parts; i++) part(this, i);
    },
    settle: () => undefined,
    get buffer() {
      return buffer;
    },
    // 0 stands for no bias.
    base: 16,
    reserve(bytes) {
      if (bytes <= buffer.byteLength) return;
      const grown = new ArrayBuffer(Math.ceil((bytes * 1.25) / 16) * 16);
      new Uint8Array(grown).set(new Uint8Array(buffer));
      buffer = grown;
      f = new Float32Array(buffer);
      d = new Float64Array(buffer);
      n = new Int32Array(buffer);
    },
    gemm,
    product(a, aRow, aColumn, b, bRow, c, cRow, m, n, k, bias, relu) {
      for (let i = 0; i < m; i++) {
        const out = c / 4 + i * cRow;
        for (let j = 0; j < n; j++) f[out + j] = bias === 0 ? 0 : f[bias / 4 + j]!;
      }
      gemm(a, aRow, aColumn, b, bRow, c, cRow, m, n, k);
      if (relu) for (let i = 0; i < m; i++) this.relu(c + 4 * i * cRow, n);
    },
    transpose(from, fromRow, to, toRow, rows, columns) {
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < columns; j++) f[to / 4 + j * toRow + i] = f[from / 4 + i * fromRow + j]!;
      }
    },
    tanh: (x, count) => each(x, count, tanh),
    timesTanhSlope: (x, h, count) => each(x, count, (v, i) => v * (1 - square(f[h / 4 + i]!))),
    relu: (x, count) => each(x, count, (v) => Math.max(0, v)),
    timesReluSlope: (x, h, count) => each(x, count, (v, i) => (f[h / 4 + i]! > 0 ? v : 0)),
    demote(from, to, count) {
      for (let i = 0; i < count; i++) f[to / 4 + i] = d[from / 8 + i]!;
    },
    promote(from, to, count) {
      for (let i = 0; i < count; i++) d[to / 8 + i] = f[from / 4 + i]!;
    },
    broadcast(x, row, rows, width) {
      for (let i = 0; i < rows; i++) f.copyWithin(x / 4 + i * width, row / 4, row / 4 + width);
    },
    clear(x, count) {
      f.fill(0, x / 4, x / 4 + count);
    },
    addRowProducts(sum, x, y, rows, width, stride) {
      for (let i = 0; i < rows; i++) {
        for (let c = 0; c < width; c++) {
          f[sum / 4 + c]! += f[x / 4 + i * stride + c]! * f[y / 4 + i * stride + c]!;
        }
      }
    },
    addRows(sum, x, rows, width, stride) {
      for (let i = 0; i < rows; i++) addRow(sum / 4, x / 4 + i * stride, width);
    },
    gather(x, table, offsets, rows, places, width) {
      for (let i = 0; i < rows * places; i++) {
        const offset = n[offsets / 4 + i]!;
        if (offset >= 0) addRow(x / 4 + Math.floor(i / places) * width, table / 4 + offset, width);
      }
    },
    scatter(table, x, offsets, rows, places, width, stride) {
      for (let i = 0; i < rows * places; i++) {
        const offset = n[offsets / 4 + i]!;
        if (offset >= 0) addRow(table / 4 + offset, x / 4 + Math.floor(i / places) * stride, width);
      }
    },
    gruCell(z, r, candidate, recurrent, before, after, count) {
      for (let i = 0; i < count; i++) {
        const update = sigmoid(f[z / 4 + i]!);
        const reset = sigmoid(f[r / 4 + i]!);
        const own = tanh(f[candidate / 4 + i]! + reset * f[recurrent / 4 + i]!);
        f[z / 4 + i] = update;
        f[r / 4 + i] = reset;
        f[candidate / 4 + i] = own;
        f[after / 4 + i] = own + update * (f[before / 4 + i]! - own);
      }
    },
    gruCellBackward(dAfter, z, r, candidate, recurrent, before, dZ, dR, dN, dRecurrent, dBefore, count) {
      for (let i = 0; i < count; i++) {
        const out = f[dAfter / 4 + i]!;
        const [update, reset, own] = [f[z / 4 + i]!, f[r / 4 + i]!, f[candidate / 4 + i]!];
        const dOwn = out * (1 - update) * (1 - own * own);
        f[dZ / 4 + i] = out * (f[before / 4 + i]! - own) * update * (1 - update);
        f[dR / 4 + i] = dOwn * f[recurrent / 4 + i]! * reset * (1 - reset);
        f[dN / 4 + i] = dOwn;
        f[dRecurrent / 4 + i] = dOwn * reset;
        f[dBefore / 4 + i] = out * update;
      }
    },
    layerNorm(x, gain, y, unit, scales, rows, width) {
      for (let i = 0; i < rows; i++) {
        const from = x / 4 + i * width;
        let mean = 0;
        for (let c = 0; c < width; c++) mean += f[from + c]! / width;
        let variance = 0;
        for (let c = 0; c < width; c++) variance += square(f[from + c]! - mean) / width;
        const scale = 1 / Math.sqrt(variance + 1e-5);
        f[scales / 4 + i] = scale;
        for (let c = 0; c < width; c++) {
          const u = (f[from + c]! - mean) * scale;
          f[unit / 4 + i * width + c] = u;
          f[y / 4 + i * width + c] = u * f[gain / 4 + c]!;
        }
      }
    },
    layerNormBackward(dY, unit, scales, gain, dX, rows, width) {
      for (let i = 0; i < rows; i++) {
        const [out, u] = [dY / 4 + i * width, unit / 4 + i * width];
        let sum = 0;
        let along = 0;
        for (let c = 0; c < width; c++) {
          const own = f[out + c]! * f[gain / 4 + c]!;
          sum += own / width;
          along += (own * f[u + c]!) / width;
        }
        for (let c = 0; c < width; c++) {
          const own = f[out + c]! * f[gain / 4 + c]!;
          f[dX / 4 + i * width + c]! += f[scales / 4 + i]! * (own - sum - f[u + c]! * along);
        }
      }
    },
    logSoftmax(logits, probability, tokens, logProb, entropy, logTotals, rows, width) {
      for (let i = 0; i < rows; i++) {
        const [x, p] = [logits / 4 + i * width, probability / 4 + i * width];
        let most = -Infinity;
        for (let v = 0; v < width; v++) most = Math.max(most, f[x + v]!);
        let sum = 0;
        let weighted = 0;
        for (let v = 0; v < width; v++) {
          f[x + v]! -= most;
          const e = exp(f[x + v]!);
          f[p + v] = e;
          sum += e;
          weighted += e * f[x + v]!;
        }
        const logTotal = log(sum);
        d[logTotals / 8 + i] = logTotal;
        d[entropy / 8 + i] = logTotal - weighted / sum;
        const token = n[tokens / 4 + i]!;
        if (token >= 0) d[logProb / 8 + i] = f[x + token]! - logTotal;
        for (let v = 0; v < width; v++) f[p + v]! /= sum;
      }
    },
    logSoftmaxBackward(
      shifted,
      probability,
      tokens,
      entropy,
      logTotals,
      dLogProb,
      dEntropy,
      dLogits,
      rows,
      width,
    ) {
      for (let i = 0; i < rows; i++) {
        const dChosen = d[dLogProb / 8 + i]!;
        const dSpread = d[dEntropy / 8 + i]!;
        const offset = d[entropy / 8 + i]! - d[logTotals / 8 + i]!;
        const row = i * width;
        for (let v = 0; v < width; v++) {
          const spread = dSpread * (f[shifted / 4 + row + v]! + offset);
          f[dLogits / 4 + row + v] = -f[probability / 4 + row + v]! * (dChosen + spread);
        }
        f[dLogits / 4 + row + n[tokens / 4 + i]!]! += dChosen;
      }
    },
    appendKeys(key, keyT, capacity, first, places, width) {
      for (let i = 0; i < places; i++) {
        for (let c = 0; c < width; c++) f[keyT / 4 + c * capacity + first + i] = f[key / 4 + i * width + c]!;
      }
    },
    attention(query, keyT, capacity, value, out, weight, queries, keys, width, heads) {
      const size = width / heads;
      f.fill(0, out / 4, out / 4 + queries * width);
      f.fill(0, weight / 4, weight / 4 + heads * queries * keys);
      for (let head = 0; head < heads; head++) {
        for (let q = 0; q < queries; q++) {
          const row = weight / 4 + (head * queries + q) * keys;
          const at = q * width + head * size;
          const visible = keys - queries + q + 1;
          for (let k = 0; k < visible; k++) {
            let score = 0;
            for (let c = 0; c < size; c++) {
              score += f[query / 4 + at + c]! * f[keyT / 4 + (head * size + c) * capacity + k]!;
            }
            f[row + k] = score / Math.sqrt(size);
          }
          softmaxRow(row, visible);
          for (let k = 0; k < visible; k++) {
            addRow(out / 4 + at, value / 4 + k * width + head * size, size, f[row + k]);
          }
        }
      }
    },
    attentionBackward(query, key, value, weight, dOut, dQuery, dKey, dValue, scratch, length, width, heads) {
      const size = width / heads;
      const dShare = scratch / 4;
      for (let head = 0; head < heads; head++) {
        for (let q = 0; q < length; q++) {
          const row = weight / 4 + (head * length + q) * length;
          const at = q * width + head * size;
          let mean = 0;
          for (let k = 0; k <= q; k++) {
            f[dShare + k] = dot(dOut / 4 + at, value / 4 + k * width + head * size, size);
            mean += f[row + k]! * f[dShare + k]!;
          }
          for (let k = 0; k <= q; k++) {
            const dScore = (f[row + k]! * (f[dShare + k]! - mean)) / Math.sqrt(size);
            const other = k * width + head * size;
            addRow(dValue / 4 + other, dOut / 4 + at, size, f[row + k]);
            addRow(dQuery / 4 + at, key / 4 + other, size, dScore);
            addRow(dKey / 4 + other, query / 4 + at, size, dScore);
          }
        }
      }
    },
    gruToken(embedding, bias, state, gate, offsets, before, after, gates, rows, width) {
      const all = rows * width;
      const recurrent = gates + 12 * all;
      for (let g = 0; g < 3; g++) {
        const own = gates + 4 * g * all;
        this.broadcast(own, bias + 4 * g * gate, rows, width);
        this.gather(own, embedding + 4 * g * gate, offsets, rows, 1, width);
        if (g === 2) this.clear(recurrent, all);
        const out = g < 2 ? own : recurrent;
        gemm(before, width, 1, state + 4 * g * gate, width, out, width, rows, width, width);
      }
      this.gruCell(gates, gates + 4 * all, gates + 8 * all, recurrent, before, after, all);
    },
    attentionToken(query, key, value, out, weight, cache, kept, rows, width, heads) {
      for (let i = 0; i < rows; i++) {
        const [keyT = 0, values = 0, capacity = 0, length = 0] = n.subarray(kept / 4 + 4 * i);
        const [keys, all, at] = [cache + 4 * keyT, cache + 4 * values, 4 * i * width];
        this.appendKeys(key + at, keys, capacity, length, 1, width);
        this.broadcast(all + 4 * length * width, value + at, 1, width);
        this.attention(query + at, keys, capacity, all, out + at, weight, 1, length + 1, width, heads);
      }
    },
    draw(logits, weight, uniform, tokens, logProb, logTotals, rows, width, temperature) {
      for (let i = 0; i < rows; i++) {
        const [x, w] = [logits / 4 + i * width, weight / 4 + i * width];
        let most = -Infinity;
        for (let v = 0; v < width; v++) {
          f[x + v]! /= temperature;
          most = Math.max(most, f[x + v]!);
        }
        let sum = 0;
        for (let v = 0; v < width; v++) {
          f[x + v]! -= most;
          sum += f[w + v] = exp(f[x + v]!);
        }
        const logTotal = log(sum);
        d[logTotals / 8 + i] = logTotal;
        const near = (2.5e-6 + 2e-8 * width) * sum;
        let left = d[uniform / 8 + i]! * sum;
        let token = 0;
        while (token < width && !((left -= f[w + token]!) < near)) token++;
        n[tokens / 4 + i] = left < -near ? token : -1;
        if (left < -near) d[logProb / 8 + i] = f[x + token]! - logTotal;
      }
    },
    rowDots(x, rowIndex, w, value, count, width) {
      for (let i = 0; i < count; i++) {
        d[value / 8 + i] = dot(x / 4 + n[rowIndex / 4 + i]! * width, w / 4, width);
      }
    },
    rowDotsBackward(x, rowIndex, w, dValue, dX, dW, count, width) {
      for (let i = 0; i < count; i++) {
        const row = n[rowIndex / 4 + i]! * width;
        addRow(dX / 4 + row, w / 4, width, d[dValue / 8 + i]);
        addRow(dW / 4, x / 4 + row, width, d[dValue / 8 + i]);
      }
    },
  };
}
