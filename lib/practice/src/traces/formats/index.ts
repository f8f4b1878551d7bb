import { atropos } from "./atropos";
import type { TraceFormat } from "./contract";
import { messages } from "./messages";
import { trl } from "./trl";
import { verifiers } from "./verifiers";
import { verl } from "./verl";

/** In what form trajectories are stored. */
export type TraceFormatName = "verl" | "trl" | "verifiers" | "atropos" | "messages";

/** Every form, in the order in which a record is compared with them. */
export const traceFormats: Readonly<Record<TraceFormatName, TraceFormat>> = Object.freeze({
  verl,
  trl,
  verifiers,
  atropos,
  messages,
});
