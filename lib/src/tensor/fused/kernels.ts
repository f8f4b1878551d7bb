/** A byte offset in the memory of the kernels. */
export type Pointer = number;

/**
 * The operations that networks are put together from, on 32-bit floats in one memory; what each does is said beside its
 * source in `lib/wasm`. Strides and counts are in elements.
 *
 * Both implementations sum in a fixed order, so that one and the same gives the same bits on every machine.
 */
export interface Operations {
  gemm(
    a: Pointer,
    aRow: number,
    aColumn: number,
    b: Pointer,
    bRow: number,
    c: Pointer,
    cRow: number,
    m: number,
    n: number,
    k: number,
  ): void;
  transpose(from: Pointer, fromRow: number, to: Pointer, toRow: number, rows: number, columns: number): void;
  tanh(x: Pointer, count: number): void;
  timesTanhSlope(d: Pointer, h: Pointer, count: number): void;
  relu(x: Pointer, count: number): void;
  timesReluSlope(d: Pointer, h: Pointer, count: number): void;
  demote(from: Pointer, to: Pointer, count: number): void;
  promote(from: Pointer, to: Pointer, count: number): void;
  broadcast(x: Pointer, row: Pointer, rows: number, width: number): void;
  clear(x: Pointer, count: number): void;
  addRowProducts(sum: Pointer, x: Pointer, y: Pointer, rows: number, width: number, stride: number): void;
  addRows(sum: Pointer, x: Pointer, rows: number, width: number, stride: number): void;
  gather(x: Pointer, table: Pointer, offsets: Pointer, rows: number, places: number, width: number): void;
  scatter(
    table: Pointer,
    d: Pointer,
    offsets: Pointer,
    rows: number,
    places: number,
    width: number,
    stride: number,
  ): void;
  gruCell(
    z: Pointer,
    r: Pointer,
    n: Pointer,
    recurrent: Pointer,
    before: Pointer,
    after: Pointer,
    count: number,
  ): void;
  gruCellBackward(
    d: Pointer,
    z: Pointer,
    r: Pointer,
    n: Pointer,
    recurrent: Pointer,
    before: Pointer,
    dZ: Pointer,
    dR: Pointer,
    dN: Pointer,
    dRecurrent: Pointer,
    dBefore: Pointer,
    count: number,
  ): void;
  layerNorm(
    x: Pointer,
    gain: Pointer,
    y: Pointer,
    unit: Pointer,
    scales: Pointer,
    rows: number,
    width: number,
  ): void;
  layerNormBackward(
    dY: Pointer,
    unit: Pointer,
    scales: Pointer,
    gain: Pointer,
    dX: Pointer,
    rows: number,
    width: number,
  ): void;
  logSoftmax(
    logits: Pointer,
    probability: Pointer,
    tokens: Pointer,
    logProb: Pointer,
    entropy: Pointer,
    logTotals: Pointer,
    rows: number,
    width: number,
  ): void;
  logSoftmaxBackward(
    shifted: Pointer,
    probability: Pointer,
    tokens: Pointer,
    entropy: Pointer,
    logTotals: Pointer,
    dLogProb: Pointer,
    dEntropy: Pointer,
    dLogits: Pointer,
    rows: number,
    width: number,
  ): void;
  appendKeys(
    key: Pointer,
    keyT: Pointer,
    capacity: number,
    first: number,
    places: number,
    width: number,
  ): void;
  attention(
    query: Pointer,
    keyT: Pointer,
    capacity: number,
    value: Pointer,
    out: Pointer,
    weight: Pointer,
    queries: number,
    keys: number,
    width: number,
    heads: number,
  ): void;
  attentionBackward(
    query: Pointer,
    key: Pointer,
    value: Pointer,
    weight: Pointer,
    dOut: Pointer,
    dQuery: Pointer,
    dKey: Pointer,
    dValue: Pointer,
    scratch: Pointer,
    length: number,
    width: number,
    heads: number,
  ): void;
  rowDots(x: Pointer, rowIndex: Pointer, w: Pointer, value: Pointer, count: number, width: number): void;
  rowDotsBackward(
    x: Pointer,
    rowIndex: Pointer,
    w: Pointer,
    dValue: Pointer,
    dX: Pointer,
    dW: Pointer,
    count: number,
    width: number,
  ): void;
}

/** The operations, with the memory that they work on. */
export interface Kernels extends Operations {
  readonly name: "wasm" | "plain";
  /** Sums of products are rounded once per product, not twice. */
  readonly relaxed: boolean;
  /** How many threads work together. */
  readonly threads: number;
  /** Changes when the memory grows: views on it must be made anew. */
  readonly buffer: ArrayBufferLike;
  /** First byte that is free for use. */
  readonly base: Pointer;
  /** Makes room for `bytes` in all; throws RangeError where the machine has no such memory. */
  reserve(bytes: number): void;
  /**
   * Does the parts of a work, in any order and on whichever thread: no part may read what another one writes.
   *
   * `work` names it, `size` says how much it is, in any unit that makes two works of one name comparable.
   */
  inParts(work: string, size: number, parts: number, part: Part): void;
  /** Ends what an interrupted work may have left going on in the memory. */
  settle(): void;
}

/** Calls the operations of one part, and does nothing else: it may be called to learn them, or not at all. */
export type Part = (operations: Operations, index: number) => void;
