// From here on, notebooks show rows, records and batches as cards, and help(...) knows options, metrics and worlds.
import "./cards/found";

export { displaySymbol, liveSymbol, type MimeBundle } from "../base/display";
export { Chart, vegaLiteMime, type VegaLiteSpec } from "./chart";
export { toDataFrame } from "./dataFrame";
export { decimate, type Point } from "./decimate";
export { followInTerminal } from "../sweep/terminal";
export { type CurveRecord, type Runs } from "../sweep/runsOf";
export { learningCurve, type LearningCurveOptions } from "./learningCurve";
export { ledger, Ledger, ledgerMime, type Claim } from "./ledger";
export { liveCurve, LiveCurve, type LiveCurveOptions } from "./liveCurve";
export { neutralColor, seriesColors, seriesDashes } from "./palette";
export { seriesStyles } from "./ruleStyle";
export { renderSvg } from "./renderSvg";
export { type SaveOptions } from "./save";
export { endTitle } from "./endTitle";
export { lineChart, type LineChartOptions } from "./lineChart";
export { heatMap, type HeatCell, type HeatMapOptions } from "./heatMap";
export { phaseChart, type PhaseArrow, type PhaseChartOptions } from "./phaseChart";
export { simplexChart, type SimplexArrow, type SimplexChartOptions } from "./simplexChart";
export { anatomyChart, type AnatomyEvent, type AnatomyPanel } from "./anatomyChart";
export { estimateChart, type Estimate, type EstimateChartOptions } from "./estimateChart";
export { parameterTable } from "./parameterTable";
export { progressBar, ProgressBar, type ProgressBarOptions, type TextSink } from "../base/progressBar";
export { table, Table, type Cell } from "./table";
export { sweepTable, SweepTable, type SweepLike } from "./sweepTable";
export {
  creditTranscript,
  turnAdvantageMap,
  type CreditByRule,
  type CreditTranscript,
  type CreditTranscriptOptions,
} from "./creditTranscript";
export { ratioHistogram, type RatioHistogramOptions } from "./ratioHistogram";
export { drawTrajectory, type DrawTrajectoryOptions } from "./drawTrajectory";
export { type Episode, type EpisodeTurn } from "./trajectory/episodes";
export { Drawing } from "./drawing";
export { drawLoop, type LoopPart } from "./drawLoop";
