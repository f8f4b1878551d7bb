import { answerRecords } from "./answers";
import { atropos } from "./atropos";
import type { ReadFormat, TraceFormat } from "./contract";
import { messages } from "./messages";
import { rLlm } from "./rLlm";
import { tokens } from "./tokens";
import { trl } from "./trl";
import { verifiers } from "./verifiers";
import { verl } from "./verl";

/** In what form trajectories are stored. */
export type TraceFormatName = "verl" | "trl" | "verifiers" | "atropos" | "messages";

/** Every form that is read and written. */
export const traceFormats: Readonly<Record<TraceFormatName, TraceFormat>> = Object.freeze({
  verl,
  trl,
  verifiers,
  atropos,
  messages,
});

/** Forms that are read: rLLM's episodes, too, and tokens or texts, which every trainer dumps under names of its own. */
export type ReadFormatName = TraceFormatName | "rLlm" | "tokens" | "answers";

/** Every form that is read, in the order in which a record is compared with them. */
export const readFormats: Readonly<Record<ReadFormatName, ReadFormat>> = Object.freeze({
  ...traceFormats,
  rLlm,
  tokens,
  answers: answerRecords,
});
