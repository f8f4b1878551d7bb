export { alarmClaims } from "./alarmClaims";
export { alarmReport } from "../../shared/alarms/alarmReport";
export { leadChart, lookingBackChart } from "./alarmCharts";
export { alarmJob, alarmRun, alarmSweep } from "./alarmRun";
export { alarmSeeds, alarmSettings } from "../../shared/alarms/definitions";
export { expectedShare, followedShare } from "../../shared/alarms/rates";
export { drawForesight } from "./drawForesight";
export { rocChart } from "./rocChart";
export { alarmRunsToCsv, storedAlarmRuns } from "../../shared/alarms/stored";
