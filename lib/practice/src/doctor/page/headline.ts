import { courseInWords } from "../../report/courseInWords";
import { codes, type Code } from "../../watch/codes";
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
  const { success } = run.verdict;
  return `No cause can be named: ${success.kind === "unknown" ? success.why : "a number is NaN"}.`;
}

/** The error that the last run of a log ended in. */
export const failureOf = ({ log, number, of }: RunView): ReadLogFile["failure"] =>
  number === of ? log.failure : undefined;

/** Conspicuous facts if there is no log. */
function inTheRest({ causes, configs }: ReportParts): string {
  const [cause] = causes;
  const [config] = configs;
  const found = config?.lint.found[0];
  if (cause !== undefined && (cause.weight >= 20 || found === undefined)) {
    return `First in the rest: ${cause.title}: ${cause.evidence[0]}.`;
  }
  if (found !== undefined) return `First in the configuration: ${found.title}: ${found.evidence}.`;
  if (config?.lint.unread !== undefined) return `Nor is its rule: ${config.lint.unread}.`;
  if (config !== undefined)
    return `Of ${config.lint.clear.length} findings none is in the configuration; ${config.lint.undecided.length} cannot be decided.`;
  return "Nothing speaks for a cause in the rest.";
}
