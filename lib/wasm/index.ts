export { adam } from "./adam";
export { appendKeys, attention, attentionBackward, rowDots, rowDotsBackward } from "./attention";
export {
  addRows,
  broadcast,
  gather,
  gruCell,
  gruCellBackward,
  relu,
  scatter,
  tanh,
  timesReluSlope,
  timesTanhSlope,
} from "./elementwise";
export { gemm, transpose } from "./gemm";
export { layerNorm, layerNormBackward } from "./norm";
export { logSoftmax, logSoftmaxBackward } from "./softmax";

/** Where the memory begins that the caller gives out. */
export function heapBase(): usize {
  return __heap_base;
}
