import { short } from "turnwise/internal/base/curve";
import { courseInWords } from "../../report/courseInWords";
import { earlyLossOf, hasStayedFlat } from "../../report/learned";
import { stillOf } from "../../report/still";
import { codes, type Code } from "../../watch/codes";
import { foundWithLog, isOpen } from "../foundWithLog";
import type { ReportParts } from "../parts";
import type { ReadLogFile } from "../read";
import type { RunView } from "../view";

/** Below this weight a cause is not called likely. */
const CLEAR = 35;
/** From this weight on a cause is named although success has not fallen. */
const TELLING = 45;

/** The first line: the most likely cause with its evidence, or that there is none. */
export function headlineOf(parts: ReportParts, code: Code): string {
  const [first] = parts.causes;
  const { run } = parts.view;
  if (run === undefined)
    return `There is no log, so whether anything broke is not known. ${inTheRest(parts)}`;
  const fell = run.verdict.success.kind === "fell";
  const failure = failureOf(run);
  if (failure !== undefined && !failure.isStop && !fell)
    return `The run ended in an error after step ${run.last}: ${failure.text}. ${courseInWords(run.verdict)}`;
  const isNamed = first !== undefined && (fell ? first.weight >= 20 : first.weight >= TELLING);
  if (isNamed && first.weight < CLEAR)
    return `Success fell, and little speaks for a cause. First: ${first.title}: ${first.evidence[0]}.`;
  if (isNamed) return `Most likely: ${first.title}: ${first.evidence[0]}.`;
  if (fell) {
    const moved = run.events.some(({ from }) => from < run.verdict.dip!.onset);
    return `Success fell, and ${moved ? "what moved before it speaks for no cause that is looked for" : "no signal that is logged moved before it"}: no cause can be named from these files.`;
  }
  if (code === codes.healthy)
    return `No cause to name: success has not fallen in ${run.verdict.success.checked} steps.`;
  return `No cause can be named: ${whyOf(run)}.`;
}

/** Why a run is not known to be well. */
function whyOf({ verdict: { success, notFinite }, records }: RunView): string {
  if (success.kind === "unknown") return success.why;
  if (notFinite.some(({ lasts, recurs }) => lasts || recurs)) return "a number is NaN";
  const lost = earlyLossOf(records);
  if (lost !== undefined)
    return `success was ${short(lost.before)} at first and is ${short(lost.after)} from step ${lost.at} on, so it fell before a mean of ten steps could show it`;
  const still = stillOf(records);
  if (still.length > 0) return `${still.join(" and ")} is 0, so that nothing was learned`;
  return hasStayedFlat(records)
    ? `success has not risen in ${success.checked} steps, so that nothing was learned and nothing could fall`
    : "whether anything was learned is not clear";
}

/** The error that the last run of a log ended in. */
export const failureOf = ({ log, number, of }: RunView): ReadLogFile["failure"] =>
  number === of ? log.failure : undefined;

/** Conspicuous facts if there is no log. */
function inTheRest({ causes, configs, view }: ReportParts): string {
  const [cause] = causes;
  const [config] = configs;
  const found = foundWithLog(view).find((one) => !isOpen(one));
  if (cause !== undefined && (cause.weight >= 20 || found === undefined)) {
    return `First in the rest: ${cause.title}: ${cause.evidence[0]}.`;
  }
  if (found !== undefined) return `First in the configuration: ${found.title}: ${found.evidence}.`;
  if (config?.lint.unread !== undefined) return `Nor is its rule: ${config.lint.unread}.`;
  if (config !== undefined && config.lint.found.length > 0)
    return `In the configuration there is nothing but what nearly every one has: ${config.lint.found[0]!.title}.`;
  if (config !== undefined)
    return `Of ${config.lint.clear.length} findings none is in the configuration; ${config.lint.undecided.length} cannot be decided.`;
  return "Nothing speaks for a cause in the rest.";
}
