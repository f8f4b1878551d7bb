export { reportCard, type CardRows } from "./reportCard";
export { ReportCard, type CardView } from "./card";
export type { CardChartOptions } from "./cardChart";
export { cardFigures, type CardRecord } from "./figures";
export { cardWorlds, twoArms, type CardWorld } from "./worlds";
export type { OwnWorld, ReportCardOptions } from "./settings";
export { figureNames, type Figure, type FigureName } from "./tally";
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
