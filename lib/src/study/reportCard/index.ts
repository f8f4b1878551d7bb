export { reportCard, type CardRows } from "./reportCard";
export { ReportCard, type CardRecord, type CardView } from "./card";
export type { CardChartOptions } from "./cardChart";
export { cardFigures } from "./figures";
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
export { creditBench, creditFigures, creditProcesses, creditRows, type CreditFigures } from "./creditBench";
export { publishedCredit, type PublishedCredit } from "./publishedCredit";
