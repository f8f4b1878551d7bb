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
