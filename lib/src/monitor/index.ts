export { alarmRules, thresholdLadders, type AlarmName, type AlarmRule } from "./alarmRules";
export {
  calibrate,
  scoreAlarm,
  watchRun,
  type AlarmScore,
  type AlarmTimes,
  type WatchedRun,
} from "./calibrate";
export { EchoTrapMonitor, monitor, type Alarm, type MonitorOptions } from "./echoTrapMonitor";
export { fallOf } from "./fall";
export { glossary, type MetricName, type Metrics } from "../base/glossary";
export { type NamingName } from "./logs/namings";
export { recordsFromCsv, recordsFromJsonl, type LogText } from "./logs/readLogs";
export { responseStatistics } from "../rollout/responses";
export { robustZ, SignalTracker, type MonitorRecord } from "./signals";
