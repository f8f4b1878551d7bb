/** Speaking to the tools that people train with: logs and batches of other frameworks. */
export { readLog } from "./report/readLog";
export { Log } from "./report/log";
export { type LogFacts, type LogVerdict } from "./report/logFacts";
export { logRules } from "./report/logRules";
export { alarmTrackRecord } from "./report/worth";
export { type AlarmWorth } from "./report/alarmWorth";
export { LogReader, type LogOptions, type UnknownName } from "./logs/logReader";
export { type OwnNames } from "./logs/names";
export { frameworks, type NamingName } from "./logs/frameworks";
export { watchLog, type WatchLogOptions } from "./watch/watchLog";
export { readTrajectories, type TrajectoryOptions } from "./traces/readTrajectories";
export { batchOf, type StoredBatch } from "./traces/batchOf";
export { applyRules, type TriedRule, type TriedRules } from "./traces/applyRules";
export { type StoredTrajectory, type StoredTurn } from "./traces/trace";
export { traceFormats, type ReadFormatName, type TraceFormatName } from "./traces/formats";
export { type TraceFormat } from "./traces/formats/contract";
export {
  toTrl,
  toVerl,
  toOpenRlhf,
  fromTrl,
  fromVerl,
  fromOpenRlhf,
  readFlags,
  type ReadFlagsOptions,
} from "./configs";
export { type TrainerName } from "./configs/recognize";
export { type ConfiguredTrainer } from "./configs/understand";
export { type FrameworkFlags, type ReadConfig, type Unsupported } from "./configs/contract";
export { type FlagOptions } from "./configs/convert";
export { type FlagValue, type FlagValues, type Without } from "./configs/given";
export { doctor, DoctorReport, compareRuns, Comparison, type DoctorOptions, type DoctorJson } from "./doctor";
export { twin, TwinReport, type TwinOptions, type TwinJson, type TwinWorldName } from "./twin";
export { lint, findings, LintReport, type FindingId, type Found, type LintOptions } from "./lint";
export { writeTrajectories, type WriteOptions, type Written } from "./traces/writeTrajectories";
export { type TracePart } from "./traces/writing/lost";
export { recordsFromCsv, recordsFromJsonl, type LogText } from "./logs/readLogs";
export * from "./deprecatedNames";
