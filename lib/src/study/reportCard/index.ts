export { reportCard, type CardRows } from "./reportCard";
export { ReportCard, reportCardFigures, type CardRecord, type CardView } from "./card";
export { cardWorlds, type CardWorld } from "./worlds";
export type { OwnWorld, ReportCardOptions } from "./settings";
export type { Figure, FigureName } from "./tally";
export {
  recordLine,
  reportCardJob,
  reportCardTask,
  storedCard,
  storedCardOptions,
  storedRecords,
  storedSettings,
} from "./stored";
