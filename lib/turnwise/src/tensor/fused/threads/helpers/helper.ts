import type { Operations } from "../../kernels";

/** Data that a thread needs to work on the same memory. */
export interface Duty {
  readonly control: Int32Array;
  readonly tape: Float64Array;
  /** The operations, in the order of their numbers on the tape. */
  readonly names: readonly (keyof Operations)[];
  /** The compiled kernels (a WebAssembly.Module) and their memory. */
  readonly module: unknown;
  readonly memory: unknown;
  /** The end of this thread's stack. */
  readonly stack: number;
}
