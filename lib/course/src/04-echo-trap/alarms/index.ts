export { alarmClaims } from "./alarmClaims";
export { alarmReport } from "./alarmReport";
export { leadChart, lookingBackChart } from "./alarmCharts";
export { alarmJob, alarmRun, alarmSweep } from "./alarmRun";
export { alarmSeeds, alarmSettings } from "./definitions";
export { expectedShare, followedShare } from "./rates";
export { drawForesight } from "./drawForesight";
export { rocChart } from "./rocChart";
export { alarmRunsToCsv, storedAlarmRuns } from "./stored";
