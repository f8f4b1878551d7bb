export { reportCard } from "./reportCard";
export type { ReportCard } from "./card";
export type { CardRecord } from "./figures";
export type { ReportCardOptions } from "./settings";
export { cardWorlds, type CardWorld } from "./worlds";
export { creditBench, type CreditFigures } from "./creditBench";
export { publishedCredit } from "./publishedCredit";
export { reportCardJob, storedCard } from "./stored";
