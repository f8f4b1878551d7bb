export { startKernel, KernelClient } from "./client/client.js";
export type { RequestChannel } from "./client/channels.js";
export type { ExecuteOptions, ExecuteResult, StartOptions } from "./client/client.js";
export type { Header, JsonObject, Message, MimeBundle } from "./protocol/message.js";
export type { NbformatOutput } from "./protocol/outputs.js";
export {
  clearOutput,
  display,
  help,
  html,
  input,
  javascript,
  jpeg,
  latex,
  md,
  png,
  progress,
  svg,
} from "./display/api.js";
export type { Displayable, DisplayOptions } from "./display/api.js";
export { displaySymbol } from "./display/bundle.js";
export { liveSymbol } from "./display/live.js";
export { streamChart } from "./display/stream.js";
export type { StreamChart, StreamChartOptions } from "./display/stream.js";
export * as widgets from "./widgets/index.js";
export { broadcast, createComm, registerTarget } from "./widgets/comms.js";
export type { CommOptions } from "./widgets/comms.js";
export type { Comm, CommBuffer, CommExtras, CommListener, CommMessage } from "./protocol/comm.js";
export { button, log } from "./widgets/knob.js";
export { knobs } from "./widgets/knobs.js";
