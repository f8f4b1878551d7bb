export { adam } from "./adam";
export { appendKeys, attention, attentionBackward, rowDots, rowDotsBackward } from "./attention";
export {
  addRowProducts,
  addRows,
  broadcast,
  clear,
  demote,
  gather,
  gruCell,
  gruCellBackward,
  promote,
  relu,
  scatter,
  tanh,
  timesReluSlope,
  timesTanhSlope,
} from "./elementwise";
export { gemm, transpose } from "./gemm";
export { layerNorm, layerNormBackward } from "./norm";
export { packTo, PACK_BYTES } from "./packed";
export { logSoftmax, logSoftmaxBackward } from "./softmax";

/** Where the memory begins that the caller gives out. */
export function heapBase(): usize {
  return __heap_base;
}
