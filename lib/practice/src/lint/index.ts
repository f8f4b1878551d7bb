export { lint, lintSource, type LintOptions } from "./lint";
export { LintReport, type Found, type Open } from "./report";
export { findingIds, findings, type FindingId } from "./findings";
export type { Change, Confidence, Finding, Severity } from "./contract";
export type { SettingName } from "./settings/contract";
