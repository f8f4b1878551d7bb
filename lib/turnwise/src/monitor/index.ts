export { alarmRules, thresholdLadders, type AlarmName, type AlarmRule } from "./alarmRules";
export { alarmRates, calibrate } from "./calibrate";
export { EchoTrapMonitor, monitor, type Alarm, type MonitorOptions } from "./echoTrapMonitor";
export { courseOf, fallOf } from "./fall";
export { glossary, type MetricName, type Metrics } from "../base/glossary";
export { responseStatistics } from "../rollout/responses";
export { pairedInterval, pairedMean, type PairedMean } from "./pairedMean";
export {
  highestBefore,
  outranks,
  sameAge,
  strataOf,
  warnsAt,
  type Stratum,
  type WarningWindow,
} from "./sameAge";
export { robustZ, SignalTracker, type MonitorRecord } from "./signals";
export { ladderedRules, watchRun, type LadderedRule, type WatchedRun } from "./watchRun";
