export { alarmRules, thresholdLadders, type AlarmName, type AlarmRule } from "./alarmRules";
export {
  calibrate,
  scoreAlarm,
  watchRun,
  type AlarmScore,
  type AlarmTimes,
  type WatchedRun,
} from "./calibrate";
export { EchoTrapMonitor, monitor, type Alarm, type MonitorOptions, type Watched } from "./echoTrapMonitor";
export { fallOf } from "./fall";
export { glossary, type MetricEntry, type MetricName, type Metrics } from "../base/glossary";
export { namings, type Naming, type NamingName } from "./logs/namings";
export { recordsFromCsv, recordsFromJsonl, type LogText } from "./logs/readLogs";
export { responseStatistics, type ResponseStatistics } from "../rollout/responses";
export {
  robustZ,
  SignalTracker,
  type MonitorRecord,
  type SignalName,
  type SignalOptions,
  type Signals,
} from "./signals";
export { median } from "../base/statistics";
