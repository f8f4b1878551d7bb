/** A byte offset in the memory of the kernels. */
export type Pointer = number;

/**
 * The operations of which networks are made, on 32-bit floats in one memory; the C sources in `lib/turnwise/native` document each of them.
 * Strides and counts are in elements.
 *
 * Each implementation sums in a fixed order, so that it gives the same bits on every machine.
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
  product(
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
    bias: Pointer,
    relu: 0 | 1,
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
  gruToken(
    embedding: Pointer,
    bias: Pointer,
    state: Pointer,
    gate: number,
    offsets: Pointer,
    before: Pointer,
    after: Pointer,
    gates: Pointer,
    rows: number,
    width: number,
  ): void;
  attentionToken(
    query: Pointer,
    key: Pointer,
    value: Pointer,
    out: Pointer,
    weight: Pointer,
    cache: Pointer,
    kept: Pointer,
    rows: number,
    width: number,
    heads: number,
  ): void;
  draw(
    logits: Pointer,
    weight: Pointer,
    uniform: Pointer,
    tokens: Pointer,
    logProb: Pointer,
    logTotals: Pointer,
    rows: number,
    width: number,
    temperature: number,
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

/** Division of tasks between threads. */
export interface Threads {
  /**
   * Runs the parts of a task in any order and on any thread, so no part may read what another one writes.
   *
   * @param work name of the kind of task
   * @param size how much there is to do, in any unit that makes tasks of one kind comparable
   */
  inParts(work: string, size: number, parts: number, part: Part): void;
  /** Waits for what an interrupted task may still be doing to the memory. */
  settle(): void;
}

/** The operations and the memory on which they work. */
export interface Kernels extends Operations, Threads {
  readonly name: "native" | "wasm" | "plain";
  /** The processor that native ones are compiled for, such as "x86-64-v4". */
  readonly level?: string;
  /** Width in bits, or the reason for not being native, in the words of a report. */
  readonly reason: string;
  /** Whether multiply-add rounds once instead of twice. */
  readonly relaxed: boolean;
  /** Number of threads that work together. */
  readonly threads: number;
  /** Changes when the memory grows: then views of it must be made again. */
  readonly buffer: ArrayBufferLike;
  /** The first byte that is free for use. */
  readonly base: Pointer;
  /**
   * Makes room for `bytes` in total.
   *
   * @throws {RangeError} if the machine does not have so much memory
   */
  reserve(bytes: number): void;
  /** Rounds values to 32 bits and writes them to an address; only where nothing has to be copied before. */
  put?(values: Float64Array, at: Pointer): void;
  /** Fills values with 32-bit floats from an address on, likewise. */
  get?(at: Pointer, values: Float64Array): void;
}

/** Calls the operations of one part and does nothing else, because it may be called just to record them. */
export type Part = (operations: Operations, index: number) => void;
